import { limits } from './limits.ts';
import { type Centavos, centavos, roundHalfUpDivide } from './money.ts';
import { type BasisPoints, basisPoints } from './rates.ts';
import type { StoredLoanState } from './servicing.ts';
import { plainText } from './text.ts';

export type LoanTerms = {
  amountCentavos: Centavos;
  monthlyRate: BasisPoints;
  termMonths: number;
};

/** Returns the rate for a borrower's figures: the stored one, or the default (§loan-rate). */
export const rateOf = (loan: { monthlyRateBasisPoints: number | null }): BasisPoints =>
  basisPoints(loan.monthlyRateBasisPoints ?? limits.loanRateBorrowerDefaultBasisPoints);

type LoanStatusFacts = {
  tone: 'good' | 'warn' | 'bad' | 'neutral';
  /** Always in staff's status dialog. */
  isOffered?: true;
  /** Counts against the number of undecided applications. */
  isUndecided?: true;
  /** Staff agreed to the loan: only the main admin may delete it now. */
  isApproved?: true;
  isPayable?: true;
  /** Staff say that the borrower has the money, even without a recorded payout. */
  isOut?: true;
  isRepaid?: true;
  isTurnedDown?: true;
  /** The borrower has something to put right. */
  needsAction?: true;
  /** Staff may not set it once the money is out: from then on the loan's events decide its state (§loan-status). */
  contradictsRelease?: true;
};

/**
 * The meaning of each status. Any other is the staff's own word and counts as under review (§loan-status).
 */
const loanStatuses = {
  pending: { tone: 'warn', isOffered: true, isUndecided: true, contradictsRelease: true },
  approved: { tone: 'good', isOffered: true, isApproved: true, isPayable: true },
  denied: { tone: 'bad', isOffered: true, isTurnedDown: true, contradictsRelease: true },
  account_issue: { tone: 'bad', isOffered: true, needsAction: true },
  rejected: { tone: 'bad', isTurnedDown: true, contradictsRelease: true },
  active: { tone: 'good', isApproved: true, isPayable: true, isOut: true },
  completed: { tone: 'neutral', isApproved: true, isRepaid: true, contradictsRelease: true },
} as const satisfies Record<string, LoanStatusFacts>;

export type KnownLoanStatus = keyof typeof loanStatuses;

export const knownLoanStatuses = Object.keys(loanStatuses) as KnownLoanStatus[];

export const loanStatusFacts = (status: string): LoanStatusFacts =>
  isKnownLoanStatus(status) ? loanStatuses[status] : { tone: 'neutral' };

/** The outcomes that an application may have by now. A released one was approved, too. */
export const applicationOutcomes = ['approved', 'denied', 'released'] as const;
export type ApplicationOutcome = (typeof applicationOutcomes)[number];

/** The works for which staff look for a loan: one that takes a payment, or one to release. */
export const loanWorks = ['payment', 'release'] as const;
export type LoanWork = (typeof loanWorks)[number];

export const loanStatusesWith = (fact: keyof LoanStatusFacts): KnownLoanStatus[] =>
  knownLoanStatuses.filter((status) => loanStatusFacts(status)[fact]);

/** `cancelled` is no known status, but would read as a state that only an event gives. */
export const contradictsRelease = (status: string): boolean =>
  status === 'cancelled' || loanStatusFacts(status).contradictsRelease === true;

export const applicationSteps = ['submitted', 'under_review', 'decision', 'released'] as const;

export type ApplicationStep = (typeof applicationSteps)[number];

export type ApplicationProgress = {
  step: ApplicationStep;
  done: readonly ApplicationStep[];
  standing: 'waiting' | 'positive' | 'negative' | 'action_needed';
};

/**
 * The monthly instalment by the add-on formula, (amount + amount × rate × term) / term, rounded half up to the centavo
 * (§monthly-payment). Throws a RangeError unless the term is a positive integer.
 */
export function monthlyPayment({ amountCentavos, monthlyRate, termMonths }: LoanTerms): Centavos {
  const principal = BigInt(amountCentavos);
  const term = BigInt(termMonths);
  // The formula is a single fraction in basis points, so it is rounded only once.
  const wholeRate = 10_000n;
  const numerator = principal * (wholeRate + BigInt(monthlyRate) * term);
  return centavos(Number(roundHalfUpDivide(numerator, wholeRate * term)));
}

/** Shown before anybody has chosen an amount. */
export const exampleLoan = { amountCentavos: centavos(350_000_00), termMonths: 36 };

/**
 * The stored form of a status: lower case, `_` for spaces (§loan-status). Undefined unless it is 2 to 40 Latin
 * letters, digits, spaces, `_` and `-` with at least one letter or digit. Idempotent.
 */
export function normaliseLoanStatus(text: string): string | undefined {
  const typed = plainText(text).trim();
  const length = [...typed].length;
  if (length < limits.loanStatusMinLength || length > limits.loanStatusMaxLength) return undefined;
  // Checked after lower-casing: some capitals, such as İ, become a letter plus a combining mark.
  const stored = typed.toLowerCase().normalize('NFC').replace(/ +/g, '_');
  return /^[\p{Script=Latin}0-9_-]+$/u.test(stored) && /[^_-]/.test(stored) ? stored : undefined;
}

export function isKnownLoanStatus(status: string): status is KnownLoanStatus {
  return Object.hasOwn(loanStatuses, status);
}

/** A status as staff typed it: `bank_check` → 'Bank check'. */
export function plainLoanStatus(status: string): string {
  const words = status.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The newest loan, shown on the dashboard and in the application status. Expects newest first. */
export function currentLoan<Loan extends { status: string }>(loans: readonly Loan[]): Loan | undefined {
  return loans[0];
}

/**
 * The loan of preview, contract and schedule: the first approved or active one, else the newest
 * (§current-and-main-loan).
 */
export function mainLoan<Loan extends { status: string }>(loans: readonly Loan[]): Loan | undefined {
  return loans.find(({ status }) => loanStatusFacts(status).isPayable) ?? currentLoan(loans);
}

/**
 * True while the borrower has the lender's money. The loan's account tells it; a loan without one has gone
 * out if it is active or an earlier version released it by hand. A status is free text: only an account shows
 * that the money came back (§disbursement).
 */
export function isLoanOut(loan: {
  status: string;
  releasedAt: Date | null;
  accountState: StoredLoanState | null;
}): boolean {
  if (loan.accountState) return loan.accountState === 'open' || loan.accountState === 'written_off';
  return loanStatusFacts(loan.status).isOut === true || loan.releasedAt !== null;
}

/**
 * The stepper of the wallet. A custom status counts as under review. A decision counts as done; that the money went out
 * is known from a release only, and stays so whatever the status says.
 */
export function applicationProgress(status: string, isReleased = false): ApplicationProgress {
  const { isApproved, isTurnedDown, needsAction } = loanStatusFacts(status);
  if (isTurnedDown) {
    const done = isReleased ? applicationSteps : applicationSteps.slice(0, 3);
    return { step: 'decision', done, standing: 'negative' };
  }
  if (isReleased) {
    return { step: 'released', done: applicationSteps, standing: needsAction ? 'action_needed' : 'positive' };
  }
  if (isApproved) return { step: 'decision', done: applicationSteps.slice(0, 3), standing: 'positive' };
  return { step: 'under_review', done: ['submitted'], standing: needsAction ? 'action_needed' : 'waiting' };
}
