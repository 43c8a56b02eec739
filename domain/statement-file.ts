import { parsePesos } from './money.ts';
import type { StatementLine } from './statement.ts';
import { type DayOrder, orderOfDays, readWrittenDay } from './written-day.ts';

/** A statement as a bank or wallet exports it: which of its columns is what, and the credits that it has. */

export type StatementColumns = {
  date: number;
  /** Credits alone, or credits and debits by their sign. */
  amount: number;
  reference?: number | undefined;
  text?: number | undefined;
};

export type StatementColumn = keyof StatementColumns;

type Line = { record: readonly string[]; line: number };

/** The words of a column's head, the likelier first. */
const heads: Record<StatementColumn, readonly RegExp[]> = {
  date: [/\b(transaction|txn|trans|posting|value) ?date\b/i, /\b(date|petsa)\b/i, /\bday\b/i],
  amount: [/\b(credits?|deposits?|cash in|money in|received)\b/i, /\b(amount|amt|halaga)\b/i],
  reference: [/\b(ref|reference)\b/i, /\b(trace|transaction (id|no|number)|txn id|check no)\b/i],
  text: [
    /\b(description|details?|particulars?|remarks?|narration|narrative|memo|notes?|message)\b/i,
    /\b(from|sender|name)\b/i,
  ],
};

const names = Object.keys(heads) as StatementColumn[];

const plainHead = (cell: string) => cell.replace(/[_.:#]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2');

/** Guesses the columns by their heads. A column is one thing only. */
export function guessColumns(head: readonly string[]): Partial<StatementColumns> {
  const guessed: Partial<StatementColumns> = {};
  for (const name of names) {
    const taken = Object.values(guessed);
    const places = heads[name].map((word) =>
      head.findIndex((cell, index) => !taken.includes(index) && word.test(plainHead(cell))),
    );
    const place = places.find((index) => index >= 0);
    if (place !== undefined) guessed[name] = place;
  }
  return guessed;
}

/** Lines above the columns' heads that are searched: banks print the account and the period there. */
const linesAbove = 40;

/** Returns which record has the heads of the columns: the first that names a day and an amount, else the first of the widest. */
export function headIndexOf(records: readonly Line[]): number {
  const first = records.slice(0, linesAbove);
  const named = first.findIndex(({ record }) => {
    const { date, amount } = guessColumns(record);
    return date !== undefined && amount !== undefined;
  });
  if (named >= 0) return named;
  const widths = first.map(({ record }) => record.filter((cell) => cell !== '').length);
  return Math.max(0, widths.indexOf(Math.max(...widths)));
}

/** Two marks of thousands, or two decimals. */
const inPoints = /^\d{1,3}(,\d{3})*(\.\d{1,2})?$|^\d+(\.\d{1,2})?$/;
const inCommas = /^\d{1,3}(\.\d{3})*,\d{1,2}$|^\d+,\d{1,2}$/;

/**
 * Centavos of an amount as banks write it: `PHP 1,234.50`, `1.234,50`, `(1,234.50)`, `1,234.50 DR`. Below zero is a
 * debit; zero for an empty cell or a dash; undefined for what is no amount.
 */
export function readWrittenAmount(written: string): number | undefined {
  const bare = written.replace(/₱|PHP|Php|\s|\u00a0/g, '').replace(/[−–]/g, '-');
  if (/^-*$/.test(bare)) return 0;
  const isDebit = /^\(.*\)$|^-|-$|(DR|DB|D)$/i.test(bare);
  const digits = bare.replace(/^[(+-]|[)+-]$|(CR|DR|DB|C|D)$/gi, '').replace(/^[+-]|[+-]$/g, '');
  const plain = inPoints.test(digits)
    ? digits.replaceAll(',', '')
    : inCommas.test(digits)
      ? digits.replaceAll('.', '').replace(',', '.')
      : undefined;
  const centavos = plain === undefined ? undefined : parsePesos(plain);
  return centavos === undefined ? undefined : isDebit ? 0 - centavos : centavos;
}

export type StatementCredits = {
  /** Each with its line in the file. */
  credits: (StatementLine & { line: number })[];
  debits: number;
  /** Lines of the file whose day or amount cannot be read, such as that of the totals. */
  unread: number[];
  /** Undefined where days can be read in one way only, whatever comes first. */
  order: DayOrder | 'unknown' | undefined;
};

/** The credits among the records below the heads. `first` decides on days that can be read both ways. */
export function creditsOf(
  records: readonly Line[],
  columns: StatementColumns,
  first: DayOrder | undefined,
): StatementCredits {
  const filled = records.filter(({ record }) => record.some((cell) => cell !== ''));
  const cellOf = ({ record }: Line, column: number | undefined) =>
    column === undefined ? '' : (record[column] ?? '');
  const order = orderOfDays(filled.map((line) => cellOf(line, columns.date)))?.first;
  const read: StatementCredits = { credits: [], debits: 0, unread: [], order };
  const dayFirst = order === 'unknown' ? (first ?? 'day') : (order ?? 'day');
  for (const line of filled) {
    const date = readWrittenDay(cellOf(line, columns.date), dayFirst);
    const amountCentavos = readWrittenAmount(cellOf(line, columns.amount));
    if (date === undefined || amountCentavos === undefined) read.unread.push(line.line);
    else if (amountCentavos <= 0) read.debits += 1;
    else {
      const [reference, text] = [cellOf(line, columns.reference), cellOf(line, columns.text)];
      read.credits.push({ date, amountCentavos, reference, text, line: line.line });
    }
  }
  return read;
}

const delimiters = [';', '\t', ','];

/** The character between the cells: a semicolon where the comma is the decimal sign. */
export function delimiterOf(text: string): string {
  const lines = text.split(/\r?\n/, linesAbove).filter((line) => line.trim() !== '');
  const usual = (delimiter: string) => lines.filter((line) => line.split(delimiter).length > 2).length;
  return delimiters.find((one) => usual(one) * 2 >= lines.length) ?? ',';
}
