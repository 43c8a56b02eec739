import { limits } from './limits.ts';
import { type Centavos, centavos, roundHalfUpDivide } from './money.ts';
import { type BasisPoints, basisPoints } from './rates.ts';
import type { StoredLoanState } from './servicing.ts';

export type LoanTerms = {
  amountCentavos: Centavos;
  monthlyRate: BasisPoints;
  termMonths: number;
};

/** For a borrower's figures: the stored rate, or the default (§loan-rate). */
export const rateOf = (loan: { monthlyRateBasisPoints: number | null }): BasisPoints =>
  basisPoints(loan.monthlyRateBasisPoints ?? limits.loanRateBorrowerDefaultBasisPoints);

type LoanStatusFacts = {
  tone: 'good' | 'warn' | 'bad' | 'neutral';
  /** Always in staff's status dialog. */
  isOffered?: true;
  /** Counts against how many applications may wait for staff at a time. */
  isUndecided?: true;
  /** Staff agreed to the loan: from here on only the main admin deletes it. */
  isApproved?: true;
  /** Money may be paid out for it. */
  isPayable?: true;
  /** The lender's money is with the borrower, even where no payment is on record. */
  isOut?: true;
  isRepaid?: true;
  isTurnedDown?: true;
  /** The borrower has something to put right. */
  needsAction?: true;
};

/** What each status means and permits. Any other is the staff's own word and counts as under review (§loan-status). */
const loanStatuses = {
  pending: { tone: 'warn', isOffered: true, isUndecided: true },
  approved: { tone: 'good', isOffered: true, isApproved: true, isPayable: true },
  denied: { tone: 'bad', isOffered: true, isTurnedDown: true },
  account_issue: { tone: 'bad', isOffered: true, needsAction: true },
  rejected: { tone: 'bad', isTurnedDown: true },
  active: { tone: 'good', isApproved: true, isPayable: true, isOut: true },
  completed: { tone: 'neutral', isApproved: true, isRepaid: true },
} as const satisfies Record<string, LoanStatusFacts>;

export type KnownLoanStatus = keyof typeof loanStatuses;

export const knownLoanStatuses = Object.keys(loanStatuses) as KnownLoanStatus[];

export const loanStatusFacts = (status: string): LoanStatusFacts =>
  isKnownLoanStatus(status) ? loanStatuses[status] : { tone: 'neutral' };

export const loanStatusesWith = (fact: keyof LoanStatusFacts): KnownLoanStatus[] =>
  knownLoanStatuses.filter((status) => loanStatusFacts(status)[fact]);

/** Words that staff may not give a loan whose money is out: its events say how it stands (contract, section 4). */
const wordsAgainstRelease = ['pending', 'denied', 'rejected', 'completed', 'cancelled'];

export const contradictsRelease = (status: string): boolean => wordsAgainstRelease.includes(status);

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
  // In basis points the formula is a single fraction, so it is rounded only once.
  const wholeRate = 10_000n;
  const numerator = principal * (wholeRate + BigInt(monthlyRate) * term);
  return centavos(Number(roundHalfUpDivide(numerator, wholeRate * term)));
}

/**
 * The stored form of a status: lower case, `_` for spaces (§loan-status). Undefined unless it is 2 to 40 Latin
 * letters, digits, spaces, `_` and `-` with at least one letter or digit. Idempotent.
 */
export function normaliseLoanStatus(text: string): string | undefined {
  const typed = text.trim().normalize('NFC');
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

/** The loan shown on the dashboard and in the application status: the newest. Expects newest first. */
export function currentLoan<Loan extends { status: string }>(loans: readonly Loan[]): Loan | undefined {
  return loans[0];
}

/**
 * The loan that preview, contract and schedule show: the first approved or active one, else the newest
 * (§current-and-main-loan).
 */
export function mainLoan<Loan extends { status: string }>(loans: readonly Loan[]): Loan | undefined {
  return loans.find(({ status }) => loanStatusFacts(status).isPayable) ?? currentLoan(loans);
}

/**
 * Whether the lender's money is with the borrower: by its account where it has one, else active, or released by hand in an
 * earlier version. A status is free text: only an account shows that the money came back (§disbursement).
 */
export function isLoanOut({
  status,
  releasedAt,
  accountState,
}: {
  status: string;
  releasedAt: Date | null;
  accountState: StoredLoanState | null;
}): boolean {
  if (accountState) return accountState === 'open' || accountState === 'written_off';
  return loanStatusFacts(status).isOut === true || releasedAt !== null;
}

/**
 * The wallet's stepper for a stored status; a custom status counts as under review. A decision taken and money released
 * count as done; once paid out, the money stays released whatever the status says.
 */
export function applicationProgress(status: string, isReleased = false): ApplicationProgress {
  const { isApproved, isOut, isRepaid, isTurnedDown, needsAction } = loanStatusFacts(status);
  const isPaidOut = isReleased || isOut || isRepaid;
  if (isTurnedDown) {
    const done = isPaidOut ? applicationSteps : applicationSteps.slice(0, 3);
    return { step: 'decision', done, standing: 'negative' };
  }
  if (isPaidOut) {
    return { step: 'released', done: applicationSteps, standing: needsAction ? 'action_needed' : 'positive' };
  }
  if (isApproved) return { step: 'decision', done: applicationSteps.slice(0, 3), standing: 'positive' };
  return { step: 'under_review', done: ['submitted'], standing: needsAction ? 'action_needed' : 'waiting' };
}
