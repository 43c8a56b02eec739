import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import { type CsvRecord, csvRecords, readCell } from '#contract/csv-records.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { limits } from '#domain/limits.ts';
import { accountChannels, needsReference, type PaymentChannel } from '#domain/payment.ts';
import { delimiterOf, guessColumns, headIndexOf, type StatementColumns } from '#domain/statement-file.ts';
import type { DayOrder } from '#domain/written-day.ts';
import { readStored, writeStored } from '#web/lib/stored-value.ts';

const words = panel.statement;

/** The records of a file: the heads of its columns, and what is below them. */
export type StatementFile = { name: string; head: readonly string[]; records: readonly CsvRecord[] };

/** Reads a file as a bank exports it. Returns a sentence if it cannot be read. */
export async function readStatementFile(file: File): Promise<StatementFile | string> {
  if (file.size > limits.statementFileMaxBytes) return words.faults.tooLarge;
  const bytes = await file.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => undefined,
  );
  if (!bytes) return words.faults.unreadable;
  // A spreadsheet is a zip archive, an old one a compound file.
  const [first, second] = bytes;
  if ((first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf))
    return words.faults.spreadsheet;
  const text = decode(bytes);
  try {
    const records = csvRecords(parse as Parameters<typeof csvRecords>[0], text, delimiterOf(text)).map(
      ({ record, line }) => ({ record: record.map(readCell), line }),
    );
    const at = headIndexOf(records);
    const head = records[at]?.record;
    return head?.some((cell) => cell !== '')
      ? { name: file.name, head, records: records.slice(at + 1) }
      : words.faults.empty;
  } catch (error) {
    if (error instanceof CsvError) return words.faults.quotes(Number(error.lines ?? 0));
    throw error;
  }
}

/** UTF-8 or UTF-16 with a byte order mark; else the alphabet that Windows programs of earlier days write. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The way to read a file: the place of each column, the order of its days, and the account that it is of. */
export type StatementReading = Partial<StatementColumns> & {
  channel: PaymentChannel;
  account: string;
  first?: DayOrder | undefined;
};

export const statementChannels = accountChannels.filter(needsReference);

const storeKey = 'statementColumns';

/** The readings of other heads are forgotten, the oldest first. */
const readingsKept = 20;

type Kept = Record<string, StatementReading>;

function readKept(): Kept {
  try {
    return JSON.parse(readStored(storeKey) ?? '{}') as Kept;
  } catch {
    return {};
  }
}

const headKey = (head: readonly string[]) => head.join('|');

/** Returns the reading that was last used for these heads, or else guesses one by their words. */
export function readingOf(head: readonly string[]): Partial<StatementReading> {
  return readKept()[headKey(head)] ?? guessColumns(head);
}

/** Remembers how files with these heads are read: heads, places and the lender's own account, nothing of a line. */
export function keepReading(head: readonly string[], reading: StatementReading): void {
  const { [headKey(head)]: _, ...others } = readKept();
  const newest = Object.entries({ ...others, [headKey(head)]: reading }).slice(-readingsKept);
  writeStored(storeKey, JSON.stringify(Object.fromEntries(newest)));
}
