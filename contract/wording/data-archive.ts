import { limits } from '#domain/limits.ts';

type About = { lender: string; moment: string; supportPhone: string; supportEmail: string };

/** The README in the archive of a person's own data, written by the server. */
export const archiveReadme = {
  en: (about: About) => `What ${about.lender} keeps about you, as of ${about.moment}

data.json    Everything in writing:
  profile         who you are, how we reach you, where your money goes, your reference person
  documents       your pictures, and their place in the folder "documents"
  loans           what you applied for, with every version of the contract, its schedule and parties, and what happened
                  to the loan since it was released
  withdrawals     what you took out of the wallet, and where it went
  ledgerEntries   every movement of your money
  payments        what you paid on your loans, with receipt numbers and what each payment went to
  statementLines  lines of our bank’s or wallet’s statements that were matched with your loans
  contacts        each time that our staff tried to reach you about a loan, what came of it and what you promised
  complaints      what you complained about, and what you and our staff wrote about it
  notifications   what you were told
  messages        what was sent to you by text message and e-mail
  consents        what you agreed to, in which words and when
  sessions        when you signed in, and when each session ends
  events          what you and our staff did with your account

documents    Your pictures.

Your password and one-time codes are not included in any form: the password cannot be read by anybody. Answers that are kept for
${limits.idempotencyKeyKeptDays} days, so that a request sent twice is done once, only repeat what is in here.

Questions, or something that is wrong? ${about.supportPhone}, ${about.supportEmail}
`,
  fil: (about: About) => `Ang itinatago ng ${about.lender} tungkol sa iyo, noong ${about.moment}

data.json    Lahat ng nakasulat:
  profile         kung sino ka, paano ka maaabot, saan pupunta ang pera mo, at ang reference mo
  documents       ang iyong mga larawan, at kung nasaan ang mga ito sa folder na "documents"
  loans           ang mga in-applyan mo, kasama ang bawat bersyon ng kontrata, ang iskedyul at mga panig nito, at ang mga
                  nangyari sa loan mula nang mailabas
  withdrawals     ang inilabas mo sa wallet, at kung saan ito napunta
  ledgerEntries   bawat galaw ng iyong pera
  payments        ang mga ibinayad mo sa mga loan, kasama ang numero ng resibo at kung saan napunta ang bawat bayad
  statementLines  mga linya sa statement ng aming bangko o wallet na itinugma sa mga loan mo
  contacts        bawat pagsubok ng aming staff na maabot ka tungkol sa loan, ang kinalabasan nito at ang ipinangako mo
  complaints      ang mga reklamo mo, at ang isinulat mo at ng aming staff tungkol dito
  notifications   ang mga sinabi sa iyo
  messages        ang mga ipinadala sa iyo sa text at e-mail
  consents        ang mga pinayagan mo, sa anong salita at kailan
  sessions        kung kailan ka nag-sign in, at hanggang kailan ito
  events          ang mga ginawa mo at ng aming staff sa iyong account

documents    Ang iyong mga larawan.

Wala rito ang iyong password at mga one-time code sa anumang anyo: walang makababasa ng password. Ang mga sagot na itinatago
nang ${limits.idempotencyKeyKeptDays} araw, para hindi magawa nang dalawang beses ang iisang kahilingan, ay inuulit lamang ang narito.

May tanong, o may mali? ${about.supportPhone}, ${about.supportEmail}
`,
};
