import { limits } from './limits.ts';
import { type Centavos, centavos, roundHalfUpDivide } from './money.ts';
import type { BasisPoints } from './rates.ts';
import { recordNumber } from './record-number.ts';

/** What determines a loan's instalment: principal, nominal rate per month, number of months. */
export type LoanTerms = {
  amountCentavos: Centavos;
  monthlyRate: BasisPoints;
  termMonths: number;
};

/** The statuses that the admin's status dialog offers (spec section 4). */
export const offeredLoanStatuses = ['pending', 'approved', 'denied', 'account_issue'] as const;

/** The statuses with a colour and a translated word of their own; any other is a custom one (spec section 4). */
export const knownLoanStatuses = [...offeredLoanStatuses, 'rejected', 'active', 'completed'] as const;

export type KnownLoanStatus = (typeof knownLoanStatuses)[number];

/** The steps of an application, in order, as the wallet shows them. */
export const applicationSteps = ['submitted', 'under_review', 'decision', 'released'] as const;

export type ApplicationStep = (typeof applicationSteps)[number];

/** How far an application is, what is behind it, and how it stands at its present step. */
export type ApplicationProgress = {
  step: ApplicationStep;
  done: readonly ApplicationStep[];
  standing: 'waiting' | 'positive' | 'negative' | 'action_needed';
};

/**
 * The monthly instalment by the add-on formula, (amount + amount × rate × term) / term, rounded half up to the
 * centavo (spec section 9, contract section 4). Throws a RangeError unless the term is a positive integer.
 */
export function monthlyPayment({ amountCentavos, monthlyRate, termMonths }: LoanTerms): Centavos {
  const principal = BigInt(amountCentavos);
  const term = BigInt(termMonths);
  // Over basis points the whole formula is one fraction, so it is rounded once.
  const wholeRate = 10_000n;
  const numerator = principal * (wholeRate + BigInt(monthlyRate) * term);
  return centavos(Number(roundHalfUpDivide(numerator, wholeRate * term)));
}

/**
 * A status as it is stored: lower-case, with `_` for spaces (contract section 4); undefined unless it is 2 to 40
 * Latin letters, digits, spaces, `_` and `-`, with at least one letter or digit. Normalising twice changes nothing.
 */
export function normaliseLoanStatus(text: string): string | undefined {
  const typed = text.trim().normalize('NFC');
  const length = [...typed].length;
  if (length < limits.loanStatusMinLength || length > limits.loanStatusMaxLength) return undefined;
  // Judged after lower-casing: a few capitals, such as İ, become a letter and a mark that is none.
  const stored = typed.toLowerCase().normalize('NFC').replace(/ +/g, '_');
  return /^[\p{Script=Latin}0-9_-]+$/u.test(stored) && /[^_-]/.test(stored) ? stored : undefined;
}

/** Whether a stored status is one of those with a word of their own. */
export function isKnownLoanStatus(status: string): status is KnownLoanStatus {
  return (knownLoanStatuses as readonly string[]).includes(status);
}

/** The loan that dashboard and application status show: the first of a list that is newest first. */
export function currentLoan<Loan extends { status: string }>(loans: readonly Loan[]): Loan | undefined {
  return loans[0];
}

/**
 * The loan that preview, contract and schedule show: the first approved or active one, else the first
 * (spec section 3, contract section 4).
 */
export function mainLoan<Loan extends { status: string }>(loans: readonly Loan[]): Loan | undefined {
  return loans.find(({ status }) => status === 'approved' || status === 'active') ?? currentLoan(loans);
}

/** The number a borrower and staff know a loan by: `LN-2026-000123`. `year` is Manila's. */
export function loanNumber(year: number, sequence: number): string {
  return recordNumber('LN', year, sequence);
}

/** The step an application stands at; a custom status counts as under review. */
export function applicationStep(status: string): ApplicationStep {
  return applicationProgress(status).step;
}

/** Whether a status turns an application down. */
export function isTurnedDown(status: string): boolean {
  return status === 'denied' || status === 'rejected';
}

/** Statuses of a loan that staff have agreed to. */
export const approvedLoanStatuses = ['approved', 'active', 'completed'] as const;

/**
 * Whether the borrower has the lender's money: the loan is active, or was paid out and is neither paid back nor turned
 * down since.
 */
export function isLoanOut({ status, releasedAt }: { status: string; releasedAt: Date | null }): boolean {
  return status === 'active' || (releasedAt !== null && status !== 'completed' && !isTurnedDown(status));
}

/**
 * The wallet's stepper for a stored status. A decision taken and money released count as done; once the money is paid
 * out it is out, whatever the status says.
 */
export function applicationProgress(status: string, isReleased = false): ApplicationProgress {
  const isOut = isReleased || status === 'active' || status === 'completed';
  if (isTurnedDown(status)) {
    const done = isOut ? applicationSteps : applicationSteps.slice(0, 3);
    return { step: 'decision', done, standing: 'negative' };
  }
  const needsAction = status === 'account_issue';
  if (isOut) {
    return { step: 'released', done: applicationSteps, standing: needsAction ? 'action_needed' : 'positive' };
  }
  if (status === 'approved') {
    return { step: 'decision', done: applicationSteps.slice(0, 3), standing: 'positive' };
  }
  return { step: 'under_review', done: ['submitted'], standing: needsAction ? 'action_needed' : 'waiting' };
}
