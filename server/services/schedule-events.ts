import type { Lender } from '#contract/lender.ts';
import { type DateLanguage, formatManilaDate, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { applicationProgress } from '#domain/loan.ts';
import { type Centavos, formatPeso } from '#domain/money.ts';
import type { CalendarEvent } from '#server/platform/calendar-file.ts';
import type { Loan } from '#server/store/loan-store.ts';
import { paperWords } from './paper-words.ts';

type Due = { number: number; day: ManilaDate; amount: Centavos };

type DueDates = {
  loan: Pick<Loan, 'loanNumber' | 'status' | 'createdAt' | 'updatedAt'>;
  /** Of the contract; 0 for a loan whose contract lies elsewhere. */
  version: number;
  documentNumber: string | undefined;
  rows: readonly Due[];
  /** Payments of an earlier version that the present one no longer has. */
  gone: readonly Due[];
  lender: Lender;
  language: DateLanguage;
};

/** Every payment as an entry of a calendar, all day, with a reminder in the morning before. */
export function dueEvents(given: DueDates): CalendarEvent[] {
  const { loan, version, rows, gone, language } = given;
  const words = paperWords(language).document.calendar;
  const description = descriptionOf(given);
  const status = statusOf(loan.status);
  const event = (due: Due, count: number, its: CalendarEvent['status']): CalendarEvent => {
    const summary = words.payment({ number: due.number, count, amount: formatPeso(due.amount) });
    const isOff = its === 'CANCELLED';
    return {
      uid: `${loan.loanNumber}-${due.number}@hiram`,
      sequence: version,
      writtenAt: loan.updatedAt,
      day: due.day,
      summary,
      description,
      status: its,
      ...(isOff
        ? {}
        : { reminder: { hoursBefore: limits.dueReminderHoursBefore, text: words.reminder(summary) } }),
    };
  };
  const longest = rows.length + gone.length;
  return [
    ...rows.map((due) => event(due, rows.length, status)),
    ...gone.map((due) => event(due, longest, 'CANCELLED')),
  ];
}

/** Dates of a loan that is not decided on are only what they would be, and nothing falls due of one turned down. */
function statusOf(status: string): CalendarEvent['status'] {
  const { standing } = applicationProgress(status);
  if (standing === 'positive') return 'CONFIRMED';
  return standing === 'negative' ? 'CANCELLED' : 'TENTATIVE';
}

function descriptionOf({ loan, documentNumber, lender, language }: DueDates): string {
  const { document, terms } = paperWords(language);
  const words = document.calendar;
  const startDate = formatManilaDate(manilaDate(loan.createdAt), language);
  return [
    words.loan(loan.loanNumber),
    ...(documentNumber === undefined ? [] : [words.contract(documentNumber)]),
    `${lender.name}, ${lender.supportPhone}, ${lender.supportEmail}`,
    `${terms.dates({ startDate })} ${words.notFollowing}`,
  ].join('\n');
}
