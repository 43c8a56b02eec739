import type { PaymentChannel, PaymentStatus } from '#domain/servicing.ts';

export const myLoan = {
  myLoan: {
    failed: 'Your loan account could not be loaded',
    which: 'Loan',

    next: 'Next payment',
    dueOn: (date: string) => `Due on ${date}`,
    dueToday: 'Due today',
    dueSince: (date: string) => `Due since ${date}`,
    dueNow: 'Due now',
    daysLeft: (days: number) => (days === 1 ? 'tomorrow' : `in ${days} days`),
    daysAgo: (days: number) => (days === 1 ? 'since yesterday' : `for ${days} days`),
    noChargeBy: (date: string) => `Pay it in full by ${date}, and no late charge is added.`,
    stopCharge:
      'Once it is paid, no more late charges are added. If you cannot pay all of it now, pay a part or talk to us: every peso counts from the day you pay.',
    parts: {
      due: 'Instalments due',
      toTheEnd: 'Remaining instalments',
      lateCharges: 'Late charges',
      toReturn: 'Refund to return',
    },
    /** An overpayment was refunded, and then the payment was reversed. */
    returnWhy: ({ amount, where }: { amount: string; where: 'wallet' | 'cash' | 'both' }) =>
      `Please return ${amount}. We ${{ wallet: 'credited it to your wallet', cash: 'paid it out to you in cash', both: 'gave it to you, in your wallet and in cash,' }[where]} as an overpayment, but that payment was later reversed.`,
    readAt: ({ date, time }: { date: string; time: string }) => `As of ${date}, ${time}`,
    after: ({ amount, date }: { amount: string; date: string }) => `Then ${amount} on ${date}`,
    writtenOff: 'No more late charges are added. You still owe what is left, and whatever you pay counts.',

    howToPay: 'How to pay',
    payBy: 'Pay by',
    reference: 'Payment reference',
    payThrough: 'You can pay through',
    payAt: 'Or in cash at',
    askWhere: 'Ask our staff which account to pay into, and give your loan number as the reference:',
    keepProof:
      'Keep the proof of payment. The day you pay counts, even when our staff record it later. Your receipt then appears on this page.',

    paidOf: ({ paid, total }: { paid: string; total: string }) => `${paid} of ${total} paid`,
    countPaid: (paid: number, count: number) => `${paid} of ${count} instalments`,

    instalments: 'Instalments',
    all: (count: number | string) => `Show all ${count}`,
    fewer: 'Show less',
    leftOf: (amount: string) => `${amount} left`,

    lateCharges: 'Late charges',
    instalment: (number: number) => `Instalment ${number}`,
    began: ({ due, grace }: { due: string; grace: string }) =>
      `Began on ${due}: not paid in full by ${grace}.`,
    chargeOver: 'It no longer grows.',
    lateRule: ({ rate, cap }: { rate: string; cap: string }) =>
      `${rate}% a month of what is unpaid, counted by days, and never more than ${cap}% of the instalment. There is no charge on a charge.`,
    chargesPaid: 'Paid',
    chargesWaived: 'Waived',
    chargesOwed: 'To pay',

    everything: 'If I pay everything',
    everythingLead: 'There is no fee for paying early.',
    payOn: 'Pay everything on',
    payOnHint: (last: string) => `From today to ${last}`,
    days: 'Days from today',
    daysFromToday: (days: number) => (days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`),
    costs: 'It costs',
    saves: 'You save',
    chooseDay: 'Choose a day to see what it costs.',
    insteadOfAll: (amount: string) => `Instead of ${amount}:`,
    instead: (amount: string) => `Instead of ${amount}, the total of your remaining instalments.`,
    coolingOff: (days: number) => `Within ${days} days of the release, you pay back only what you received.`,
    tellStaff: 'Before you pay, tell our staff that it is for the whole loan.',
    costFailed: 'We couldn’t work out the amount',
    spoken: ({ date, cost, saved }: { date: string; cost: string; saved: string }) =>
      `${date}: it costs ${cost}${saved && `, you save ${saved}`}`,

    receipts: 'Receipts',
    noReceipts: 'No payments yet',
    noReceiptsText: 'Each payment appears here with its receipt, once our staff have recorded it.',
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
      submitted: 'Being checked',
      rejected: 'Not confirmed',
      reversed: 'Reversed',
      withdrawn: 'Cancelled by you',
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
    clearance: 'Clearance certificate',
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
  },
};
