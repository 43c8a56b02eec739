import { denialReasons } from './denial-reasons.ts';
import { commonHeads, titles } from './panel-every-page.ts';

/** The borrowing list and its dialogs. See `panel.ts`. */
export const loans = {
  title: titles.borrowing,
  search: 'Search loans',
  none: 'No loan applications found',
  noneText: 'Loan applications will appear here for your decision.',
  rows: { one: 'loan', many: 'loans' },
  columns: {
    ...commonHeads,
    term: 'Term',
    rate: 'Rate',
    monthly: 'Monthly',
    applied: 'Applied',
    purpose: 'Purpose',
    share: 'Of salary',
    papers: 'Papers',
    waiting: 'Waiting',
    waitingSince: 'Waiting since',
    pastDue: 'Days past due',
  },
  appliedIn: (month: string, outcome: string) =>
    [`Applied for in ${month}`, outcome].filter(Boolean).join(', '),
  showEvery: 'Show all loans',
  counters: { decide: 'To decide', release: 'To release', overdue: 'Overdue', open: 'Open', all: 'All' },
  nothingOverdue: 'Nothing overdue',
  anyDays: 'Any days past due',
  atLeastDays: (days: string) => `${days}+ days past due`,
  dueFrom: 'Due from',
  dueTo: 'to',
  overdueDays: (days: number) => (days === 1 ? 'Overdue 1 day' : `Overdue ${days} days`),
  papersDone: 'Complete',
  papersMissing: 'Incomplete',
  waitingDays: (days: number) => (days < 1 ? 'today' : days === 1 ? '1 day' : `${days} days`),
  months: (count: number) => `${count} mo`,
  unagreed: 'terms not agreed',
  unagreedFilter: 'Terms not agreed',
  agreedAfter: 'agreed after staff changed the sign-in',
  releasedOn: (date: string) => `Released ${date}`,
  updateStatus: 'Update status',
  deleteTitle: (loanNumber: string, name: string) => `Delete loan ${loanNumber} of ${name}?`,
  deleteText: (amount: string) =>
    `The loan of ${amount} disappears from every list, including the member's, and they are notified. It stays in the audit log. No money moves. Once a loan is approved, only the main admin can delete it.`,
  deleted: (loanNumber: string) => `Loan ${loanNumber} deleted.`,
};

export const loanDecision = {
  aMonth: 'a month',
  ofSalary: (share: number) => (share > 100 ? `${(share / 100).toFixed(1)} × salary` : `${share}% of salary`),
  salary: (salary: string) => `Salary ${salary}`,
  noSalary: 'No salary given',
  applied: (day: string, days: number) =>
    days < 1 ? 'applied today' : `applied ${day}, waiting ${days === 1 ? '1 day' : `${days} days`}`,
  before: 'Before you approve',
  checked: 'Checked: ',
  open: 'Open: ',
  checks: {
    isActivated: ['The account is activated', 'The account waits to be activated'],
    isVerified: ['Profile and photos are complete', 'The profile or the photos are not complete'],
    isOtherReference: [
      'The reference person has a number of their own',
      'The reference person has the borrower’s own number',
    ],
  },
  salaryShare: (share: number | undefined) =>
    share === undefined ? 'No salary is given' : `The instalment is ${share}% of the salary`,
  undecided: (loanNumbers: readonly string[]) =>
    loanNumbers.length === 0
      ? 'No other application waits'
      : `${loanNumbers.join(', ')} ${loanNumbers.length === 1 ? 'waits' : 'wait'} for a decision too`,
  overdue: (loanNumbers: readonly string[]) =>
    loanNumbers.length === 0
      ? 'Nothing is overdue'
      : `${loanNumbers.join(', ')} ${loanNumbers.length === 1 ? 'is' : 'are'} overdue`,
  notChecked: 'The checks could not be loaded',
  approveTitle: (loanNumber: string) => `Approve ${loanNumber} all the same?`,
  reference: 'Reference person',
  band: 'Credit',
  deny: 'Deny',
  denyTitle: (loanNumber: string) => `Deny ${loanNumber}?`,
  theyRead: 'The borrower reads',
  reason: 'Reason',
  reasonNote: 'The denial stays on the loan, with its reason, your name and the day.',
  chooseReason: 'Choose a reason',
  reasons: Object.keys(denialReasons),
  otherReason: 'Another reason',
  ownWords: 'In your words',
  reasonMissing: 'Choose the reason that the borrower will read',
  ownWordsMissing: 'Write the reason that the borrower will read',
  keys: 'In a row, J and K go to the next and the one before. A approves and D denies, after a question.',
  askApprove: (loanNumber: string) => `Approve ${loanNumber}?`,
  nothingOpen: (instalment: string) => `Nothing speaks against it. The instalment is ${instalment} a month.`,
};

export const memberLoans = {
  all: 'Loans',
  earlier: 'Earlier loans',
  failed: 'They could not be loaded',
  none: 'None',
};

export const loanStatus = {
  title: 'Update Loan Status',
  of: ({ loanNumber, name, amount }: { loanNumber: string; name: string; amount: string }) =>
    `${loanNumber} of ${name}, ${amount}`,
  custom: { label: 'Custom status', hint: 'Kept for this visit. Saving uses what you type here.' },
  add: 'Add status',
  reason: { label: 'Reason for the borrower (optional)', hint: 'Included in their message, in your words.' },
  note: 'The member will be notified. No money moves: once it is approved, release the loan from its details.',
  outTitle: (status: string) => `The money is paid out. Set this loan to ${status}?`,
  outText: (release: string | undefined) =>
    `${release ? `The borrower received ${release}` : 'The loan is active: the borrower has the money'}. They will be told it was not approved, and they keep the money until you correct the balance.`,
  outConfirm: (status: string) => `Set to ${status}`,
  disbursed: 'The loan is released. Its account sets Completed; for the others, cancel the release first.',
  saved: (loanNumber: string, status: string) => `Loan ${loanNumber}: ${status}.`,
  same: 'now',
  changed: (status: string) =>
    `The loan is now ${status}. Nothing is saved yet: save again to replace that with your choice.`,
};

export const loanEdit = {
  title: 'Edit loan',
  term: 'Term (months)',
  payment: 'Monthly payment',
  total: 'Total to repay',
  note: 'Saving creates a new, dated version of the contract and notifies the member. The loan cannot be released until they accept it in the app.',
  rateNote: (percent: string) => `At this loan’s rate of ${percent}% a month.`,
  saved: (loanNumber: string, payment: string) => `Loan ${loanNumber} is now ${payment} a month.`,
};

export const notify = {
  title: 'Notify',
  of: (name: string) => `A message to ${name}, shown first in their wallet.`,
  subject: 'Title',
  message: 'Message',
  send: 'Send',
  sent: (name: string) => `Sent to ${name}.`,
  about: (loanNumber: string) => `About your loan ${loanNumber}`,
  alsoSend: 'Also by text or e-mail that there is a new message; never what it says',
  isAttempt: 'This message counts as an attempt to reach the borrower, as a call does.',
};

export const loanPanel = {
  terms: 'Term and rate',
  termsText: (months: number, percent: string) => `${months} months at ${percent}% a month`,
  released: 'Released',
  reason: 'Why, as the borrower read it',
  noReason: 'No reason was given.',
  decided: 'Decided',
  denials: 'Denied before',
  decidedBy: (name: string, moment: string) => `by ${name}, ${moment}`,
  decidedText: (status: string, name: string, moment: string) => `${status} by ${name}, ${moment}.`,
  unagreedText:
    'Staff changed these terms. The borrower can accept them in the app; until then the loan cannot be released.',
  releaseNext: 'Approved. The next step is to release the money.',
};
