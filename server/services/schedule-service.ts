import { csvPieces } from '#contract/csv.ts';
import type { Lender } from '#contract/lender.ts';
import {
  addDays,
  type DateLanguage,
  formatManilaDate,
  type ManilaDate,
  manilaDate,
  parseManilaDate,
} from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { applicationProgress } from '#domain/loan.ts';
import { type Centavos, formatPeso, pesosText } from '#domain/money.ts';
import { leftToPay } from '#domain/quote.ts';
import { position } from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import type { Loan } from '#server/store/loan-store.ts';
import { findNewestTerms, type LoanTermsVersion, readTermsOf } from '#server/store/loan-terms-store.ts';
import {
  attachmentName,
  documentNumberOf,
  findReadableLoan,
  frozenAmount,
  frozenQuoteOf,
  paperWords,
} from './loan-papers.ts';
import { readServicedLoan } from './loan-servicing.ts';
import { ownInstalments } from './loan-view.ts';
import type { Caller } from './session-service.ts';

type ScheduleEntry = { number: number; dueDate: string; amount: Centavos; status: string };

/** The instalments of a loan: as they are today where it is disbursed, else those of its newest terms. */
export async function readSchedule(deps: Deps, reader: Caller, loanId: number) {
  const { loan } = await findReadableLoan(deps, reader, loanId);
  return (await currentSchedule(deps, loan)).rows;
}

type CurrentSchedule = {
  rows: ScheduleEntry[];
  /** The day that its dates count from, once it is disbursed. */
  disbursedOn?: ManilaDate;
  /** How often what follows the disbursement has changed it. */
  changes: number;
};

async function currentSchedule(deps: Deps, loan: Loan): Promise<CurrentSchedule> {
  const { terms, events, stored } = await deps.database.read((handle) => readServicedLoan(handle, loan));
  if (!terms || stored?.state === 'cancelled') {
    const newest = await deps.database.read((handle) => findNewestTerms(handle, loan.id));
    return { rows: rowsOf(loan, newest), changes: events.length };
  }
  const { instalments } = position(terms, events, manilaDate(deps.clock.now()));
  const rows = instalments.map(({ number, dueDate, amount, status }) => ({
    number,
    dueDate,
    amount,
    status,
  }));
  return { rows, disbursedOn: terms.startDate, changes: events.length };
}

function rowsOf(loan: Loan, terms: LoanTermsVersion | undefined): ScheduleEntry[] {
  if (terms) {
    return frozenQuoteOf(terms).schedule.map((row) => ({ ...row, amount: frozenAmount(row.amount) }));
  }
  return ownInstalments(loan).map(({ number, dueDate, amountCentavos }) => ({
    number,
    dueDate,
    amount: amountCentavos,
    status: 'pending',
  }));
}

/**
 * The due dates as an iCalendar file (RFC 5545). A payment keeps its name from version to version of the contract, so
 * that adding the file again moves entries instead of doubling them, and cancels those that are gone.
 */
export async function readScheduleCalendar(
  deps: Deps,
  reader: Caller,
  loanId: number,
  language: DateLanguage,
) {
  const { loan } = await findReadableLoan(deps, reader, loanId);
  const [terms, ...earlier] = await deps.database.read((handle) => readTermsOf(handle, loanId));
  const version = terms?.version ?? 0;
  const { rows, disbursedOn, changes } = await currentSchedule(deps, loan);
  const gone = earlier
    .map((older) => rowsOf(loan, older))
    .reduce((longest, one) => (one.length > longest.length ? one : longest), [])
    .slice(rows.length);
  const events = dueEvents({
    loan,
    disbursedOn,
    sequence: version + changes,
    documentNumber: version > 0 ? documentNumberOf(loan.loanNumber, version) : undefined,
    rows: rows.map(withDay),
    gone: gone.map(withDay),
    lender: deps.config.lender,
    language,
  });
  return {
    contentType: 'text/calendar; charset=utf-8',
    body: calendarText(events, { language: paperWords(language).document.languageTag }),
    headers: fileHeaders(`${loan.loanNumber}.ics`, language),
  };
}

/** The instalments as CSV: plain decimals and ISO dates, which every spreadsheet reads. */
export async function readScheduleTable(deps: Deps, reader: Caller, loanId: number, language: DateLanguage) {
  const { loan } = await findReadableLoan(deps, reader, loanId);
  const { document, papers } = paperWords(language);
  const words = document.table;
  const statusWords: Record<string, string> = papers.rowStatuses;
  const { rows } = await currentSchedule(deps, loan);
  const { payments } = leftToPay(rows, ({ amount }) => amount);
  const pieces = csvPieces(
    [
      { head: words.number, value: ({ number }) => number },
      { head: words.dueDate, value: ({ dueDate }) => dueDate },
      { head: words.amount, value: ({ amount }) => pesosText(amount) },
      { head: words.leftAfter, value: ({ leftCentavos }) => pesosText(leftCentavos) },
      { head: words.status, value: ({ status }) => statusWords[status] ?? status },
    ],
    payments,
  );
  return {
    contentType: 'text/csv; charset=utf-8',
    body: [...pieces].join(''),
    headers: fileHeaders(`${loan.loanNumber}.csv`, language),
  };
}

function withDay({ dueDate, ...entry }: ScheduleEntry): Due {
  const day = parseManilaDate(dueDate);
  if (!day) throw new Error('a frozen quote holds a day that cannot be read');
  return { ...entry, day };
}

const fileHeaders = (name: string, language: DateLanguage) => ({
  'content-disposition': `attachment; filename="${attachmentName(name)}"`,
  'content-language': paperWords(language).document.languageTag,
});

type Due = { number: number; day: ManilaDate; amount: Centavos; status: string };

type DueDates = {
  loan: Pick<Loan, 'loanNumber' | 'status' | 'createdAt' | 'updatedAt'>;
  disbursedOn: ManilaDate | undefined;
  /** Rises with each version of the contract, and with whatever changes the loan after that. */
  sequence: number;
  documentNumber: string | undefined;
  rows: readonly Due[];
  /** Payments of earlier versions that the current one no longer has. */
  gone: readonly Due[];
  lender: Lender;
  language: DateLanguage;
};

/** Every payment as an all-day event with a reminder the morning before. */
function dueEvents(given: DueDates): CalendarEvent[] {
  const { loan, sequence, rows, gone, language } = given;
  const { document, papers } = paperWords(language);
  const words = document.calendar;
  const statusWords: Record<string, string> = papers.rowStatuses;
  const description = descriptionOf(given);
  const status = statusOf(loan.status);
  const event = (due: Due, count: number, its: CalendarEvent['status']): CalendarEvent => {
    const payment = words.payment({ number: due.number, count, amount: formatPeso(due.amount) });
    const summary =
      due.status === 'pending' ? payment : `${payment} (${statusWords[due.status] ?? due.status})`;
    // Nothing is due any more of what is paid, and of what was settled early nothing ever was.
    const isOff = its === 'CANCELLED' || due.status === 'settled';
    return {
      uid: `${loan.loanNumber}-${due.number}@hiram`,
      sequence,
      writtenAt: loan.updatedAt,
      day: due.day,
      summary,
      description,
      status: isOff ? 'CANCELLED' : its,
      ...(isOff || due.status === 'paid'
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

/** Dates of an undecided loan are tentative, and of a rejected one nothing falls due. */
function statusOf(status: string): CalendarEvent['status'] {
  const { standing } = applicationProgress(status);
  if (standing === 'positive') return 'CONFIRMED';
  return standing === 'negative' ? 'CANCELLED' : 'TENTATIVE';
}

function descriptionOf({ loan, disbursedOn, documentNumber, lender, language }: DueDates): string {
  const { document, terms } = paperWords(language);
  const words = document.calendar;
  const startDate = formatManilaDate(disbursedOn ?? manilaDate(loan.createdAt), language);
  return [
    words.loan(loan.loanNumber),
    ...(documentNumber === undefined ? [] : [words.contract(documentNumber)]),
    `${lender.name}, ${lender.supportPhone}, ${lender.supportEmail}`,
    `${terms.dates({ startDate, isDisbursed: disbursedOn !== undefined })} ${words.notFollowing}`,
  ].join('\n');
}

/** An entry that lasts a whole day, wherever the reader of the calendar is. */
type CalendarEvent = {
  /** Its name for good: adding an entry of the same name changes the one that is there. */
  uid: string;
  /** Counts the changes; the higher one wins. */
  sequence: number;
  writtenAt: Date;
  day: ManilaDate;
  summary: string;
  /** Lines are kept. */
  description: string;
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
  reminder?: { hoursBefore: number; text: string };
};

/** An iCalendar file (RFC 5545). */
function calendarText(events: readonly CalendarEvent[], about: { language: string }): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//Hiram//Payment schedule//${about.language.toUpperCase()}`,
    'CALSCALE:GREGORIAN',
    ...events.flatMap((event) => eventLines(event, about.language)),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

function eventLines(event: CalendarEvent, language: string): string[] {
  const { uid, sequence, writtenAt, day, summary, description, status, reminder } = event;
  const text = (name: string, value: string) => folded(`${name};LANGUAGE=${language}:${escaped(value)}`);
  return [
    'BEGIN:VEVENT',
    folded(`UID:${escaped(uid)}`),
    `DTSTAMP:${utcText(writtenAt)}`,
    `LAST-MODIFIED:${utcText(writtenAt)}`,
    `SEQUENCE:${sequence}`,
    `DTSTART;VALUE=DATE:${dayText(day)}`,
    // The end is the day after: it is not part of the entry.
    `DTEND;VALUE=DATE:${dayText(addDays(day, 1))}`,
    text('SUMMARY', summary),
    text('DESCRIPTION', description),
    `STATUS:${status}`,
    // A due date does not make anybody busy.
    'TRANSP:TRANSPARENT',
    ...(reminder
      ? [
          'BEGIN:VALARM',
          'ACTION:DISPLAY',
          text('DESCRIPTION', reminder.text),
          `TRIGGER:-PT${reminder.hoursBefore}H`,
          'END:VALARM',
        ]
      : []),
    'END:VEVENT',
  ];
}

const dayText = (day: ManilaDate) => day.replaceAll('-', '');

/** `20261120T024200Z`. */
const utcText = (moment: Date) => `${moment.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** A value of type TEXT (RFC 5545 section 3.3.11). Characters that no calendar may hold are left out. */
function escaped(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, '')
    .replace(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll('\n', '\\n');
}

const LINE_BYTES = 75;

/** A line of at most 75 bytes, the rest on lines that begin with a space (RFC 5545 section 3.1). No character is cut. */
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
