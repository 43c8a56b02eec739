import { limits } from '#domain/limits.ts';
import type { StaffRole } from '#domain/member.ts';
import { centavos, formatWholePeso } from '#domain/money.ts';
import type { PaymentStatus } from '#domain/payment.ts';
import type {
  ApprovalOutcome,
  LoanEventChannel,
  LoanEventKind,
  LoanState,
  LoanStepKind,
} from '#domain/servicing.ts';
import { contract } from './en-contract.ts';
import { myLoan } from './en-my-loan.ts';
import { commonHeads, titles } from './panel-every-page.ts';

const alone = (most: number) => formatWholePeso(centavos(most));

const takesTwo = [
  'releases',
  'deferrals',
  'reversals',
  'write-offs',
  'cash refunds',
  'payments that staff take from a wallet',
  `waivers above ${alone(limits.waiverAloneMaxCentavos)}`,
  `cash above ${alone(limits.cashAloneMaxCentavos)}`,
  `payments that settle a loan or leave more than ${alone(limits.creditAloneMaxCentavos)} of credit`,
  `more than ${alone(limits.cashAloneMaxCentavos)} of borrowers’ own payments on a loan in a day`,
  `more than ${alone(limits.confirmedAloneADayMaxCentavos)} that one person confirms and waives in a day`,
  `more than ${alone(limits.cashAloneADayMaxCentavos)} of cash that one person takes in a day`,
  `anything dated more than ${limits.valueDateAloneDays} days back`,
].join(', ');

/** Shared by the screens below. */
export const servicing = {
  states: {
    not_disbursed: 'Not released',
    open: 'Open',
    overdue: 'Overdue',
    settled: 'Settled early',
    completed: 'Paid in full',
    written_off: 'Written off',
    cancelled: 'Release cancelled',
  } satisfies Record<LoanState, string>,
  rowStates: contract.papers.rowStatuses,
  paymentStatuses: {
    submitted: 'To confirm',
    confirmed: 'Confirmed',
    rejected: 'Rejected',
    reversed: 'Reversed',
    withdrawn: 'Withdrawn',
  } satisfies Record<PaymentStatus, string>,
  channels: {
    ...myLoan.channels,
    wallet: 'Borrower’s wallet',
    direct: 'Direct',
    recorded: 'Recorded',
  } satisfies Record<LoanEventChannel, string>,
  kinds: {
    disbursement: 'Released',
    cancellation: 'Release cancelled',
    receipt: 'Payment',
    reversal: 'Reversed',
    waiver: 'Late charge waived',
    deferral: 'Instalments deferred',
    refund: 'Credit refunded',
    write_off: 'Written off',
  } satisfies Record<LoanEventKind, string>,
  monthsLater: (count: number) => (count === 1 ? '1 month later' : `${count} months later`),
  openAccount: 'Open loan account',
  by: (name: string) => `by ${name}`,
};

export const loanAccount = {
  terms: (amount: string, months: number, monthly: string) =>
    `${amount} over ${months} months, ${monthly} a month`,
  released: (date: string) => `released ${date}`,
  asOf: 'As of',
  asOfNote: (date: string) => `The loan at the end of ${date}.`,
  asOfAhead: (date: string) => `The loan at the end of ${date} if nothing happens until then.`,
  dayNeeded: (date: string) => `Enter a day from ${date} on to see the figures of that day.`,
  settleDayNeeded: (from: string, to: string) => `Enter a day from ${from} to ${to}.`,
  backToToday: 'Back to today',
  daysPastDue: (count: number) => (count === 1 ? '1 day past due' : `${count} days past due`),
  waiting: (count: number) =>
    count === 1 ? 'A request about this loan is waiting' : `${count} requests about this loan are waiting`,
  waitingText: 'The figures below leave out what still waits.',
  openApprovals: 'Open approvals',
  actions: 'What to do with this loan',
  failed: 'The loan account could not be loaded',
  notReleasedText: 'Once the loan is released, its balance, payments and history appear here.',
  figures: {
    dueNow: 'due now',
    payoff: 'pays everything off',
    overdue: 'of which overdue',
    lateChargesOwed: 'late charges',
    principalLeft: 'principal left',
    next: (date: string) => `next, due ${date}`,
    credit: 'credit',
    writeOffAmount: 'written off',
    rebate: 'interest forgiven',
  },
  refundToReturn: (amount: string) =>
    `${amount} was refunded from a payment that has since been reversed. It is part of what is due.`,
  instalments: 'Instalments',
  showAll: (count: number) => `Show all ${count}`,
  showFewer: 'Show less',
  columns: {
    number: 'No.',
    due: 'Due',
    amount: 'Amount',
    paid: 'Paid',
    left: 'Left',
    late: 'Late charge',
    state: 'Status',
  },
  ofInterest: (interest: string) => `${interest} interest`,
  settlement: 'Settlement',
  settleOn: 'Settle on',
  settleCosts: 'Pays off the whole loan',
  settleSaves: 'Saved by paying early',
  noRebate: 'All instalments and charges',
  ruleOf78: 'By the rule of 78',
  proRataByDays: 'Pro rata by days',
  compared: 'For comparison',
  settlementFailed: 'We couldn’t work out the amount',
  late: 'Late charges',
  lateText: (percent: string, graceDays: number, cap: string) =>
    `${percent}% a month, by days, of what is unpaid; none if paid in full within ${graceDays} days; at most ${cap} for one instalment.`,
  lateSpan: ({ unpaid, from, to }: { unpaid: string; from: string; to: string }) =>
    `${unpaid} unpaid from ${from} to ${to}`,
  lateDue: (date: string, graceEnd: string) => `Due ${date}, free of charge until ${graceEnd}`,
  lateCapped: 'at its limit',
  lateStopped: 'no longer grows',
  lateSum: ({ accrued, paid, waived }: { accrued: string; paid: string; waived: string }) =>
    `${accrued} charged, ${paid} paid, ${waived} waived`,
  timeline: 'Timeline',
  recorded: (moment: string) => `Recorded ${moment}`,
  approvedBy: (name: string) => `approved by ${name}`,
  onePerson: 'one person',
  reversed: 'reversed',
  reverses: (what: string) => `Reverses: ${what}`,
  automatic: 'put into the wallet automatically',
  receipts: 'Receipts',
  noReceipts: 'No payments yet.',
  goesTo: 'Went to',
  asPrinted: 'As printed',
  asCountedToday: 'As counted today',
  receiptPdf: 'Receipt PDF',
  papers: 'Papers',
  statement: 'Statement PDF',
  statementCsv: 'Statement CSV',
  clearance: 'Clearance certificate',
};

/** The parts of a payment's allocation, in one line. */
export const allocation = {
  instalment: (number: string, amount: string) => `${amount} to instalment ${number}`,
  instalments: (range: string, amount: string) => `${amount} to instalments ${range}`,
  lateCharges: (amount: string) => `${amount} to late charges`,
  credit: (amount: string) => `${amount} credit`,
  settles: (amount: string) => `${amount} to settle the loan`,
  interest: (amount: string) => `of which interest ${amount}`,
  principal: (amount: string) => `principal ${amount}`,
  nothing: 'nothing',
};

type Done = Record<'loanNumber' | 'amount' | 'receipt' | 'what', string> & { months: number };

const paid = ({ amount, receipt }: Done) => `${amount} received, receipt ${receipt}.`;

/** Before a loan is released. */
export const release = {
  agreedAfter: 'The terms were agreed to soon after staff changed how the borrower signs in:',
  changed: {
    password: (by: string, at: string) => `${by} set the password, ${at}`,
    phone: (by: string, at: string) => `${by} changed the phone, ${at}`,
  },
  creditedSince: 'The wallet was credited since the loan was approved:',
  credit: ({ amount, by, at }: { amount: string; by: string; at: string }) => `${amount} by ${by}, ${at}`,
};

export const loanStep = {
  of: (loanNumber: string, name: string) => `${loanNumber} of ${name}`,
  waits: 'Waiting for approval',
  waitsText: 'Somebody else has to approve it under Approvals. Nothing has happened yet.',
  toConfirm: 'Waiting to be confirmed',
  toConfirmText: 'It counts once somebody else has confirmed that the money arrived.',
  seen: 'What this does',
  now: 'Now',
  after: 'After',
  unchanged: 'Unchanged',
  figure: (label: string, value: string) => `${label} ${value}`,
  needsInput: 'Fill in the fields above to see what this does.',
  working: 'Working it out…',
  cannot: 'This cannot be done',
  goesTo: 'The payment goes to',
  needsApproval: 'Somebody else has to approve this first.',
  needsConfirmation: 'This is what it does once somebody else has confirmed it.',
  alone: 'This takes two people, and nobody else may decide it. It is done at once and marked “one person”.',
  tells: 'The borrower is told at once.',
  tellsAfterwards: 'The borrower is told once it is done.',
  figures: {
    state: 'Status',
    dueNow: 'Due now',
    overdue: 'Overdue',
    late: 'Late charges owed',
    principal: 'Principal left',
    next: 'Next instalment',
    last: 'Last instalment',
    credit: 'Credit',
    writtenOff: 'Written off',
    rebate: 'Interest forgiven',
    wallet: 'Wallet balance',
  },
  onDate: (amount: string, date: string) => `${amount} on ${date}`,
  amount: 'Amount',
  channel: 'How it was paid',
  reference: { label: 'Reference', hint: 'The number on the receipt, transfer or cheque.' },
  valueDate: 'Date it counts from',
  paidOn: 'Paid on',
  months: 'Months',
  reason: 'Reason',
  reasonHint: 'Kept in the loan’s history.',
  reasonHintTold: 'The borrower reads this.',
  why: 'Why',
  bounced: 'The cheque bounced',
  bouncedHint: 'The borrower is told that the bank returned the cheque, and that we add no fee.',
  anotherReason: 'Another reason',
  note: 'Why the amount is another one',
  doubleOn: 'Same reference on',
  sameCash: (others: string) =>
    `Cash of the same amount is already on this loan: ${others}. Make sure that this is not the same cash.`,
  sameCashOne: (date: string, receipt: string | null) =>
    receipt ? `${receipt} of ${date}` : `a slip of ${date}`,
  sentAmount: 'The borrower wrote',
  told: 'Told the borrower',
  settlement: 'This is meant to pay off the whole loan',
  proof: 'Proof of payment',
  proofHints: {
    choose: 'Choose a photo',
    empty: 'A photo of the slip or a screenshot.',
    uploading: (percent: number) => `Uploading… ${percent}%`,
    ready: 'Photo added',
  },

  release: 'Release loan',
  releaseChannel: 'How the money reaches the borrower',
  releaseChannels: { wallet: 'Into the wallet', direct: 'Paid directly', recorded: 'Paid already' },
  releaseHints: {
    wallet: 'The wallet is credited today, once.',
    direct: 'You send it yourself: bank transfer, cheque or cash. Nothing is put into the wallet.',
    recorded: 'Takes over a loan that was paid out before. No money moves.',
  },
  notActivated: 'The borrower’s account still waits to be activated.',
  releasedOn: 'Released on',
  recordInstead: 'Record it as paid already',
  borrower: 'Borrower',
  gets: 'Gets',
  repays: 'Repays',
  repaysText: (count: number, monthly: string) => `${count} × ${monthly}`,
  firstDue: 'First instalment',
  reads: 'What the borrower will read',
  payment: 'Record payment',
  waiver: 'Waive late charge',
  deferral: 'Defer',
  write_off: 'Write off',
  refund: 'Refund credit',
  cancellation: 'Cancel release',
  reversal: 'Reverse',
  confirm: 'Confirm',
  reverse: 'Reverse',
  /** The titles of dialogs that differ from their button's text. */
  titles: {
    deferral: 'Defer instalments',
    write_off: 'Write off loan',
    confirm: 'Confirm payment',
    reject: 'Reject payment',
    reverse: 'Reverse payment',
  },
  reversalTitle: (what: string) => `Reverse: ${what}`,
  texts: {
    write_off: 'Late charges stop. The debt stays, and what the borrower pays later still counts.',
    refund: 'In cash, from credit that did not go into the wallet.',
    cancellation: 'Takes the whole amount back from the wallet. The loan can be released again.',
    reject: 'It never counts, and its reference may be used again.',
    reverse: 'The receipt keeps its number and is marked as reversed.',
  },
  done: {
    release: ({ loanNumber }: Done) => `Loan ${loanNumber} is released.`,
    payment: paid,
    confirm: paid,
    waiver: ({ amount }: Done) => `${amount} in late charges waived.`,
    deferral: ({ months }: Done) =>
      months === 1 ? 'Unpaid instalments moved by 1 month.' : `Unpaid instalments moved by ${months} months.`,
    write_off: ({ loanNumber }: Done) => `Loan ${loanNumber} written off.`,
    refund: ({ amount }: Done) => `${amount} refunded in cash.`,
    cancellation: ({ loanNumber }: Done) => `The release of loan ${loanNumber} is cancelled.`,
    reversal: ({ what }: Done) => `Reversed: ${what}.`,
    reject: ({ amount }: Done) => `Payment of ${amount} rejected.`,
    reverse: ({ amount }: Done) => `Payment of ${amount} reversed.`,
  },
};

export const payments = {
  title: titles.payments,
  search: 'Search payments',
  none: 'No payments found',
  noneText: 'Payments on released loans appear here, those to be confirmed too.',
  rows: { one: 'payment', many: 'payments' },
  figures: { submitted: 'To confirm', confirmed: 'Confirmed', total: 'All' },
  columns: {
    ...commonHeads,
    reference: 'Reference',
    paidOn: 'Paid on',
    receipt: 'Receipt',
    recorded: 'Recorded',
    reason: 'Reason',
  },
  allChannels: 'All channels',
  /** The filter of a day's report: the day of its receipts, and the person who recorded them. */
  ofReport: (day: string, name: string) =>
    [day && `Received ${day}`, name && `by ${name}`].filter(Boolean).join(' '),
  borrowers: 'the borrowers',
  leaveReport: 'Show all payments',
  overline: 'Payment',
  noProof: 'No photo was added.',
  proofOpen: 'Open the photo',
  inApprovals: 'Waits in Approvals',
  own: 'recorded by you',
  ownRequest: 'You recorded this yourself. Somebody else has to confirm it, if anybody else may.',
  failedToFetch: 'Failed to fetch payments',
};

export const approvals = {
  title: titles.approvals,
  text: 'Requests that need a second person.',
  open: 'Waiting',
  all: 'Include decided',
  none: 'Nothing is waiting',
  noneText: 'When somebody asks for something that takes two people, it appears here.',
  noneEver: 'No requests yet',
  others: 'For somebody else to decide',
  request: (id: number) => `Request ${id}`,
  seen: (id: number) => `What request ${id} does`,
  asks: {
    disbursement: 'Release',
    cancellation: 'Cancellation of a release',
    payment: 'Payment',
    confirmation: 'Confirmation of a payment',
    payment_reversal: 'Reversal of a payment',
    waiver: 'Waiver of late charges',
    deferral: 'Deferral',
    write_off: 'Write-off',
    refund: 'Refund in cash',
    reversal: 'Reversal of a change',
  } satisfies Record<LoanStepKind, string>,
  asked: (name: string, moment: string) => `Asked by ${name}, ${moment}`,
  askedAgo: (days: number) => {
    if (days < 1) return 'asked today';
    return days === 1 ? 'asked yesterday' : `asked ${days} days ago`;
  },
  decline: 'Decline',
  declineTitle: (what: string) => `Decline: ${what}`,
  declineHint: 'The person who asked reads this.',
  withdraw: 'Withdraw',
  withdrawTitle: (what: string) => `Withdraw your request: ${what}?`,
  close: 'Close',
  closeTitle: (what: string) => `Close the request: ${what}?`,
  withdrawText: 'Nothing is done. It can be asked for again.',
  withdrawPaymentText: 'The payment is withdrawn too. Its reference can be used again.',
  own: 'You asked for this, so somebody else has to decide.',
  ownPayment: 'You recorded this payment, so somebody else has to decide.',
  ownBorrower:
    'You have this borrower’s e-mail address, phone or bank account, or had it lately, or changed how they sign in before they agreed to the terms. Somebody else has to decide.',
  ownAlone: 'You asked for this, and nobody else may decide. It will be marked “one person”.',
  noRole: 'You don’t have the approver role; the main admin assigns roles in Settings.',
  decisions: {
    approved: 'Approved',
    rejected: 'Declined',
    withdrawn: 'Withdrawn',
    outdated: 'Out of date',
  } satisfies Record<ApprovalOutcome, string>,
  decided: (name: string, moment: string) => `by ${name}, ${moment}`,
  outdatedText:
    'The loan, the borrower’s details or the role of who asked changed before it was decided. Nothing was done.',
  approvedText: (what: string, loanNumber: string) => `${what}, loan ${loanNumber}: done.`,
  declinedText: (what: string, loanNumber: string) => `${what}, loan ${loanNumber}: nothing was done.`,
  showFigures: 'Show what it does',
  facts: { date: 'Counts from', decisionReason: 'Reason for declining' },
  failed: 'The approvals could not be loaded',
};

/** The roles and what they permit, in Settings. */
export const roles = {
  title: 'Roles',
  may: (roles: string) => `May act as ${roles}`,
  names: {
    encoder: 'Encoder',
    cashier: 'Cashier',
    collector: 'Collector',
    approver: 'Approver',
  } satisfies Record<StaffRole, string>,
  notes: {
    encoder: 'asks for releases, waivers and deferrals',
    cashier: 'takes cash and records payments',
    collector: 'reminds borrowers',
    approver: 'approves what others ask for',
  } satisfies Record<StaffRole, string>,
  none: 'View only',
  twoTitle: (count: number, names: string) =>
    `${['Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'][count - 2] ?? count} people may approve: ${names}`,
  twoText: `These wait for somebody who neither asked nor recorded the payment: ${takesTwo}.`,
  oneTitle: (name: string) => `One person may approve: ${name}`,
  oneText: `What takes two people is done at once and marked “one person”: ${takesTwo}. As soon as somebody else may approve, it waits for them.`,
};
