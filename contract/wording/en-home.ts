import type { CurrencyCode } from '#domain/exchange.ts';
import { limits } from '#domain/limits.ts';
import type { ApplicationStep, KnownLoanStatus } from '#domain/loan.ts';
import type { DocumentPiece, ProfileField } from '#domain/profile.ts';
import { core } from './en-sign-in.ts';

/** The dashboard. `home` is all that it loads. */
export const home = {
  ...core,

  /** The three slides, on the landing page and on the dashboard. */
  carousel: {
    name: 'What we offer',
    role: 'carousel',
    slideRole: 'slide',
    pause: 'Pause the slides',
    play: 'Play the slides',
    goTo: (number: number, title: string) => `Slide ${number}: ${title}`,
    slides: {
      fastCash: {
        title: 'Fast Cash Loans',
        text: 'Apply in minutes and follow every step here.',
      },
      digital: {
        title: 'Digital Lending',
        text: 'Register, send your documents and withdraw, all from your phone.',
      },
      flexible: {
        title: 'Flexible Terms',
        text: `Choose ${limits.loanTermMinMonths} to ${limits.loanTermMaxMonths} months, and pay early whenever you like.`,
      },
    },
  },

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
    /** One sentence on what the status means for the borrower. */
    notes: {
      pending: 'Our staff are checking your application.',
      approved: 'Next, our staff will release the money.',
      denied: 'This application was not approved.',
      account_issue: 'Something in your account needs attention. Please contact our staff.',
      rejected: 'This application was not approved.',
      active: 'The money was released to your wallet.',
      completed: 'This loan is paid in full. Thank you.',
    } satisfies Record<KnownLoanStatus, string>,
    /** A loan that staff set active without a recorded release. */
    activeByHand: 'Our staff can tell you more about this loan.',
    progress: 'Progress of the application',
    steps: {
      submitted: 'Submitted',
      under_review: 'Under review',
      decision: 'Decision',
      released: 'Released',
    } satisfies Record<ApplicationStep, string>,
    stepStates: { done: 'done', current: 'now', ahead: 'not yet', failed: 'stopped here' },
  },

  /** The head of the dashboard and its loan card. */
  dashboard: {
    greeting: 'Magandang araw,',
    refresh: 'Refresh',
    refreshed: 'Your loan and account are up to date.',
    notRefreshed: 'Not everything could be refreshed. See the messages on the page.',
    loanNumber: (loanNumber: string) => `Loan ${loanNumber}`,
    loanTerms: (months: number, monthlyPayment: string) => `${months} months · ${monthlyPayment} a month`,
    left: 'Left to pay',
    /** The mat in words. */
    woven: ({ paid, count, late }: { paid: number; count: number; late: number }) =>
      `${paid} of ${count} paid${late > 0 ? `, ${late} overdue` : ''}`,
    paidLeft: ({ paid, left }: { paid: string; left: string }) => `${paid} paid, ${left} left`,
    /** Follows a sum, to explain why it differs from the others. */
    withExtras: (sum: string, { withCharges, withReturn }: { withCharges: boolean; withReturn: boolean }) =>
      [sum, withCharges && 'with late charges', withReturn && 'with the refund to return']
        .filter(Boolean)
        .join(', '),
    dueSince: ({ amount, date }: { amount: string; date: string }) => `${amount} due since ${date}`,
    overdue: 'Overdue',
    newestOnly: (count: number) => `The newest ${count} are listed.`,
    older: 'Show older',
    dueNow: (amount: string) => `${amount} due now`,
    next: ({ amount, date }: { amount: string; date: string }) => `Next payment: ${amount} on ${date}`,
    nextDue: (date: string) => `Next payment due ${date}`,
    firstDueIfApproved: (date: string) => `If approved, first due ${date}`,
    termsChanged:
      'Our staff changed the terms. Read your contract and accept it, so that the money can be released.',
    released: ({ amount, date }: { amount: string; date: string }) =>
      amount ? `${amount} released on ${date}` : `Released on ${date}`,
    openContract: 'Open the contract',
    ourMessage: 'Read our message',
    noLoan: 'No active loans',
    noLoanText: 'You’ll see your loan here once you apply: its status, what it costs and what is due next.',
    loanFailed: 'Your loan could not be loaded',
    loanNotRefreshed: 'This may not be the latest',
    apply: 'Apply for a loan',
  },

  /** Whether profile and documents are complete (§verified-account). */
  verification: {
    verified: 'Account verified',
    verifiedText: 'You can apply and withdraw.',
    notVerified: 'Account not verified',
    missing: (count: number) =>
      count === 1 ? 'One thing is still missing.' : `${count} things are still missing.`,
    complete: 'Complete your profile',
    requiredTitle: 'Verification Required',
    stillMissing: 'Still missing',
    verifyNow: 'VERIFY NOW',
    pieces: {
      fullName: 'Full name',
      email: 'Email',
      address: 'Address',
      countryOfWork: 'Country of work',
      monthlySalary: 'Monthly salary',
      referenceName: 'Reference name',
      referencePhone: 'Reference phone',
      bankName: 'Bank name',
      bankAccountNumber: 'Account number',
      idFrontUrl: 'Front of ID',
      idBackUrl: 'Back of ID',
      selfieUrl: 'Selfie',
    } satisfies Record<ProfileField | DocumentPiece, string>,
  },

  /** The application dialog until its form has loaded; the rest is in `en-apply.ts`. */
  apply: {
    title: 'Apply for a Loan',
    loading: 'Opening the application',
    loadFailed: 'The application could not be opened',
  },

  /** Pesos in other currencies (§converter). */
  converter: {
    title: 'Currency converter',
    amount: 'Amount',
    currency: 'Currency',
    names: {
      USD: 'US Dollar',
      EUR: 'Euro',
      GBP: 'British Pound',
      JPY: 'Japanese Yen',
      AUD: 'Australian Dollar',
      CAD: 'Canadian Dollar',
      SGD: 'Singapore Dollar',
      HKD: 'Hong Kong Dollar',
    } satisfies Record<CurrencyCode, string>,
    live: 'Live',
    fallback: 'Fallback',
    rate: (rate: string, code: string) => `₱1 = ${rate} ${code}`,
    liveNote: (moment: string) => `Live rates, read ${moment}.`,
    fallbackNote: (moment: string) =>
      `No live rates on ${moment}. These are fallback rates; the real ones may differ.`,
    unreachableNote: 'The rates could not be read. These are fallback rates; the real ones may differ.',
    trend: 'simulated trend, 7 days',
    trendLabel: ({ code, low, high }: { code: string; low: string; high: string }) =>
      `Simulated trend over 7 days: one peso between ${low} and ${high} ${code}`,
  },
};
