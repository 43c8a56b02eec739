/** Panel wording of matching a statement. See `panel-words.ts`. */

export const statement = {
  open: 'Match a statement',
  title: 'Match a statement',
  text: 'Finds the payments behind the credits of a wallet or a bank. Nothing is booked until you confirm it.',
  file: 'Statement (CSV)',
  choose: 'Choose a file',
  fileHint:
    'As the wallet or the bank exports it. Lines that match nothing are not kept, nor is what the payer wrote.',
  channel: 'Came in through',
  account: 'Account',
  accountHint: 'The lender’s own. Lines are remembered by it.',
  columnsTitle: 'Columns',
  columnsText: 'Chosen once: files with the same heads are read like this from now on.',
  columns: { date: 'Day', amount: 'Credit', reference: 'Reference', text: 'Text' },
  columnHints: {
    date: 'The day of the credit',
    amount: 'The credits, or one column with signs',
    reference: 'The number of the transfer',
    text: 'What the payer wrote',
  },
  noColumn: 'None',
  nameless: (place: number) => `Column ${place}`,
  order: 'Days are written',
  orders: { day: 'Day first: 28/11/2026', month: 'Month first: 11/28/2026' },
  orderUnknown: 'Choose what comes first',
  orderHint: 'No day of this file is after the twelfth, so it does not say.',
  credits: (count: number, amount: string) =>
    count === 1 ? `1 credit of ${amount}` : `${count.toLocaleString('en')} credits, ${amount} together`,
  span: (from: string, to: string) => (from === to ? from : `${from} to ${to}`),
  debits: (count: number) =>
    count === 1
      ? '1 other line, such as a debit, is left out.'
      : `${count.toLocaleString('en')} other lines, such as debits, are left out.`,
  unread: (lines: readonly number[], more: number) =>
    `No day or amount can be read in ${lines.length + more === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}: left out.`,
  noCredits: 'No credits are found with these columns.',
  tooMany: (most: number) => `A statement may have ${most.toLocaleString('en')} credits. Split this file.`,
  match: (count: number) => (count === 1 ? 'Match 1 credit' : `Match ${count.toLocaleString('en')} credits`),
  faults: {
    spreadsheet: 'This is a spreadsheet. Save it as CSV first.',
    tooLarge: 'This file is larger than a statement should be.',
    quotes: (line: number) => `The quotes of line ${line} do not close.`,
    empty: 'This file has no lines.',
    unreadable: 'This file cannot be read.',
  },
  failedToMatch: 'The statement was not matched',
  matches: { matched: 'Matched', perhaps: 'Perhaps', known: 'Known', unknown: 'Unknown' },
  all: 'All lines',
  heads: {
    line: 'Line',
    date: 'Day',
    amount: 'Amount',
    reference: 'Reference and text',
    match: 'Match',
    next: 'Loan account',
  },
  notes: {
    payment: 'a payment that waits',
    loan: 'a loan’s number, and what is due',
    known: 'counted already',
    amount_differs: 'the amount differs',
    several_candidates: 'several match',
    reference_wanted: 'no reference to record it with',
  },
  look: 'Look and book',
  failedToLook: 'The loan could not be read',
  paymentGone: 'The payment is not there any more.',
  amountSent: (line: string, sent: string) =>
    `${line} came in on the statement; the payment with this reference is of ${sent}.`,
  amountDue: (line: string, due: string, next: string) =>
    `${line} came in on the statement; ${due} is due on this loan now, and its next instalment is ${next}.`,
  more: (count: number) => `Show ${count.toLocaleString('en')} more`,
  none: 'There are no lines of this kind.',
  confirm: (count: number) => `Confirm the matched (${count.toLocaleString('en')})`,
  confirmText:
    'Each line is treated as if you did it by hand, under the same rules: a payment that waits is confirmed; one that nobody sent is recorded with its day, and waits for a second person.',
  cashierMissing: 'Statements are matched by staff with the cashier role.',
  approverMissing:
    'You don’t have the approver role, so lines with a payment that a borrower sent will be refused: an approver confirms them. What nobody sent is recorded, and waits for a second person.',
  progress: (done: number, of: number) => `${done.toLocaleString('en')} of ${of.toLocaleString('en')} lines`,
  progressLabel: 'Lines confirmed',
  outcomes: {
    confirmed: 'Confirmed',
    waiting: 'Waits for a second person',
    known: 'Known',
    refused: 'Refused',
  },
  sums: {
    confirmed: (count: number) => `${count.toLocaleString('en')} confirmed`,
    waiting: (count: number) => `${count.toLocaleString('en')} for a second person`,
    known: (count: number) => `${count.toLocaleString('en')} known already`,
    refused: (count: number) => `${count.toLocaleString('en')} refused`,
  },
  done: 'Done',
  stopped: 'The rest was not confirmed',
  stoppedText: 'Press the button again to go on. Nothing is booked twice.',
  another: 'Another file',
  /** Why a line was refused; another reason is seen where one does it by hand. */
  refusals: {
    role_missing: 'an approver confirms it',
    own_request: 'somebody else has to confirm it',
    payment_known: 'its reference is on another payment',
    payment_final: 'the payment was decided otherwise',
    not_disbursed: 'the loan is not released',
    reference_wanted: 'no reference to record it with',
    not_matched: 'it is not matched',
    validation_failed: 'its day or amount does not fit the loan or the channel',
  },
  otherRefusal: 'see the loan account',
};
