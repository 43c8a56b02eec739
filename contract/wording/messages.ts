import { type DateLanguage, monthsInFilipino } from '#domain/calendar.ts';
import { gsmText, smsMaxLength } from '#domain/gsm.ts';
import type { MessageChannel, MessageKind } from '#domain/message.ts';
import { counted } from './fil-contract.ts';

/**
 * The words of messages that leave the app (§outbox), beside those of the notices inside it. A text message has at most 160
 * characters of the GSM basic alphabet. It has no link, names nobody but the lender, and repeats nothing that staff wrote.
 */

type Details = Readonly<Partial<Record<string, string>>>;

/**
 * The values that fill the words: the details stored with the message, the code that it
 * carries, and the phone to call.
 */
type Filling = { details: Details; code: string; phone: string; channel: MessageChannel };

type Sentence = (filling: Filling) => string;

/** The second is for a text that would be too long: with the largest amounts some words go. */
type Words = { en: Sentence; fil: Sentence; shortEn?: Sentence; shortFil?: Sentence };

const words = (en: Sentence, fil: Sentence, shortEn?: Sentence, shortFil?: Sentence): Words => ({
  en,
  fil,
  ...(shortEn && { shortEn }),
  ...(shortFil && { shortFil }),
});

/** The borrower reads staff's own words, and statuses that they made up, in the app alone. */
const inTheApp = words(
  () => 'You have a new message. Open the app.',
  () => 'May bago kang mensahe. Buksan ang app.',
);

const decisions: Record<string, Words> = {
  approved: words(
    () => 'Your loan is approved. Next, our staff will release the money. Open the app.',
    () => 'Aprubado ang loan mo. Susunod, ilalabas ng aming staff ang pera. Buksan ang app.',
  ),
  denied: words(
    ({ phone }) => `Your loan application was not approved. Open the app, or call ${phone} to ask about it.`,
    ({ phone }) =>
      `Hindi naaprubahan ang application mo para sa loan. Buksan ang app, o tumawag sa ${phone} para magtanong.`,
  ),
  account_issue: words(
    ({ phone }) => `Your account needs attention before we can continue. Open the app or call ${phone}.`,
    ({ phone }) =>
      `May kailangang ayusin sa account mo bago makapagpatuloy. Buksan ang app o tumawag sa ${phone}.`,
  ),
};
const deniedToo: Record<string, string> = { rejected: 'denied' };

const withdrawals: Record<string, Words> = {
  approved: words(
    ({ details: { withdrawalNumber = '' }, phone }) =>
      `Your withdrawal ${withdrawalNumber} is approved. We send the money next. Not you? Call ${phone} at once.`,
    ({ details: { withdrawalNumber = '' }, phone }) =>
      `Aprubado ang withdrawal mong ${withdrawalNumber}. Ipapadala na namin ang pera. Hindi ikaw ito? Tumawag agad sa ${phone}.`,
  ),
  completed: words(
    ({ details: { withdrawalNumber = '' }, phone }) =>
      `Your withdrawal ${withdrawalNumber} was sent. Not you? Call ${phone} at once.`,
    ({ details: { withdrawalNumber = '' }, phone }) =>
      `Naipadala na ang withdrawal mong ${withdrawalNumber}. Hindi ikaw ito? Tumawag agad sa ${phone}.`,
  ),
  rejected: words(
    ({ details: { withdrawalNumber = '' } }) =>
      `Your withdrawal ${withdrawalNumber} was not approved. The money is back in your wallet. Open the app.`,
    ({ details: { withdrawalNumber = '' } }) =>
      `Hindi naaprubahan ang withdrawal mong ${withdrawalNumber}. Nasa wallet mo ulit ang pera. Buksan ang app.`,
  ),
  pending: words(
    ({ details: { withdrawalNumber = '' }, phone }) =>
      `Our staff check your withdrawal ${withdrawalNumber} first. Not you? Call ${phone} at once.`,
    ({ details: { withdrawalNumber = '' }, phone }) =>
      `Sinusuri muna ng aming staff ang withdrawal mong ${withdrawalNumber}. Hindi ikaw ito? Tumawag agad sa ${phone}.`,
  ),
};

const notYours: [Sentence, Sentence] = [
  ({ phone }) => `Not you? Call ${phone} at once.`,
  ({ phone }) => `Hindi ikaw ito? Tumawag agad sa ${phone}.`,
];

/** Something that was changed, and whom to call if it was somebody else. */
const changed = (en: string, fil: string): Words =>
  words(
    (filling) => `${en} ${notYours[0](filling)}`,
    (filling) => `${fil} ${notYours[1](filling)}`,
  );

const onLoans = ({ loans = '1' }: Details) => (loans === '1' ? 'your loan' : `your ${loans} loans`);
const saLoans = ({ loans = '1' }: Details) => (loans === '1' ? 'loan mo' : `${loans} loan mo`);

const sentences: Record<Exclude<MessageKind, 'loan_status_changed' | 'withdrawal_status_changed'>, Words> = {
  confirmation: words(
    ({ code, channel }) =>
      `${code} is your code to confirm this ${channel === 'sms' ? 'phone' : 'email address'}. Valid 10 minutes. Never give it to anybody, not even our staff.`,
    ({ code, channel }) =>
      `${code} ang code mo para kumpirmahin ang ${channel === 'sms' ? 'phone' : 'email'} na ito. 10 minuto lang ito. Huwag ibigay kaninuman, kahit sa staff.`,
  ),
  // Staff's own codes are good for any amount and live longer.
  withdrawal_code: words(
    ({ code, details: { amount, account = '', hours = '' } }) =>
      amount
        ? `${code} is your code to withdraw ${amount} to account ${account}. Valid 10 minutes. Never give it to anybody, not even our staff.`
        : `${code} is your code to withdraw. It works once, for ${hours} hours. Never give it to anybody, not even our staff.`,
    ({ code, details: { amount, account = '', hours = '' } }) =>
      amount
        ? `${code} ang code mo para i-withdraw ang ${amount} sa account ${account}. 10 minuto lang ito. Huwag ibigay kaninuman, kahit sa staff.`
        : `${code} ang code mo para mag-withdraw. Isang beses lang, sa loob ng ${hours} oras. Huwag ibigay kaninuman, kahit sa staff.`,
    ({ code, details: { amount = '', account = '' } }) =>
      `${code} is your code to withdraw ${amount} to account ${account}. Valid 10 minutes. Never give it to anybody.`,
    ({ code, details: { amount = '', account = '' } }) =>
      `${code} ang code para i-withdraw ang ${amount} sa account ${account}. 10 minuto lang. Huwag ibigay kaninuman.`,
  ),

  password_set: changed('Our staff set a new password for you.', 'Pinalitan ng aming staff ang password mo.'),
  own_password_changed: changed('Your password was changed.', 'Nabago ang password mo.'),
  phone_changed: changed(
    'The phone number of your account was changed.',
    'Pinalitan ang phone number ng account mo.',
  ),
  email_changed: changed(
    'The email address of your account was changed.',
    'Pinalitan ang email address ng account mo.',
  ),
  bank_details_changed: changed(
    'Our staff changed your bank details.',
    'Binago ng aming staff ang bank details mo.',
  ),
  own_bank_details_changed: changed('Your bank details were changed.', 'Nabago ang bank details mo.'),
  otp_set: words(
    ({ phone }) =>
      `A one-time code was set for you. Ask our staff for it to withdraw. You did not ask for one? Call ${phone} at once.`,
    ({ phone }) =>
      `May one-time code ka na. Hingin ito sa staff para mag-withdraw. Hindi mo ito hiningi? Tumawag agad sa ${phone}.`,
  ),
  phone_confirmed: words(
    (filling) =>
      `Our staff confirmed ${filling.channel === 'sms' ? 'this' : 'your'} phone for messages about your account. ${notYours[0](filling)}`,
    (filling) =>
      `Kinumpirma ng staff ang phone ${filling.channel === 'sms' ? 'na ito' : 'mo'} para sa mga mensahe. ${notYours[1](filling)}`,
  ),
  status_changed: words(
    ({ phone }) => `Your account is suspended. Questions? Call ${phone}.`,
    ({ phone }) => `Suspendido ang account mo. May tanong? Tumawag sa ${phone}.`,
  ),
  account_closed: words(
    ({ phone }) => `Your account was closed. Questions? Call ${phone}.`,
    ({ phone }) => `Isinara na ang account mo. May tanong? Tumawag sa ${phone}.`,
  ),

  loan_disbursed: words(
    ({ details: { amount = '', channel, firstDueDate = '' } }) =>
      channel === 'wallet'
        ? `${amount} arrived in your wallet. Your first payment is due on ${firstDueDate}. Open the app.`
        : channel === 'direct'
          ? `${amount} was sent to you. Your first payment is due on ${firstDueDate}. Open the app.`
          : `Your loan account is ready. Your first payment is due on ${firstDueDate}. Open the app.`,
    ({ details: { amount = '', channel, firstDueDate = '' } }) =>
      channel === 'wallet'
        ? `Pumasok sa wallet mo ang ${amount}. Unang hulog: ${firstDueDate}. Buksan ang app.`
        : channel === 'direct'
          ? `Naipadala na sa iyo ang ${amount}. Unang hulog: ${firstDueDate}. Buksan ang app.`
          : `Handa na ang account ng loan mo. Unang hulog: ${firstDueDate}. Buksan ang app.`,
  ),
  disbursement_cancelled: words(
    ({ details: { amount = '' }, phone }) =>
      `Your loan release was cancelled: ${amount} left your wallet, and you owe nothing on it. Questions? Call ${phone}.`,
    ({ details: { amount = '' }, phone }) =>
      `Kinansela ang paglabas ng loan mo: inalis sa wallet ang ${amount}, at wala kang babayaran dito. May tanong? Tumawag sa ${phone}.`,
    ({ details: { amount = '' }, phone }) =>
      `Your loan release of ${amount} was cancelled. You owe nothing on it. Questions? Call ${phone}.`,
    ({ details: { amount = '' }, phone }) =>
      `Kinansela ang paglabas ng ${amount}. Wala kang babayaran dito. May tanong? Tumawag: ${phone}.`,
  ),
  withdrawals_held: words(
    ({ details: { days = '' }, phone }) =>
      `For ${days} days our staff check your withdrawals: bank and password were changed. Not you? Call ${phone} at once.`,
    ({ details: { days = '' }, phone }) =>
      `${days} araw susuriin ng staff ang withdrawals mo: nabago ang bank at password. Hindi ikaw? Tumawag agad sa ${phone}.`,
  ),
  payment_received: words(
    ({ details: { amount = '', receipt = '', date = '' } }) =>
      `We received ${amount}, paid on ${date}. Receipt ${receipt}. Open the app to see it.`,
    ({ details: { amount = '', receipt = '', date = '' } }) =>
      `Natanggap namin ang ${amount} na binayad mo noong ${date}. Resibo ${receipt}. Makikita ito sa app.`,
  ),
  payment_rejected: words(
    ({ details: { amount = '' }, phone }) =>
      `We could not confirm your payment of ${amount}. Open the app. If you did pay, call ${phone}.`,
    ({ details: { amount = '' }, phone }) =>
      `Hindi namin makumpirma ang bayad mong ${amount}. Buksan ang app. Kung nagbayad ka, tumawag sa ${phone}.`,
    ({ details: { amount = '' }, phone }) => `We could not confirm ${amount}. If you did pay, call ${phone}.`,
    ({ details: { amount = '' }, phone }) =>
      `Hindi makumpirma ang bayad na ${amount}. Kung nagbayad ka, tumawag sa ${phone}.`,
  ),
  payment_reversed: words(
    ({ details: { amount = '', receipt = '', bounced }, phone }) =>
      bounced
        ? `Your cheque for ${amount} did not clear. No fee is added. Please pay in another way, or call ${phone}.`
        : `Your payment of ${amount} (receipt ${receipt}) was reversed. Not right? Call ${phone}.`,
    ({ details: { amount = '', receipt = '', bounced }, phone }) =>
      bounced
        ? `Hindi na-clear ang tsekeng ${amount}. Walang dagdag na singil. Magbayad sa ibang paraan o tumawag sa ${phone}.`
        : `Binawi ang bayad mong ${amount} (resibo ${receipt}). Hindi tama? Tumawag sa ${phone}.`,
  ),
  credit_refunded: words(
    ({ details: { amount = '' }, phone }) =>
      `${amount} was given back to you in cash. You did not get it? Call ${phone} at once.`,
    ({ details: { amount = '' }, phone }) =>
      `Ibinalik sa iyo ang ${amount} na cash. Hindi mo natanggap? Tumawag agad sa ${phone}.`,
  ),
  balance_changed: words(
    ({ details: { amount, change }, phone }) =>
      amount && change
        ? `${amount} was ${change === 'taken' ? 'taken out of' : 'added to'} your wallet. Open the app. Questions? Call ${phone}.`
        : `Your wallet balance was changed. Open the app. Questions? Call ${phone}.`,
    ({ details: { amount, change }, phone }) =>
      amount && change
        ? `${change === 'taken' ? 'Nabawasan' : 'Nadagdagan'} ng ${amount} ang wallet mo. Buksan ang app. May tanong? Tumawag sa ${phone}.`
        : `Nagbago ang balance ng wallet mo. Buksan ang app. May tanong? Tumawag sa ${phone}.`,
  ),
  loan_paid_off: words(
    () => 'Your loan is paid off. Thank you! Your clearance certificate is in the app.',
    () => 'Bayad na nang buo ang loan mo. Salamat! Nasa app ang clearance certificate mo.',
  ),

  loan_terms_changed: words(
    () => 'Your loan terms were changed. Open the app to read your new contract and accept it.',
    () => 'Nagbago ang terms ng loan mo. Buksan ang app para basahin at tanggapin ang bagong kontrata.',
  ),
  instalments_deferred: words(
    ({ details: { months = '' } }) =>
      `You have more time to pay: unpaid instalments were moved by ${months} ${months === '1' ? 'month' : 'months'}, at no cost. Open the app.`,
    ({ details: { months = '' } }) =>
      `May dagdag kang panahon: iniurong nang ${counted(Number(months))} buwan ang mga hulog, nang walang dagdag na singil. Buksan ang app.`,
  ),
  loan_written_off: words(
    () => 'There are no further late charges on your loan. What you still owe is in the app.',
    () => 'Wala nang dagdag na multa sa loan mo. Nasa app ang natitira mong babayaran.',
  ),
  complaint_answered: words(
    () => 'We answered your complaint. Open the app to read it.',
    () => 'Sinagot namin ang reklamo mo. Buksan ang app para mabasa ito.',
  ),
  loan_update: inTheApp,

  due_in: words(
    ({ details, details: { amount = '', due = '' } }) =>
      `${amount} on ${onLoans(details)} is due on ${due}. Open the app to see how to pay.`,
    ({ details, details: { amount = '', due = '' } }) =>
      `May babayaran kang ${amount} sa ${due} para sa ${saLoans(details)}. Buksan ang app para magbayad.`,
  ),
  due_today: words(
    ({ details, details: { amount = '' } }) =>
      `${amount} on ${onLoans(details)} is due today. Open the app to see how to pay.`,
    ({ details, details: { amount = '' } }) =>
      `May babayaran kang ${amount} ngayong araw para sa ${saLoans(details)}. Buksan ang app para magbayad.`,
  ),
  overdue: words(
    ({ details, details: { amount = '', due = '' }, phone }) =>
      `${amount} on ${onLoans(details)} was due by ${due}. Open the app to pay. Already paid or need help? Call ${phone}.`,
    ({ details, details: { amount = '', due = '' }, phone }) =>
      `Hindi pa namin natatanggap ang ${amount} para sa ${saLoans(details)} na due noong ${due}. Magbayad sa app. Bayad na o may tanong? Tumawag: ${phone}.`,
    ({ details: { amount = '', due = '' }, phone }) =>
      `${amount} was due by ${due}. Open the app to pay. Already paid or need help? Call ${phone}.`,
    ({ details: { amount = '', due = '' }, phone }) =>
      `Hindi pa namin natatanggap ang ${amount} na due noong ${due}. Bayad na o may tanong? Tumawag: ${phone}.`,
  ),

  trial: words(
    () => 'This is a trial message. If you can read it, messages reach you.',
    () => 'Pagsubok na mensahe ito. Kung nababasa mo ito, umaabot ang mga mensahe.',
  ),
};

function wordsOf(kind: MessageKind, { statusCode, status = '' }: Details): Words {
  const code = statusCode ?? status;
  if (kind === 'loan_status_changed') return decisions[deniedToo[code] ?? code] ?? inTheApp;
  if (kind === 'withdrawal_status_changed') return withdrawals[code] ?? inTheApp;
  return sentences[kind];
}

/** Subjects say what an e-mail is about, and nothing of its content: they are shown on locked screens. */
const subjects = {
  code: { en: 'your code', fil: 'ang code mo' },
  access: { en: 'about your account', fil: 'tungkol sa account mo' },
  money: { en: 'about your money', fil: 'tungkol sa pera mo' },
  news: { en: 'news about your loan', fil: 'balita tungkol sa loan mo' },
  reminder: { en: 'payment reminder', fil: 'paalala sa pagbabayad' },
} as const;

type Sender = { name: string; phone: string; company: string; address: string };

type Written = {
  kind: MessageKind;
  purpose: keyof typeof subjects;
  channel: MessageChannel;
  language: DateLanguage;
  details: Details | null;
  code?: string | undefined;
};

/** Subject and text of a message, as the gateway gets them. */
export function writeMessage(
  { kind, purpose, channel, language, details, code = '' }: Written,
  sender: Sender,
): { subject: string; text: string } {
  const { name, phone } = sender;
  const filling = { details: details ?? {}, code, phone, channel };
  const { en, fil, shortEn = en, shortFil = fil } = wordsOf(kind, filling.details);
  const inFilipino = language === 'fil';
  const say = (sentence: Sentence) => {
    const words = sentence(filling);
    return gsmText(inFilipino ? monthsInFilipino(words) : words);
  };
  const begun = (words: string) => `${gsmText(name)}: ${words}`;
  const whole = say(inFilipino ? fil : en);
  const isLong = begun(whole).length > smsMaxLength;
  const words = channel === 'sms' && isLong ? say(inFilipino ? shortFil : shortEn) : whole;
  if (channel === 'sms') return { subject: '', text: begun(words) };
  const signature = `--\n${sender.company}\n${sender.address}\n`;
  return { subject: `${name}: ${subjects[purpose][language]}`, text: `${words}\n\n${signature}` };
}
