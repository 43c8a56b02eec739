import type { Loan } from '#contract/loan.ts';
import { paths } from '#contract/routes.ts';
import type { LoanAccount } from '#contract/servicing.ts';
import type { ManilaDate } from '#domain/calendar.ts';
import { currentLoan, mainLoan } from '#domain/loan.ts';
import { type MatTile, withNext } from '#domain/mat.ts';
import type { Centavos } from '#domain/money.ts';
import { amountOf, sumOf } from './pesos.ts';

export type Standing = NonNullable<Loan['account']>;

/**
 * Returns the loan's account; undefined until the loan is disbursed and after its disbursement is cancelled.
 */
export const accountOf = ({ account }: Loan): Standing | undefined =>
  account && account.state !== 'cancelled' ? account : undefined;

export const myLoanPath = ({ loanNumber }: Pick<Loan, 'loanNumber'>): string =>
  `${paths.myLoan}?loan=${encodeURIComponent(loanNumber)}`;

/** Opens the contract of any loan over the wallet. */
export const contractPath = (loanId: number): string => `${paths.wallet}?contract=${loanId}`;

/** True while something is left to pay on a loan with an account. */
export const isRunning = ({ state }: Pick<Standing, 'state'>): boolean =>
  state === 'open' || state === 'overdue' || state === 'written_off';

export const isOpen = ({ account }: Pick<Loan, 'account'>): boolean => account !== null && isRunning(account);

/** True if a borrower owes something that is past its due date. */
export const isOverdue = ({ account }: Pick<Loan, 'account'>): boolean =>
  account !== null && isRunning(account) && account.dueSince !== null;

export const isPaidOff = ({ state }: Pick<Standing, 'state'>): boolean =>
  state === 'settled' || state === 'completed';

/** Adds up the payments that the borrower has reported and staff have not confirmed. */
export const sentOf = ({ submitted }: Pick<LoanAccount, 'submitted'>): Centavos =>
  sumOf(submitted.filter(({ status }) => status === 'submitted').map(({ amount }) => amount));

/**
 * Draws a loan's mat. Payments that wait for confirmation are on the tiles that they would reach: what is due first, then
 * late charges, then later instalments.
 */
export function accountMatOf({ account, asOf, instalments, submitted }: LoanAccount): MatTile[] {
  let sent: number = sentOf({ submitted });
  let extras = amountOf(account.lateChargesOwed) + amountOf(account.refundToReturn);
  return withNext(
    instalments.map(({ dueDate, left, status }) => {
      if (amountOf(left) === 0) return 'paid';
      if (dueDate > asOf) {
        sent -= extras;
        extras = 0;
      }
      const isReached = sent > 0;
      sent -= amountOf(left);
      return isReached ? 'sent' : status === 'overdue' ? 'late' : 'bare';
    }),
  );
}

/** Tells what a sum includes besides instalments, so that the page can say so. */
export const extrasOf = (figures: Pick<Standing, 'lateChargesOwed' | 'refundToReturn'>) => ({
  withCharges: amountOf(figures.lateChargesOwed) > 0,
  withReturn: amountOf(figures.refundToReturn) > 0,
});

/** Returns what to pay next: all that is due, or else the next instalment. */
export function nextPayment(
  standing: Pick<Standing, 'state' | 'dueNow' | 'dueSince' | 'nextDueDate' | 'nextDueAmount'>,
): { amount: string; dueOn?: string; dueSince?: string } | undefined {
  if (!isRunning(standing)) return undefined;
  const { dueNow, dueSince, nextDueDate, nextDueAmount } = standing;
  if (amountOf(dueNow) > 0) return { amount: dueNow, ...(dueSince !== null && { dueSince }) };
  return nextDueDate === null ? undefined : { amount: nextDueAmount, dueOn: nextDueDate };
}

/**
 * Returns the whole instalment if part of it is paid. Less than a peso does not count: the last instalment of
 * a loan differs from the others by centavos.
 */
export const wholeOf = (left: string, instalment: string): string | undefined =>
  amountOf(instalment) - amountOf(left) >= 1_00 ? instalment : undefined;

/** Returns the loans on Home (§current-and-main-loan). A late one leads, however new an application is. */
export function loansInSight(loans: readonly Loan[]): Loan[] {
  const shown = [currentLoan(loans), mainLoan(loans)].filter((loan) => loan !== undefined);
  return [...new Set([...loans.filter(isOverdue), ...shown, ...loans.filter(isOpen)])];
}

/**
 * Draws a loan's mat without its list of instalments: payments go to the oldest one first, so the first
 * unpaid one tells which are paid.
 */
export function matOf(loan: Loan, today: ManilaDate): MatTile[] {
  const account = accountOf(loan);
  const isRepaid = account !== undefined && !isRunning(account);
  const firstUnpaid = account?.dueSince ?? account?.nextDueDate ?? (account ? '9' : '');
  const isPaid = (due: string) => isRepaid || due < firstUnpaid;
  return withNext(
    loan.dueDates.map((due) => (isPaid(due) ? 'paid' : account && due < today ? 'late' : 'bare')),
  );
}

/**
 * True if the money is known to have gone out. Nothing says what is owed on a loan that staff set `active` by
 * hand.
 */
export const isReleased = (loan: Loan): boolean => loan.releasedAt !== null || accountOf(loan) !== undefined;

/**
 * Returns the loan that My loan shows: the one asked for, or else a late one, or else the newest with
 * something left to pay.
 */
export function shownLoan(loans: readonly Loan[], asked: string | null): Loan | undefined {
  return (
    loans.find(({ loanNumber }) => loanNumber === asked) ??
    loans.find(isOverdue) ??
    loans.find(isOpen) ??
    loans.find(({ account }) => account && isPaidOff(account)) ??
    mainLoan(loans)
  );
}
