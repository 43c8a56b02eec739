import type { PaymentChannel, PaymentStatus } from '#domain/payment.ts';

export const myLoan = {
  failed: 'Your loan account could not be loaded',
  which: 'Loan',
  /** An overpayment was refunded, and then the payment was reversed. */
  returnWhy: ({ amount, where }: { amount: string; where: 'wallet' | 'cash' | 'both' }) =>
    `Please return ${amount}. We ${{ wallet: 'credited it to your wallet', cash: 'paid it out to you in cash', both: 'gave it to you, in your wallet and in cash,' }[where]} as an overpayment, but that payment was later reversed.`,
  readAt: (moment: string) => `As of ${moment}`,
  after: ({ amount, date }: { amount: string; date: string }) => `Then ${amount} on ${date}`,
  payBy: 'Pay by',
  toTheEnd: 'Remaining instalments',
  noChargeBy: (date: string) => `Pay it in full by ${date}, and no late charge is added.`,
  reference: 'Payment reference',
  payThrough: 'You can pay through',
  payAt: 'Or in cash at',
  askWhere: 'Ask our staff which account to pay into, and give your loan number as the reference:',

  instalments: 'Instalments',
  all: (count: number | string) => `Show all ${count}`,
  fewer: 'Show less',
  leftOf: (amount: string) => `${amount} left`,
  instalment: (number: number) => `Instalment ${number}`,
  began: ({ due, grace }: { due: string; grace: string }) => `Began on ${due}: not paid in full by ${grace}.`,
  chargeOver: 'It no longer grows.',
  lateRule: ({ rate, cap }: { rate: string; cap: string }) =>
    `${rate}% a month of what is unpaid, counted by days, and never more than ${cap}% of the instalment. There is no charge on a charge.`,
  chargesPaid: 'Paid',
  chargesWaived: 'Waived',
  chargesOwed: 'To pay',

  /** The parts of each instalment, and the balance that falls with them. */
  split: {
    title: 'Interest and principal',
    first: ({ interest, principal }: { interest: string; principal: string }) =>
      `Of the first instalment, ${interest} is interest and ${principal} pays back the loan.`,
    next: ({ interest, principal }: { interest: string; principal: string }) =>
      `Of the next instalment, ${interest} is interest and ${principal} pays back the loan.`,
    image: ({ count, from, to, balance }: { count: number; from: string; to: string; balance: string }) =>
      `Over ${count} instalments, the interest in each goes from ${from} to ${to}, and the balance of ${balance} falls to nothing.`,
    interest: 'interest',
    principal: 'principal',
    balance: 'balance of the loan',
    asTable: 'Show as a table',
    columns: { due: 'Due', interest: 'Interest', principal: 'Principal', balance: 'Balance' },
  },

  everything: 'If I pay everything',
  anotherDay: 'Another day',
  payOn: 'Pay everything on',
  days: 'Days from today',
  daysFromToday: (days: number) => (days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`),
  costs: 'It costs',
  saves: 'You save',
  chooseDay: 'Choose a day to see what it costs.',
  insteadOfAll: (amount: string) => `Instead of ${amount}:`,
  coolingOff: (days: number) => `Within ${days} days of the release, you pay back only what you received.`,
  tellStaff: 'Before you pay, tell our staff that it is for the whole loan.',
  costFailed: 'We couldn’t work out the amount',
  spoken: ({ date, cost, saved }: { date: string; cost: string; saved: string }) =>
    `${date}: it costs ${cost}${saved && `, you save ${saved}`}`,

  receipts: 'Receipts',
  noReceipts: 'No payments yet',
  noReceiptsText: 'Each payment appears here, and its receipt once the payment counts.',
  downloadReceipt: 'Download receipt',
  paidOn: (date: string) => `Paid on ${date}`,
  channels: {
    cash: 'Cash',
    bank_transfer: 'Bank transfer',
    instapay: 'InstaPay',
    pesonet: 'PESONet',
    gcash: 'GCash',
    maya: 'Maya',
    cheque: 'Cheque',
    wallet: 'From your wallet',
  } satisfies Record<PaymentChannel, string>,
  paymentStatuses: {
    submitted: 'To be confirmed',
    rejected: 'Not confirmed',
    reversed: 'Reversed',
    withdrawn: 'Taken back',
  } satisfies Record<Exclude<PaymentStatus, 'confirmed'>, string>,
  wentTo: 'It went to',
  asPrinted: 'As printed:',
  asCountedToday: 'As counted today:',
  countedAnew: 'A payment of an earlier day was recorded or reversed after this receipt was printed.',
  shares: ({ interest, principal }: { interest: string; principal: string }) =>
    `of which interest ${interest}, principal ${principal}`,
  toInstalment: (number: string) => `instalment ${number}`,
  toInstalments: (range: string) => `instalments ${range}`,
  toLateCharges: 'late charges',
  toCredit: 'overpayment',
  toSettle: 'paying off the loan',

  papers: 'Papers',
  statement: 'Statement',
  statementTable: 'Statement as CSV',
  statementOther: 'Statement in Filipino',
  clearanceOther: 'Certificate in Filipino',

  paidOff: 'Paid off',
  paidOffThanks: 'You owe nothing on this loan any more. Thank you!',
  paidOffOn: (date: string) => `Paid off on ${date}`,
  saved: (amount: string) => `Paying early saved you ${amount}.`,
  cancelled: 'The release of this loan was cancelled',
  cancelledText: 'The money was taken out of your wallet, and you owe nothing on it.',
  notReleased: 'Not released yet',
  notReleasedText: 'Once you have the money, your payments, receipts and what is left appear here.',
  follow: 'Follow your application',
  elsewhere: 'Your payments are not shown here yet',
  elsewhereText: 'Our staff can tell you whether anything is owed. See your schedule for due dates.',
  toSchedule: 'Open the payment schedule',
};
