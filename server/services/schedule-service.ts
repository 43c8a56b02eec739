import type { Lender } from '#contract/lender.ts';
import { addDays, type DateLanguage, manilaDate, parseManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { applicationProgress } from '#domain/loan.ts';
import { type Centavos, centavos, formatPeso, pesosText } from '#domain/money.ts';
import { leftToPay } from '#domain/quote.ts';
import { type InstalmentState, position } from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import type { Loan } from '#server/store/loan-store.ts';
import { type LoanTermsVersion, readTermsOf } from '#server/store/loan-terms-store.ts';
import {
  cancelledNotice,
  csvAnswer,
  deferralNote,
  documentNumberOf,
  fileAnswer,
  type PaperWords,
  paperWords,
} from './lender-paper.ts';
import { ownInstalments } from './loan-view.ts';
import { frozenAmount, frozenQuoteOf } from './quote-service.ts';
import { findServicedLoan } from './serviced-loan.ts';
import type { Caller } from './session-service.ts';

type ScheduleEntry = { number: number; dueDate: string; amount: Centavos; status: InstalmentState };

/** Today's instalments of a disbursed loan, otherwise those of its newest terms. */
export async function readSchedule(deps: Deps, caller: Caller, loanId: number) {
  return (await currentSchedule(deps, caller, loanId)).rows;
}

/**
 * Finds the schedule with all terms of its loan, newest first. `disbursedOn` is set once it is disbursed; its
 * dates count from this day.
 */
async function currentSchedule(deps: Deps, caller: Caller, loanId: number) {
  const { loan, serviced, versions } = await deps.database.snapshot(async (reader) => ({
    ...(await findServicedLoan(reader, caller, loanId)),
    versions: await readTermsOf(reader, loanId),
  }));
  const { terms, events, stored } = serviced;
  const read = { loan, versions, events };
  if (!terms || stored?.state === 'cancelled') {
    const rows = rowsOf(loan, versions[0]);
    return { ...read, rows, disbursedOn: undefined, isCancelled: terms !== undefined };
  }
  const { instalments } = position(terms, events, manilaDate(deps.clock.now()));
  return { ...read, rows: instalments, disbursedOn: terms.startDate, isCancelled: false };
}

function rowsOf(loan: Loan, terms: LoanTermsVersion | undefined): ScheduleEntry[] {
  if (terms)
    return frozenQuoteOf(terms).schedule.map((row) => ({ ...row, amount: frozenAmount(row.amount) }));
  return ownInstalments(loan).map((row) => ({ ...row, amount: row.amountCentavos, status: 'pending' }));
}

/**
 * The due dates as an iCalendar file (RFC 5545). A payment has the same name in every version of the contract, so
 * adding the file again moves entries instead of duplicating them, and cancels removed ones.
 */
export async function readScheduleCalendar(
  deps: Deps,
  caller: Caller,
  loanId: number,
  language: DateLanguage,
) {
  const schedule = await currentSchedule(deps, caller, loanId);
  const { loan, versions } = schedule;
  const gone = versions
    .slice(1)
    .map((older) => rowsOf(loan, older))
    .reduce((longest, one) => (one.length > longest.length ? one : longest), [])
    .slice(schedule.rows.length);
  const calendar = calendarText({ ...schedule, gone }, deps.config.lender, paperWords(language));
  const name = `${loan.loanNumber}.ics`;
  return fileAnswer({ contentType: 'text/calendar; charset=utf-8', name, language }, calendar);
}

/** The instalments as CSV: plain decimals and ISO dates, which every spreadsheet reads. */
export async function readScheduleTable(deps: Deps, caller: Caller, loanId: number, language: DateLanguage) {
  const { document, papers } = paperWords(language);
  const { table: labels, statement } = document;
  const { loan, rows, isCancelled } = await currentSchedule(deps, caller, loanId);
  const owed = isCancelled ? rows.map((row) => ({ ...row, amount: centavos(0) })) : rows;
  const { payments } = leftToPay(owed, ({ amount }) => amount);
  return csvAnswer(
    { name: `${loan.loanNumber}.csv`, language },
    [
      { head: labels.number, value: ({ number }) => number },
      { head: labels.dueDate, value: ({ dueDate }) => dueDate },
      { head: labels.amount, value: ({ amount }) => pesosText(amount) },
      { head: labels.leftAfter, value: ({ leftCentavos }) => pesosText(leftCentavos) },
      {
        head: labels.status,
        value: ({ status }) => (isCancelled ? statement.cancellation : papers.rowStatuses[status]),
      },
    ],
    payments,
  );
}

/** `gone`: payments of earlier versions that this one no longer has. */
type DueDates = Awaited<ReturnType<typeof currentSchedule>> & { gone: readonly ScheduleEntry[] };

type Standing = 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';

/** Every payment as an all-day event with a reminder the morning before. */
function calendarText(
  { loan, versions, disbursedOn, isCancelled, events, rows, gone }: DueDates,
  lender: Lender,
  words: PaperWords,
): string {
  const version = versions[0]?.version ?? 0;
  const { document, papers, terms, day: dayText, dayOf } = words;
  const { languageTag: tag, calendar: labels } = document;
  const startDate = disbursedOn ? dayText(disbursedOn) : dayOf(loan.createdAt);
  const description = [
    labels.loan(loan.loanNumber),
    ...(version > 0 ? [labels.contract(documentNumberOf(loan.loanNumber, version))] : []),
    `${lender.name}, ${lender.supportPhone}, ${lender.supportEmail}`,
    [
      cancelledNotice(events, words) ?? terms.dates({ startDate, isDisbursed: disbursedOn !== undefined }),
      deferralNote(events, words),
      labels.notFollowing,
    ]
      .filter(Boolean)
      .join(' '),
  ].join('\n');
  const text = (name: string, value: string) => folded(`${name};LANGUAGE=${tag}:${escaped(value)}`);
  const writtenAt = utcText(loan.updatedAt);
  // Before that nothing is due, and the release dates the instalments anew.
  const isReleased = disbursedOn !== undefined || loan.releasedAt !== null;

  const linesOf = ({ number, dueDate, amount, status }: ScheduleEntry, count: number, its: Standing) => {
    const day = parseManilaDate(dueDate);
    if (!day) throw new Error('a frozen quote holds a day that cannot be read');
    const payment = labels.payment({ number, count, amount: formatPeso(amount) });
    const summary = status === 'pending' ? payment : `${payment} (${papers.rowStatuses[status]})`;
    // Nothing is due on a paid instalment, and nothing ever was on one that was settled early.
    const isOff = its === 'CANCELLED' || status === 'settled';
    const reminder = [
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      text('DESCRIPTION', labels.reminder(summary)),
      `TRIGGER:-PT${limits.dueReminderHoursBefore}H`,
      'END:VALARM',
    ];
    return [
      'BEGIN:VEVENT',
      // Adding an entry of the same name changes the existing one.
      folded(`UID:${escaped(`${loan.loanNumber}-${number}@hiram`)}`),
      `DTSTAMP:${writtenAt}`,
      `LAST-MODIFIED:${writtenAt}`,
      // Rises with each version of the contract and each event since; the higher one wins.
      `SEQUENCE:${version + events.length}`,
      `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
      // The end is exclusive.
      `DTEND;VALUE=DATE:${addDays(day, 1).replaceAll('-', '')}`,
      text('SUMMARY', summary),
      text('DESCRIPTION', description),
      `STATUS:${isOff ? 'CANCELLED' : its}`,
      // A due date does not make anybody busy.
      'TRANSP:TRANSPARENT',
      ...(isOff || status === 'paid' || !isReleased ? [] : reminder),
      'END:VEVENT',
    ];
  };
  const standing = isCancelled ? 'CANCELLED' : disbursedOn ? 'CONFIRMED' : standingOf(loan.status);
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//Hiram//Payment schedule//${tag.toUpperCase()}`,
    'CALSCALE:GREGORIAN',
    ...rows.flatMap((row) => linesOf(row, rows.length, standing)),
    ...gone.flatMap((row) => linesOf(row, rows.length + gone.length, 'CANCELLED')),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

/** Dates of an undecided loan are tentative; a rejected loan has none. */
function standingOf(status: string): Standing {
  const { standing } = applicationProgress(status);
  if (standing === 'positive') return 'CONFIRMED';
  return standing === 'negative' ? 'CANCELLED' : 'TENTATIVE';
}

/** `20261120T024200Z`. */
const utcText = (moment: Date) => `${moment.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** A value of type TEXT (RFC 5545 section 3.3.11), without the characters that no calendar may hold. */
function escaped(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, '')
    .replace(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll('\n', '\\n');
}

const LINE_BYTES = 75;

/** Lines of at most 75 bytes; continuation lines begin with a space (RFC 5545 section 3.1). No character is split. */
function folded(line: string): string {
  let written = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES) {
      written += '\r\n ';
      bytes = 1;
    }
    written += character;
    bytes += size;
  }
  return written;
}
