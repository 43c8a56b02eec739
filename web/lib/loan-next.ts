import * as api from '#contract/borrower-endpoints.ts';
import type { Loan } from '#contract/loan.ts';
import { addWorkingDays, daysBetween, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { useFormats } from './format.ts';
import { useWords } from './home-words.ts';
import { lender, today } from './lender.ts';
import { accountOf, amountOf, isRunning, type Standing } from './loan-standing.ts';
import { statusNoteOf } from './loan-status.ts';
import { useRead } from './query.tsx';

/** Nothing is open or waiting: what comes next is another application. */
export const isOver = (loan: Loan): boolean => {
  const account = accountOf(loan);
  const { isRepaid, isTurnedDown } = loanStatusFacts(loan.status);
  return account ? !isRunning(account) : Boolean(isRepaid || isTurnedDown);
};

const farOffDays = 14;

/** The money is still there, nothing is paid, and nothing has to be for a while. */
export const isFresh = ({ paid, dueNow, nextDueDate }: Standing, balance: string): boolean =>
  amountOf(balance) > 0 &&
  amountOf(paid) === 0 &&
  amountOf(dueNow) === 0 &&
  nextDueDate !== null &&
  daysBetween(today(), nextDueDate as ManilaDate) > farOffDays;

/** What comes next with an application, in the same words on every page. */
export function useNext(loan: Loan | undefined) {
  const { dashboard, loanStatus } = useWords();
  const { longDate } = useFormats();
  const { status = '', createdAt = 0, isUnagreed } = loan ?? {};
  const { decisionDays } = lender();
  const hearBy = decisionDays && addWorkingDays(manilaDate(new Date(createdAt)), decisionDays);
  const { isTurnedDown, needsAction } = loanStatusFacts(status);
  // Why it was turned down is in the message only: it is personal data.
  const notices = useRead(api.listNotifications, { enabled: isTurnedDown === true }).data;
  const told = notices?.find(({ details }) => details?.loanNumber === loan?.loanNumber);
  // Of a status of the staff's own, nothing else is known.
  const note = (loan && statusNoteOf(loan, loanStatus)) ?? loanStatus.notes.pending;
  const isAwaited = status === 'pending' && hearBy && hearBy >= today();
  return {
    // As a heading the date breaks after the comma only.
    title: isUnagreed
      ? dashboard.termsChanged
      : isAwaited
        ? dashboard.hearBy(longDate(hearBy).replace(/ (\D+) /, '\u00a0$1\u00a0'))
        : note,
    text: isUnagreed || isAwaited ? note : status === 'approved' && dashboard.tellWhenReleased,
    reason: isTurnedDown && told?.details?.reason,
    calls: isTurnedDown || needsAction,
  };
}
