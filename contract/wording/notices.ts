import { monthsInFilipino } from '#domain/calendar.ts';
import type { KnownLoanStatus } from '#domain/loan.ts';
import { denialReasons } from './denial-reasons.ts';

/**
 * The product's notices to a borrower: words in each language, and the details that fill them. The details are stored
 * with the message, so the app can word it in the reader's language. A browser bundle keeps one language:
 * `scripts/bare-contract.ts`.
 */
type Words = { title: string; message: string };

/** Details that a notice always has, and those it has at times. */
type Details<Always extends string, AtTimes extends string = never> = Record<Always, string> &
  Partial<Record<AtTimes, string>>;

// @__NO_SIDE_EFFECTS__
const filledWith = <Given>(notice: { en: (details: Given) => Words; fil: (details: Given) => Words }) =>
  notice;

type Bilingual<Text, Key extends string = string> = Record<Key, { en: Text; fil: Text }>;

type LoanNews = [title: string, next: string];

const loanNews: Bilingual<LoanNews, Exclude<KnownLoanStatus, 'rejected'>> = {
  pending: {
    en: ['Your loan is under review', 'We’ll let you know either way.'],
    fil: ['Sinusuri ang loan mo', 'Sasabihan ka namin, aprubado man o hindi.'],
  },
  approved: {
    en: ['Your loan is approved', 'Next, our staff will release the money.'],
    fil: ['Aprubado ang loan mo', 'Susunod, ilalabas ng aming staff ang pera.'],
  },
  denied: {
    en: ['Your loan was not approved', 'You may apply again, or ask our staff about it.'],
    fil: [
      'Hindi naaprubahan ang loan mo',
      'Puwede kang mag-apply ulit, o magtanong sa aming staff tungkol dito.',
    ],
  },
  account_issue: {
    en: ['Your account needs attention', 'Please contact our staff so that we can continue.'],
    fil: [
      'May kailangang ayusin sa account mo',
      'Makipag-ugnayan sa aming staff para maituloy ang application.',
    ],
  },
  active: {
    en: ['Your loan is active', 'Its payment schedule is in your profile.'],
    fil: ['Aktibo na ang loan mo', 'Nasa profile mo ang iskedyul ng hulog nito.'],
  },
  completed: {
    en: ['Your loan is closed', 'Our staff can tell you more about it.'],
    fil: ['Sarado na ang loan mo', 'Masasabi ng aming staff ang iba pa tungkol dito.'],
  },
};

/** Undefined for a status that staff made up. */
const loanNewsOf = (statusCode: string) =>
  (loanNews as Bilingual<LoanNews>)[statusCode === 'rejected' ? 'denied' : statusCode];

/** The sentence for each kind of change. */
const balanceNews: Bilingual<(amount?: string) => string> = {
  released: { en: (amount) => `${amount} released`, fil: (amount) => `Nailabas na ang ${amount}` },
  added: {
    en: (amount) => `${amount} added to your wallet`,
    fil: (amount) => `Nadagdagan ng ${amount} ang wallet mo`,
  },
  taken: {
    en: (amount) => `${amount} taken out of your wallet`,
    fil: (amount) => `Nabawasan ng ${amount} ang wallet mo`,
  },
};

const accountNews: Bilingual<string> = {
  active: { en: 'Your account is active', fil: 'Aktibo na ang account mo' },
  pending: { en: 'Your account is being reviewed', fil: 'Sinusuri ang account mo' },
  suspended: { en: 'Your account is suspended', fil: 'Suspendido ang account mo' },
};

const withdrawalNews: Bilingual<string> = {
  approved: { en: 'Your withdrawal is approved', fil: 'Aprubado ang withdrawal mo' },
  completed: { en: 'Your withdrawal was sent', fil: 'Naipadala na ang withdrawal mo' },
  rejected: { en: 'Your withdrawal was not approved', fil: 'Hindi naaprubahan ang withdrawal mo' },
};

const accessParts: Bilingual<string> = {
  password: { en: 'password', fil: 'password' },
  phone: { en: 'phone number', fil: 'numero ng telepono' },
  bank: { en: 'bank details', fil: 'bank details' },
  code: { en: 'one-time code', fil: 'one-time code' },
  balance: { en: 'wallet balance', fil: 'balance sa wallet' },
};

/** Reversed changes, by the kind of their event. */
const takenBack: Bilingual<string> = {
  waiver: { en: 'late charges are not waived after all', fil: 'ibinalik ang tinanggal na multa' },
  deferral: { en: 'the due dates are the earlier ones again', fil: 'bumalik sa dati ang mga petsa ng bayad' },
  write_off: { en: 'it is an open loan again', fil: 'aktibo na ulit ang loan' },
};

const lines = (...sentences: (string | false | undefined)[]) => sentences.filter(Boolean).join('\n');

export const notices = {
  // Older messages have no `change`, `amount` or `statusCode`.
  balance_changed: filledWith<Details<'before' | 'after', 'change' | 'amount' | 'loanNumber'>>({
    en: ({ change = '', amount, loanNumber, before, after }) => ({
      title: balanceNews[change]?.en(amount) ?? 'Your wallet balance was changed',
      message:
        change !== 'released'
          ? before && `From ${before} to ${after}.`
          : `${loanNumber ? `Loan ${loanNumber}: ` : ''}${amount} arrived in your wallet. You can withdraw it.`,
    }),
    fil: ({ change = '', amount, loanNumber, before, after }) => ({
      title: balanceNews[change]?.fil(amount) ?? 'Nagbago ang balance ng wallet mo',
      message:
        change !== 'released'
          ? before && `Mula ${before} naging ${after}.`
          : `${loanNumber ? `Loan ${loanNumber}: pumasok` : 'Pumasok'} sa wallet mo ang ${amount}. Puwede mo itong i-withdraw.`,
    }),
  }),

  otp_set: filledWith<Details<'hours', 'byText'>>({
    en: ({ hours, byText }) => ({
      title: 'A one-time code was set for you',
      message: byText
        ? `We texted it to your phone. It works once, for ${hours} hours. Never give it to anybody, not even our staff.`
        : `Ask our staff for it when you withdraw. It works once, for ${hours} hours.`,
    }),
    fil: ({ hours, byText }) => ({
      title: 'May one-time code na para sa iyo',
      message: byText
        ? `Tinext namin ito sa phone mo. Isang beses lang magagamit, sa loob ng ${hours} oras. Huwag ibigay kaninuman, kahit sa staff.`
        : `Hingin ito sa aming staff kapag magwi-withdraw ka. Isang beses lang magagamit, sa loob ng ${hours} oras.`,
    }),
  }),

  password_set: {
    en: () => ({
      title: 'Our staff set a new password for you',
      message: 'If you did not ask for this, contact us at once.',
    }),
    fil: () => ({
      title: 'Pinalitan ng aming staff ang password mo',
      message: 'Kung hindi mo ito hiniling, makipag-ugnayan agad sa amin.',
    }),
  },

  bank_details_changed: {
    en: () => ({
      title: 'Your bank details were changed',
      message: 'Our staff changed them. If you did not ask for this, contact us at once.',
    }),
    fil: () => ({
      title: 'Binago ang bank details mo',
      message: 'Ang aming staff ang nagbago nito. Kung hindi mo ito hiniling, makipag-ugnayan agad sa amin.',
    }),
  },

  status_changed: filledWith<Details<'status', 'statusCode'>>({
    en: ({ status, statusCode = status }) => ({
      title: accountNews[statusCode]?.en ?? 'Your account status was changed',
      message: `Its status is now: ${status}.`,
    }),
    fil: ({ status, statusCode = status }) => ({
      title: accountNews[statusCode]?.fil ?? 'Nagbago ang status ng account mo',
      message: `Ang status nito ngayon: ${status}.`,
    }),
  }),

  loan_status_changed: filledWith<Details<'loanNumber' | 'status', 'statusCode' | 'reason'>>({
    en: ({ status, statusCode = status, loanNumber, reason }) => ({
      title: loanNewsOf(statusCode)?.en[0] ?? `Your loan: ${status}`,
      message: lines(
        `Loan ${loanNumber}: ${status}.`,
        reason && `Reason: ${reason}`,
        loanNewsOf(statusCode)?.en[1],
      ),
    }),
    fil: ({ status, statusCode = status, loanNumber, reason }) => ({
      title: loanNewsOf(statusCode)?.fil[0] ?? `Ang loan mo: ${status}`,
      message: lines(
        `Loan ${loanNumber}: ${status}.`,
        reason && `Dahilan: ${denialReasons[reason] ?? reason}`,
        loanNewsOf(statusCode)?.fil[1],
      ),
    }),
  }),

  loan_terms_changed: filledWith<
    Details<'loanNumber' | 'amount' | 'termMonths' | 'monthlyPayment' | 'contractOf'>
  >({
    en: ({ loanNumber, amount, termMonths, monthlyPayment }) => ({
      title: 'Your loan terms were changed',
      message: `Loan ${loanNumber}: ${amount} over ${termMonths} months, ${monthlyPayment} a month. Please read the new version of your contract and accept it: we can release the money only after that.`,
    }),
    fil: ({ loanNumber, amount, termMonths, monthlyPayment }) => ({
      title: 'Nagbago ang terms ng loan mo',
      message: `Loan ${loanNumber}: ${amount} sa loob ng ${termMonths} buwan, ${monthlyPayment} bawat buwan. Basahin ang bagong bersyon ng kontrata mo at tanggapin ito: saka lang namin mailalabas ang pera.`,
    }),
  }),

  // `alsoChanged`: codes of `accessParts`, separated by commas.
  withdrawal_status_changed: filledWith<Details<'withdrawalNumber' | 'status', 'statusCode' | 'alsoChanged'>>(
    {
      en: ({ status, statusCode = status, withdrawalNumber, alsoChanged }) => ({
        title: withdrawalNews[statusCode]?.en ?? 'Your withdrawal was updated',
        message: lines(
          `Withdrawal ${withdrawalNumber}: ${status}.`,
          statusCode === 'rejected' && 'The money is back in your wallet.',
          alsoChanged &&
            `The staff member who released it had recently changed your ${alsoChanged
              .split(',')
              .map((part) => accessParts[part]?.en ?? part)
              .join(
                ' and ',
              )} as well, and nobody else was there to check. If something is wrong, contact us at once.`,
        ),
      }),
      fil: ({ status, statusCode = status, withdrawalNumber, alsoChanged }) => ({
        title: withdrawalNews[statusCode]?.fil ?? 'May pagbabago sa withdrawal mo',
        message: lines(
          `Withdrawal ${withdrawalNumber}: ${status}.`,
          statusCode === 'rejected' && 'Ibinalik ang pera sa wallet mo.',
          alsoChanged &&
            `Ang naglabas nito sa aming staff ang siya ring nagbago kamakailan ng iyong ${alsoChanged
              .split(',')
              .map((part) => accessParts[part]?.fil ?? part)
              .join(' at ')}, at walang ibang puwedeng sumuri. Kung may mali, makipag-ugnayan agad sa amin.`,
        ),
      }),
    },
  ),

  loan_disbursed: filledWith<
    Details<'loanNumber' | 'amount' | 'channel' | 'date' | 'firstDueDate' | 'monthlyPayment' | 'contractOf'>
  >({
    en: ({ amount, channel, loanNumber, firstDueDate, monthlyPayment }) => ({
      title:
        channel === 'wallet'
          ? `${amount} arrived in your wallet`
          : channel === 'direct'
            ? `${amount} was sent to you`
            : 'Your loan account is ready',
      message: `Loan ${loanNumber}: the first ${monthlyPayment} is due on ${firstDueDate}. Your contract now has its dates.`,
    }),
    fil: ({ amount, channel, loanNumber, firstDueDate, monthlyPayment }) => ({
      title:
        channel === 'wallet'
          ? `Pumasok sa wallet mo ang ${amount}`
          : channel === 'direct'
            ? `Naipadala na sa iyo ang ${amount}`
            : 'Handa na ang account ng loan mo',
      message: `Loan ${loanNumber}: ang unang ${monthlyPayment} ay babayaran sa ${firstDueDate}. Nasa kontrata mo na ang mga petsa.`,
    }),
  }),

  disbursement_cancelled: filledWith<Details<'loanNumber' | 'amount' | 'reason'>>({
    en: ({ loanNumber, amount, reason }) => ({
      title: 'Your loan release was cancelled',
      message: `${amount} of loan ${loanNumber} was taken out of your wallet, and you owe nothing on it. Reason: ${reason}`,
    }),
    fil: ({ loanNumber, amount, reason }) => ({
      title: 'Kinansela ang paglabas ng loan mo',
      message: `Inalis sa wallet mo ang ${amount} ng loan ${loanNumber}, at wala kang babayaran dito. Dahilan: ${reason}`,
    }),
  }),

  payment_received: filledWith<
    Details<'loanNumber' | 'amount' | 'date' | 'receipt', 'credit' | 'returned' | 'reason' | 'sent' | 'note'>
  >({
    en: ({ amount, loanNumber, date, receipt, credit, returned, reason, sent, note }) => ({
      title: `We received ${amount}`,
      message: lines(
        `Loan ${loanNumber}, paid on ${date}. Receipt ${receipt}.`,
        sent && `You wrote ${sent}.`,
        note && `Our staff say: ${note}`,
        returned && `${returned} of it returns what we had refunded to you.`,
        credit && `${credit} was more than you owe. It is in your wallet.`,
        reason && `Our staff paid it from your wallet. Reason: ${reason}`,
      ),
    }),
    fil: ({ amount, loanNumber, date, receipt, credit, returned, reason, sent, note }) => ({
      title: `Natanggap namin ang ${amount}`,
      message: lines(
        `Loan ${loanNumber}, bayad noong ${date}. Resibo ${receipt}.`,
        sent && `${sent} ang isinulat mo.`,
        note && `Sabi ng aming staff: ${note}`,
        returned && `${returned} nito ang pagbabalik ng na-refund namin sa iyo.`,
        credit && `Sobra ng ${credit} ang bayad mo. Nasa wallet mo na ito.`,
        reason && `Binayaran ito ng aming staff mula sa wallet mo. Dahilan: ${reason}`,
      ),
    }),
  }),

  payment_rejected: filledWith<Details<'loanNumber' | 'amount', 'reason'>>({
    en: ({ amount, loanNumber, reason }) => ({
      title: `We could not confirm your payment of ${amount}`,
      message: `Loan ${loanNumber}.${reason ? ` Reason: ${reason}` : ''}\nIf you did pay, contact us and have your proof at hand.`,
    }),
    fil: ({ amount, loanNumber, reason }) => ({
      title: `Hindi namin makumpirma ang bayad mong ${amount}`,
      message: `Loan ${loanNumber}.${reason ? ` Dahilan: ${reason}` : ''}\nKung nagbayad ka, makipag-ugnayan sa amin at ihanda ang patunay.`,
    }),
  }),

  // `bounced`: the bank returned a cheque.
  payment_reversed: filledWith<Details<'loanNumber' | 'amount' | 'receipt', 'reason' | 'bounced'>>({
    en: ({ amount, loanNumber, receipt, reason, bounced }) =>
      bounced
        ? {
            title: `Your cheque for ${amount} did not clear`,
            message: lines(
              `The bank returned it unpaid, so it no longer counts: receipt ${receipt} of loan ${loanNumber} was reversed.`,
              reason && `Our staff write: ${reason}`,
              'We add no fee for this. Please pay in another way. If this is not right, contact us.',
            ),
          }
        : {
            title: `Your payment of ${amount} was reversed`,
            message: `Receipt ${receipt} of loan ${loanNumber} was reversed.${reason ? ` Reason: ${reason}` : ''}\nIf this is not right, contact us.`,
          },
    fil: ({ amount, loanNumber, receipt, reason, bounced }) =>
      bounced
        ? {
            title: `Hindi na-clear ang tseke mong ${amount}`,
            message: lines(
              `Ibinalik ito ng bangko nang hindi nababayaran, kaya hindi na ito bilang na bayad: binawi ang resibo ${receipt} ng loan ${loanNumber}.`,
              reason && `Sabi ng aming staff: ${reason}`,
              'Wala kaming idinadagdag na singil para dito. Magbayad sa ibang paraan. Kung hindi ito tama, makipag-ugnayan sa amin.',
            ),
          }
        : {
            title: `Binawi ang bayad mong ${amount}`,
            message: `Binawi ang resibo ${receipt} ng loan ${loanNumber}.${reason ? ` Dahilan: ${reason}` : ''}\nKung hindi ito tama, makipag-ugnayan sa amin.`,
          },
  }),

  late_charge_waived: filledWith<Details<'loanNumber' | 'amount' | 'reason'>>({
    en: ({ amount, loanNumber, reason }) => ({
      title: `${amount} in late charges was waived`,
      message: `You don’t have to pay it on loan ${loanNumber}. Reason: ${reason}`,
    }),
    fil: ({ amount, loanNumber, reason }) => ({
      title: `Hindi mo na babayaran ang ${amount} na multa`,
      message: `Tinanggal ito ng aming staff sa loan ${loanNumber}. Dahilan: ${reason}`,
    }),
  }),

  instalments_deferred: filledWith<Details<'loanNumber' | 'months' | 'reason'>>({
    en: ({ loanNumber, months, reason }) => ({
      title: 'You have more time to pay',
      message: `Loan ${loanNumber}: unpaid instalments were moved by ${months} ${months === '1' ? 'month' : 'months'}, at no cost. Reason: ${reason}`,
    }),
    fil: ({ loanNumber, months, reason }) => ({
      title: 'May dagdag kang panahon para magbayad',
      message: `Loan ${loanNumber}: iniurong nang ${months}${/[469]$/.test(months) ? ' na' : ''} buwan ang mga hindi pa bayad na hulog, nang walang dagdag na singil. Dahilan: ${reason}`,
    }),
  }),

  loan_written_off: filledWith<Details<'loanNumber' | 'reason'>>({
    en: ({ loanNumber, reason }) => ({
      title: 'No further late charges on your loan',
      message: `We closed loan ${loanNumber} in our books. You still owe what is left of it, and what you pay counts. Reason: ${reason}`,
    }),
    fil: ({ loanNumber, reason }) => ({
      title: 'Wala nang dagdag na multa sa loan mo',
      message: `Isinara namin ang loan ${loanNumber} sa aming tala. Utang mo pa rin ang natitira, at ibibilang ang bawat bayad mo. Dahilan: ${reason}`,
    }),
  }),

  credit_refunded: filledWith<Details<'loanNumber' | 'amount' | 'reason'>>({
    en: ({ amount, loanNumber, reason }) => ({
      title: `${amount} was given back to you in cash`,
      message: `It was more than you owe on loan ${loanNumber}. Reason: ${reason}\nIf you did not receive it, contact us at once.`,
    }),
    fil: ({ amount, loanNumber, reason }) => ({
      title: `Ibinalik sa iyo ang ${amount} na cash`,
      message: `Sobra ito sa utang mo sa loan ${loanNumber}. Dahilan: ${reason}\nKung hindi mo ito natanggap, makipag-ugnayan agad sa amin.`,
    }),
  }),

  loan_change_reversed: filledWith<Details<'loanNumber' | 'event' | 'reason'>>({
    en: ({ loanNumber, event, reason }) => ({
      title: 'A change to your loan was reversed',
      message: `On loan ${loanNumber}: ${takenBack[event]?.en ?? event}. Reason: ${reason}\nIf you do not know why, contact us.`,
    }),
    fil: ({ loanNumber, event, reason }) => ({
      title: 'Binawi ang isang pagbabago sa loan mo',
      message: `Sa loan ${loanNumber}: ${takenBack[event]?.fil ?? event}. Dahilan: ${reason}\nKung hindi mo alam kung bakit, makipag-ugnayan sa amin.`,
    }),
  }),

  loan_paid_off: filledWith<Details<'loanNumber'>>({
    en: ({ loanNumber }) => ({
      title: 'Your loan is paid off. Thank you!',
      message: `You owe nothing on loan ${loanNumber} any more. Your clearance certificate is under My loan.`,
    }),
    fil: ({ loanNumber }) => ({
      title: 'Bayad na ang loan mo. Salamat!',
      message: `Wala ka nang utang sa loan ${loanNumber}. Nasa “Ang loan ko” ang clearance certificate mo.`,
    }),
  }),

  loan_deleted: filledWith<Details<'loanNumber', 'contractOf'>>({
    en: ({ loanNumber, contractOf }) => ({
      title: 'Your loan record was deleted',
      message: `Loan ${loanNumber} was deleted by our staff. ${contractOf ? 'Your contract stays readable here.' : 'You may apply again.'} If you do not know why, contact us.`,
    }),
    fil: ({ loanNumber, contractOf }) => ({
      title: 'Binura ang tala ng loan mo',
      message: `Binura ng aming staff ang loan ${loanNumber}. ${contractOf ? 'Mababasa mo pa rin dito ang kontrata mo.' : 'Puwede kang mag-apply ulit.'} Kung hindi mo alam kung bakit, makipag-ugnayan sa amin.`,
    }),
  }),

  phone_changed: {
    en: () => ({
      title: 'Your phone number was changed',
      message:
        'Our staff changed the number that you sign in with. If you did not ask for this, contact us at once.',
    }),
    fil: () => ({
      title: 'Pinalitan ang numero ng telepono mo',
      message:
        'Pinalitan ng aming staff ang numerong ginagamit mo sa pag-sign in. Kung hindi mo ito hiniling, makipag-ugnayan agad sa amin.',
    }),
  },

  phone_confirmed: {
    en: () => ({
      title: 'Our staff confirmed your phone for messages',
      message: 'Messages about your account also go to it by text. If it is not yours, contact us at once.',
    }),
    fil: () => ({
      title: 'Kinumpirma ng aming staff ang phone mo para sa mga mensahe',
      message:
        'Tinetext din dito ang mga mensahe tungkol sa account mo. Kung hindi ito sa iyo, makipag-ugnayan agad sa amin.',
    }),
  },

  withdrawals_held: filledWith<Details<'days'>>({
    en: ({ days }) => ({
      title: 'Our staff check your withdrawals first',
      message: `Your bank details and your password were changed within a short time. For ${days} days our staff look at each withdrawal before money goes out. If it was not you, contact us at once.`,
    }),
    fil: ({ days }) => ({
      title: 'Susuriin muna ng aming staff ang mga withdrawal mo',
      message: `Nabago ang bank details at password mo sa loob ng maikling panahon. Sa loob ng ${days} araw, titingnan ng aming staff ang bawat withdrawal bago ilabas ang pera. Kung hindi ikaw ang gumawa nito, makipag-ugnayan agad sa amin.`,
    }),
  }),

  complaint_answered: filledWith<Details<'message'>>({
    en: ({ message }) => ({ title: 'We answered your complaint', message }),
    fil: ({ message }) => ({ title: 'Sinagot namin ang reklamo mo', message }),
  }),

  complaint_updated: filledWith<Details<'status'>>({
    en: ({ status }) =>
      status === 'resolved'
        ? {
            title: 'Your complaint is settled',
            message: 'What we wrote about it is under Help. If you see it differently, open a new one.',
          }
        : { title: 'We have your complaint', message: 'We are looking into it. You find it under Help.' },
    fil: ({ status }) =>
      status === 'resolved'
        ? {
            title: 'Naayos na ang reklamo mo',
            message: 'Nasa Tulong ang isinulat namin tungkol dito. Kung iba ang tingin mo, magbukas ng bago.',
          }
        : {
            title: 'Natanggap namin ang reklamo mo',
            message: 'Inaalam na namin ito. Makikita mo ito sa Tulong.',
          },
  }),

  deletion_requested: {
    en: () => ({
      title: 'We received your request for deletion',
      message:
        'Our staff look at it. Until they close your account everything works as before, and you can take the request back.',
    }),
    fil: () => ({
      title: 'Natanggap namin ang hiling mo na burahin ang datos mo',
      message:
        'Titingnan ito ng aming staff. Hangga’t hindi pa nila naisasara ang account mo, gumagana ang lahat gaya ng dati, at puwede mong bawiin ang hiling.',
    }),
  },

  deletion_withdrawn: {
    en: () => ({
      title: 'You took back your request for deletion',
      message: 'Your account stays as it is.',
    }),
    fil: () => ({
      title: 'Binawi mo ang hiling na burahin ang datos mo',
      message: 'Mananatili ang account mo.',
    }),
  },
};

export type NoticeKind = keyof typeof notices;

type NoticeWords = { [Kind in NoticeKind]: (typeof notices)[Kind]['en'] };

export type NoticeDetails<Kind extends NoticeKind> = Parameters<NoticeWords[Kind]>;

/** `details` are those stored with a notice of this kind. */
export const wordNotice = (words: NoticeWords, kind: NoticeKind, details: object): Words =>
  words[kind](details as never);

// @__NO_SIDE_EFFECTS__
export const noticesIn = (language: 'en' | 'fil') =>
  Object.fromEntries(
    Object.entries(notices).map(([kind, row]) => [
      kind,
      language === 'en' ? row.en : (details: never) => inFilipino(row.fil(details)),
    ]),
  ) as NoticeWords;

const inFilipino = ({ title, message }: Words): Words => ({ title, message: monthsInFilipino(message) });
