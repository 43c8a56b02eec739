import { csvPieces } from '#contract/csv.ts';
import { type DateLanguage, type ManilaDate, parseManilaDate } from '#domain/calendar.ts';
import { type Centavos, centavos, pesosText } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { calendarText } from '#server/platform/calendar-file.ts';
import type { Loan } from '#server/store/loan-store.ts';
import { findNewestTerms, type LoanTermsVersion, readTermsOf } from '#server/store/loan-terms-store.ts';
import {
  attachmentName,
  documentNumberOf,
  findReadableLoan,
  frozenAmount,
  frozenQuoteOf,
  type PaperReader,
} from './agreed-terms.ts';
import { ownInstalments } from './loan-view.ts';
import { paperWords } from './paper-words.ts';
import { dueEvents } from './schedule-events.ts';

/** A row of a schedule: input of `ScheduleRow`. */
export type ScheduleEntry = { number: number; dueDate: string; amount: Centavos; status: string };

/** The instalments of a loan's newest terms. Its borrower and staff may read them; for others the loan is not there. */
export async function readSchedule(deps: Deps, reader: PaperReader, loanId: number) {
  const { loan } = await findReadableLoan(deps, reader, loanId);
  const terms = await deps.database.read((handle) => findNewestTerms(handle, loanId));
  return rowsOf(loan, terms);
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
 * that adding the file again moves the entries instead of doubling them, and takes back those that have gone.
 */
export async function readScheduleCalendar(
  deps: Deps,
  reader: PaperReader,
  loanId: number,
  language: DateLanguage,
) {
  const { loan } = await findReadableLoan(deps, reader, loanId);
  const [terms, ...earlier] = await deps.database.read((handle) => readTermsOf(handle, loanId));
  const version = terms?.version ?? 0;
  const rows = rowsOf(loan, terms);
  const gone = earlier
    .map((older) => rowsOf(loan, older))
    .reduce((longest, one) => (one.length > longest.length ? one : longest), [])
    .slice(rows.length);
  const events = dueEvents({
    loan,
    version,
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
export async function readScheduleTable(
  deps: Deps,
  reader: PaperReader,
  loanId: number,
  language: DateLanguage,
) {
  const { loan } = await findReadableLoan(deps, reader, loanId);
  const terms = await deps.database.read((handle) => findNewestTerms(handle, loanId));
  const { document, rowStatuses } = paperWords(language);
  const words = document.table;
  const statusWords: Record<string, string> = rowStatuses;
  const pieces = csvPieces(
    [
      { head: words.number, value: ({ number }) => number },
      { head: words.dueDate, value: ({ dueDate }) => dueDate },
      { head: words.amount, value: ({ amount }) => pesosText(amount) },
      { head: words.leftAfter, value: ({ left }) => pesosText(left) },
      { head: words.status, value: ({ status }) => statusWords[status] ?? status },
    ],
    withWhatIsLeft(rowsOf(loan, terms)),
  );
  return {
    contentType: 'text/csv; charset=utf-8',
    body: [...pieces].join(''),
    headers: fileHeaders(`${loan.loanNumber}.csv`, language),
  };
}

/** What is left is counted down from the sum of all rows, so that the last one leaves nothing. */
function withWhatIsLeft(rows: readonly ScheduleEntry[]) {
  let left: number = rows.reduce((sum, { amount }) => sum + amount, 0);
  return rows.map((row) => {
    left -= row.amount;
    return { ...row, left: centavos(left) };
  });
}

function withDay({ number, dueDate, amount }: ScheduleEntry): {
  number: number;
  day: ManilaDate;
  amount: Centavos;
} {
  const day = parseManilaDate(dueDate);
  if (!day) throw new Error('a frozen quote holds a day that cannot be read');
  return { number, day, amount };
}

const fileHeaders = (name: string, language: DateLanguage) => ({
  'content-disposition': `attachment; filename="${attachmentName(name)}"`,
  'content-language': paperWords(language).document.languageTag,
});
