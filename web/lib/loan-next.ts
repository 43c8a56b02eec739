import type { Loan } from '#contract/loan.ts';
import { addWorkingDays, daysBetween, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { useWords } from './home-words.ts';
import { lender, today } from './lender.ts';
import { accountOf, isRunning, type Standing } from './loan-standing.ts';
import { statusNoteOf } from './loan-status.ts';
import { amountOf } from './pesos.ts';

/** Nothing is open or waiting, so the next step is another application. */
export const isOver = (loan: Loan): boolean => {
  const account = accountOf(loan);
  const { isRepaid, isTurnedDown } = loanStatusFacts(loan.status);
  return account ? !isRunning(account) : Boolean(isRepaid || isTurnedDown);
};

const farOffDays = 14;

/** Just released: the money is still in the wallet, nothing is paid, and nothing is due for a while. */
export const isFresh = ({ paid, dueNow, nextDueDate }: Standing, balance: string): boolean =>
  amountOf(balance) > 0 &&
  amountOf(paid) === 0 &&
  amountOf(dueNow) === 0 &&
  nextDueDate !== null &&
  daysBetween(today(), nextDueDate as ManilaDate) > farOffDays;

/** Words the next step of an application, the same on every page. */
export function useNext(loan: Loan | undefined) {
  const { dashboard, loanStatus, date, longDate } = useWords();
  const { status = '', createdAt = 0, isUnagreed, denied } = loan ?? {};
  const { decisionDays } = lender();
  const hearBy = decisionDays && addWorkingDays(manilaDate(new Date(createdAt)), decisionDays);
  const { isTurnedDown, needsAction } = loanStatusFacts(status);
  // A status in the staff's own words has no note.
  const note = (loan && statusNoteOf(loan, loanStatus)) ?? loanStatus.notes.pending;
  const isAwaited = status === 'pending' && hearBy && hearBy >= today();
  return {
    // The date of a heading may break only after its comma.
    title: isUnagreed
      ? dashboard.termsChanged
      : isAwaited
        ? dashboard.hearBy(longDate(hearBy).replace(/ (\D+) /, '\u00a0$1\u00a0'))
        : note,
    text: isUnagreed || isAwaited ? note : status === 'approved' && dashboard.tellWhenReleased,
    reason: denied?.reason && dashboard.reasonText(denied.reason),
    deniedOn: denied && dashboard.deniedOn(date(denied.at)),
    calls: isTurnedDown || needsAction,
  };
}
