import { limits } from '#domain/limits.ts';
import type { ApplicationStep, KnownLoanStatus } from '#domain/loan.ts';
import { pesos } from './en-every-page.ts';
import { core } from './en-sign-in.ts';

/** The dashboard. `home` is all that it loads. */
export const home = {
  ...core,

  /** A loan's status and how far its application is; a custom status is shown as staff wrote it. */
  loanStatus: {
    words: {
      pending: 'Pending',
      approved: 'Approved',
      denied: 'Denied',
      account_issue: 'Account issue',
      rejected: 'Rejected',
      active: 'Active',
      completed: 'Completed',
    } satisfies Record<KnownLoanStatus, string>,
    notes: {
      pending: 'Our staff are checking your application.',
      approved: 'Next, our staff will release the money.',
      denied: 'This application was not approved.',
      account_issue: 'We need something from you. Please call our staff.',
      rejected: 'This application was not approved.',
      active: 'The money was released to your wallet.',
      completed: 'This loan is paid in full. Thank you.',
    } satisfies Record<KnownLoanStatus, string>,
    /** A loan that staff set active without a recorded release. */
    activeByHand: 'Our staff can tell you more about this loan.',
    /** A loan that staff set completed without an account here. */
    completedByHand: 'Our staff closed this loan. They can tell you more about it.',
    progress: 'Progress of the application',
    steps: {
      submitted: 'Submitted',
      under_review: 'Under review',
      decision: 'Decision',
      released: 'Released',
    } satisfies Record<ApplicationStep, string>,
    stepStates: { done: 'done', current: 'now', ahead: 'not yet', failed: 'stopped here' },
  },

  dashboard: {
    greeting: 'Magandang araw,',
    refresh: 'Refresh',
    refreshed: 'Your loan and account are up to date.',
    notRefreshed: 'Not everything could be refreshed. See the messages on the page.',
    loanNumber: (loanNumber: string) => `Loan ${loanNumber}`,
    /** After the amount. */
    isApproved: 'is approved.',
    loanTerms: (months: number, monthlyPayment: string) =>
      `${months} months\u00a0· ${monthlyPayment} a month`,
    left: 'Left to pay',
    /** The mat in words. */
    woven: ({ paid, count }: { paid: number; count: number }) => `${paid} of ${count} paid`,
    lateTiles: (count: number) => `${count} overdue`,
    sentTiles: (count: number) => `${count} waiting for confirmation`,
    oneDueToday: '1 due today',
    /** Follows a sum, to explain why it differs from the others. */
    withExtras: (sum: string, { withCharges, withReturn }: { withCharges: boolean; withReturn: boolean }) =>
      [sum, withCharges && 'with late charges', withReturn && 'with the refund to return']
        .filter(Boolean)
        .join(', '),
    overdue: 'Overdue',
    dueNow: (amount: string) => `${amount} due now`,
    nextDue: (date: string) => `Next payment due ${date}`,
    termsChanged:
      'Our staff changed the terms. Read your contract and accept it, so that the money can be released.',
    released: ({ amount, date }: { amount: string; date: string }) =>
      amount ? `${amount} released on ${date}` : `Released on ${date}`,
    openContract: 'Open the contract',
    call: (phone: string) => `Call ${phone}`,
    tellWhenReleased: 'We’ll message you when it’s released. Your first payment is two months later.',
    whereTo: 'From your wallet you withdraw it to',
    ourMessage: 'Read our message',
    hearBy: (date: string) => `You’ll hear from us by ${date}`,
    reason: 'Reason',
    /** A reason in the reader's language, if staff chose one of those that have a translation. */
    reasonText: (reason: string): string => `${reason}`,
    deniedOn: (date: string) => `Our staff decided this on ${date}.`,
    applyAgain: 'You may apply again, or ask our staff about it.',
    askWhy: 'Ask our staff why, and what to change. You may also apply again.',
    paidInFull: 'Paid in full',
    /** The loan has no account here, so nothing says that it was paid. */
    closed: 'Closed',
    paidOn: (date: string) => `On ${date}. Thank you!`,
    noLoan: 'No active loans',
    upTo: `Up to ${pesos(limits.loanAmountMaxCentavos)}`,
    example: ({ amount, months, monthly }: Record<'amount' | 'monthly', string> & { months: number }) =>
      `Example: ${amount} over ${months}\u00a0months is ${monthly}\u00a0a\u00a0month.`,
    youMayBorrow: `From ${pesos(limits.loanAmountMinCentavos)}, over ${limits.loanTermMinMonths} to ${limits.loanTermMaxMonths} months. You see the whole cost before you agree.`,
    loanFailed: 'Your loan could not be loaded',
    loanNotRefreshed: 'This may not be the latest',
    apply: 'Apply for a loan',
  },

  /** The borrower's next payment, on the dashboard and on My loan. */
  payment: {
    next: 'Next payment',
    paidOf: (paid: string, instalment: string) => `${paid} of ${instalment} already paid`,
    dueToday: 'Due today',
    dueNow: 'Due now',
    daysLeft: (days: number) => (days === 1 ? 'tomorrow' : `in ${days} days`),
    since: ({ date, days }: { date: string; days: number }) =>
      `since ${date} · ${days === 1 ? '1 day' : `${days} days`}`,
    upToDate: 'Pay this to be up to date',
    stopCharge:
      'Every peso counts from the day you pay. Once all of it is paid, no more late charges are added.',
    writtenOff: 'No more late charges are added. You still owe what is left, and whatever you pay counts.',
    parts: {
      due: 'Instalments due',
      lateCharges: 'Late charges',
      toReturn: 'Refund to return',
    },
    howToPay: 'How to pay',
    fromWallet: 'Pay from wallet',
    payPart: 'Pay a part',
    talkToUs: 'Talk to us',
    everything: 'Pay everything today',
    saves: (amount: string) => `save ${amount}`,
    papers: 'Contract and receipts',
    clearance: 'Clearance certificate',
    inWallet: 'In your wallet',
    showBalance: 'Show balance',
    hideBalance: 'Hide balance',
    balanceHidden: 'The balance is hidden',
    show: 'Show',
    hide: 'Hide',
    withdraw: 'Withdraw',
  },

  /** The state of profile and documents (§verified-account). */
  verification: {
    verified: 'Account verified',
    notVerified: 'Account not verified',
    twoSteps: 'Two steps to your loan',
    stepsDone: (count: number) => `${count} of 2 done`,
    stepsLead: 'About 5 minutes in all.',
    stepLead: 'About 2 minutes more.',
    aboutYou: 'About you',
    answers: (count: number) =>
      `${count === 1 ? '1 short answer' : `${count} short answers`}: address, work, someone who knows you, your bank`,
    photos: 'Three photos',
    photosText: 'Front and back of one ID, and your face',
    done: 'Done',
    start: 'Start',
  },
};
