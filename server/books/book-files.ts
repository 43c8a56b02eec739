import { constants, open } from 'node:fs/promises';
import path from 'node:path';
import { CsvError, parse } from 'csv-parse/sync';
import * as z from 'zod/mini';
import { type CsvRecord, csvRecords, readCell } from '#contract/csv-records.ts';
import { day, numberText, parsed, phone, says } from '#contract/fields.ts';
import { loanPurpose } from '#contract/loan.ts';
import { ProfileForm } from '#contract/profile.ts';
import { PaymentForm, rulesOfChannel } from '#contract/servicing.ts';
import { staffLoanAmount, staffLoanTermMonths } from '#contract/staff-loan.ts';
import { en, type ValidationKey } from '#contract/wording/en.ts';
import { limits } from '#domain/limits.ts';
import { paymentChannels } from '#domain/payment.ts';
import { profileFieldNames } from '#domain/profile.ts';
import { parsePercent } from '#domain/rates.ts';
import { orderOfDays } from '#domain/written-day.ts';
import { codeOf } from '#server/platform/file-system.ts';

export const bookColumns = {
  'members.csv': {
    required: ['number', 'fullName', 'phone'],
    optional: profileFieldNames.filter((name) => name !== 'fullName'),
  },
  'loans.csv': {
    required: ['number', 'memberNumber', 'amount', 'termMonths', 'monthlyRate', 'disbursedOn', 'purpose'],
    optional: [],
  },
  'receipts.csv': { required: ['loanNumber', 'date', 'amount', 'channel'], optional: ['reference'] },
} as const satisfies Record<string, { required: readonly string[]; optional: readonly string[] }>;

type BookFile = keyof typeof bookColumns;

/** `line` 0 is the file as a whole. */
export type BookFault = { file: BookFile; line: number; what: string };

const number = numberText({ min: 1, message: says('textTooShort') });

const BookMember = z.extend(z.partial(ProfileForm), { number, fullName: ProfileForm.shape.fullName, phone });
const BookLoan = z.object({
  number,
  memberNumber: number,
  amount: staffLoanAmount,
  termMonths: staffLoanTermMonths,
  monthlyRate: parsed(parsePercent, says('textUnreadable')),
  disbursedOn: day,
  purpose: loanPurpose,
});
/** All faults of a row are named at once, so fields are compared even if others are faulty. */
const BookReceipt = z.safeExtend(PaymentForm, { loanNumber: number, valueDate: day }).check(
  ...rulesOfChannel(
    (...fields) =>
      ({ issues }) =>
        !issues.some(({ path }) => fields.includes(String(path?.[0]))),
  ),
);

/** `line` is the row's last one in its file. */
type Row<Schema extends z.ZodMiniType> = z.output<Schema> & { line: number };
export type BookMember = Row<typeof BookMember>;
export type BookLoan = Row<typeof BookLoan>;
export type BookReceipt = Row<typeof BookReceipt>;

/** A row by column, trimmed, without empty cells. */
type Cells = Readonly<Record<string, string>>;
type CellRow = { line: number; cells: Cells };

type Rows<Item> = {
  /** The rows without a fault of their own. */
  sound: Item[];
  /** All of them; of a faulty row only its valid fields. Undefined if the file cannot be read. */
  read: readonly (Partial<Item> & { line: number })[] | undefined;
};

export type Book = {
  members: Rows<BookMember>;
  loans: Rows<BookLoan>;
  receipts: Rows<BookReceipt>;
  faults: BookFault[];
};

/** The three files, each row checked by what the product's own forms ask for (§taking-over-a-book). */
export async function readBook(folder: string): Promise<Book> {
  const faults: BookFault[] = [];
  return {
    members: await readChecked(folder, 'members.csv', BookMember, faults, ({ phone, ...cells }) => ({
      ...cells,
      phone: withLeadingZero(phone),
      referencePhone: withLeadingZero(cells.referencePhone),
      monthlySalary: plainAmount(cells.monthlySalary),
    })),
    loans: await readChecked(folder, 'loans.csv', BookLoan, faults, (cells, dayOf) => ({
      ...cells,
      amount: plainAmount(cells.amount),
      termMonths: /^\d+$/.test(cells.termMonths ?? '') ? Number(cells.termMonths) : cells.termMonths,
      monthlyRate: cells.monthlyRate?.replace(/ ?%$/, ''),
      disbursedOn: dayOf('disbursedOn'),
    })),
    receipts: await readChecked(folder, 'receipts.csv', BookReceipt, faults, (cells, dayOf) => ({
      ...cells,
      amount: plainAmount(cells.amount),
      channel: cells.channel?.toLowerCase().replace(/[ -]+/g, '_'),
      valueDate: dayOf('date'),
    })),
    faults,
  };
}

/** Undefined, with a fault, if the file or its first line cannot be read. */
async function readRows(folder: string, file: BookFile, faults: BookFault[]): Promise<CellRow[] | undefined> {
  const before = faults.length;
  const add = (line: number, what: string) => faults.push({ file, line, what });
  const bytes = await readRegularFile(path.join(folder, file), (what) => add(0, what)).catch(
    (error: unknown) => {
      add(0, codeOf(error) === 'ENOENT' ? 'is not in the folder' : `cannot be read (${codeOf(error)})`);
      return undefined;
    },
  );
  if (!bytes) return undefined;
  const records = recordsIn(bytes, add);
  const [head, ...rows] = (records ?? []).map(withoutTail);
  if (records && !head) add(0, 'is empty');
  if (!head) return undefined;

  const known = [...bookColumns[file].required, ...bookColumns[file].optional];
  const names = head.record.map(
    (cell) => known.find((name) => name.toLowerCase() === cell.trim().toLowerCase()) ?? cell.trim(),
  );
  for (const name of new Set(names)) {
    if (!known.some((one) => one === name))
      add(1, `there is no column "${name}"; there are ${known.join(', ')}`);
    else if (names.indexOf(name) !== names.lastIndexOf(name)) add(1, `column ${name} is there twice`);
  }
  for (const name of bookColumns[file].required)
    if (!names.includes(name)) add(1, `column ${name} is missing`);
  if (faults.length > before) return undefined;

  return rows.flatMap(({ record: cells, line, width }) => {
    if (cells.length === 0) return [];
    if (cells.length > names.length || width < names.length) {
      add(
        line,
        `has ${Math.max(cells.length, Math.min(width, names.length))} cells, and the first line ${names.length}`,
      );
      return [];
    }
    const filled = names.flatMap((name, index) => (cells[index] ? [[name, cells[index]] as const] : []));
    return { line, cells: Object.fromEntries(filled) };
  });
}

/** A link may lead to a device that never ends. */
async function readRegularFile(where: string, refuse: (what: string) => void): Promise<Buffer | undefined> {
  // Opening does not wait for somebody who writes into a pipe.
  const handle = await open(where, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    const mostMegabytes = limits.bookFileMaxBytes / 1024 ** 2;
    if (!stats.isFile()) refuse('is no regular file');
    else if (stats.size > limits.bookFileMaxBytes) refuse(`is larger than ${mostMegabytes} MB`);
    else return await handle.readFile();
    return undefined;
  } finally {
    await handle.close();
  }
}

/** `width`: with the empty cells at its end. */
type WideRecord = CsvRecord & { width: number };

/** A spreadsheet writes empty cells behind the last column that it ever had. */
function withoutTail({ record, ...place }: WideRecord): WideRecord {
  const cells = record.map((cell) => readCell(cell));
  return { record: cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1), ...place };
}

/** Excel writes a byte order mark, and semicolons where the comma is the decimal sign. */
function recordsIn(bytes: Buffer, add: (line: number, what: string) => void) {
  try {
    const [first, second] = bytes;
    const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
    if (isUtf16) {
      add(0, 'is UTF-16: save it from the spreadsheet as "CSV UTF-8"');
      return undefined;
    }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const [, delimiter = ','] = /^[^,;\t\r\n]*([,;\t])/.exec(text) ?? [];
    return csvRecords(parse as Parameters<typeof csvRecords>[0], text, delimiter).map(
      ({ record, line }): WideRecord => ({ record, line, width: record.length }),
    );
  } catch (error) {
    if (error instanceof CsvError) add(Number(error.lines ?? 0), 'the quotes of this line do not close');
    else add(0, 'is not UTF-8: save it from the spreadsheet as "CSV UTF-8"');
    return undefined;
  }
}

async function readChecked<Schema extends z.ZodMiniObject>(
  folder: string,
  file: BookFile,
  schema: Schema,
  faults: BookFault[],
  form: (cells: Cells, dayOf: (column: string) => string | undefined) => Record<string, unknown>,
): Promise<Rows<Row<Schema>>> {
  const rows = await readRows(folder, file, faults);
  const order = orderOfRows(rows ?? [], dayColumns[file]);
  if (order && order.first !== 'day') {
    const { line, cell } = order;
    faults.push({ file, line, what: `${dayColumns[file]}: ${words[order.first](cell)}` });
  }
  let days: { line: number; isIso: boolean } | undefined;
  const sound: Row<Schema>[] = [];
  const read = rows?.map(({ line, cells }) => {
    const wrong = new Set<string>();
    const told = new Set<string>();
    const add = (column: string, what: string) => {
      wrong.add(column);
      told.add(`${column}${what}`);
    };
    const missing = bookColumns[file].required.filter((column) => cells[column] === undefined);
    for (const column of missing) add(column, ' is empty');
    for (const [column, cell] of Object.entries(cells)) {
      if (isShortened(cell)) add(column, `: ${words.shortened}`);
      if (isNoValue(cell)) add(column, `: ${words.noValue(cell)}`);
    }
    const rate = Number(cells.monthlyRate?.replace(/ ?%$/, ''));
    if (rate > yearlyRateFrom) add('monthlyRate', `: ${words.yearly(rate)}`);
    const dayOf = (column: string) => {
      const cell = cells[column];
      const isIso = !cell?.includes('/');
      if (cell !== undefined) days ??= { line, isIso };
      if (cell !== undefined && days?.isIso !== isIso) add(column, `: ${words.otherDays(days?.line ?? 0)}`);
      return cell?.replace(slashedDay, (_, one, two, year) => {
        const [dd, mm] = order?.first === 'month' ? [two, one] : [one, two];
        return [year, mm.padStart(2, '0'), dd.padStart(2, '0')].join('-');
      });
    };
    const typed = form(cells, dayOf);
    const { data, error } = schema.safeParse(typed);
    for (const issue of error?.issues ?? []) {
      const column = columnOf(issue.path[0]);
      if (!missing.some((one) => one === column)) add(column, `: ${sentenceOf(file, column, issue)}`);
    }
    faults.push(...[...told].map((what) => ({ file, line, what })));
    if (data && wrong.size === 0) {
      const row = { ...data, line } as Row<Schema>;
      sound.push(row);
      return row;
    }
    const well = Object.entries(schema.shape).flatMap(([name, field]) => {
      const { success, data: value } = z.safeParse(field, typed[name]);
      return success && !wrong.has(columnOf(name)) ? [[name, value]] : [];
    });
    return { ...Object.fromEntries(well), line } as Partial<Row<Schema>> & { line: number };
  });
  return { sound, read };
}

const dayColumns: Partial<Record<BookFile, string>> = { 'loans.csv': 'disbursedOn', 'receipts.csv': 'date' };
const slashedDay = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** Finds what comes first in a file's days, and returns the row that shows it. */
function orderOfRows(rows: readonly CellRow[], column = '') {
  const cells = rows.map(({ cells: { [column]: cell = '' } }) => (slashedDay.test(cell) ? cell : ''));
  const order = orderOfDays(cells);
  const row = order && rows[order.index];
  return row && { first: order.first, line: row.line, cell: cells[order.index] ?? '' };
}

const columnOf = (field: PropertyKey | undefined) => (field === 'valueDate' ? 'date' : String(field));

const words = {
  noValue: (cell: string) => `"${cell}" is no value. Correct the cell, or leave it empty`,
  yearly: (rate: number) =>
    `${rate} percent a month looks like the rate of a year. Divide it by twelve, or write the add-on rate of a month`,
  shortened: 'the spreadsheet has shortened this number. Format the column as text, and enter it again',
  month: (cell: string) =>
    `the days of this file seem to have the month first, as ${cell}. Write them as 31/12/2026 or 2026-12-31`,
  unknown: (cell: string) =>
    `nobody can tell whether the day or the month comes first in ${cell}, since no day of this file is after the twelfth. Write days as 2026-12-31`,
  otherDays: (line: number) => `days are written in another way in line ${line}: one way a file`,
  tooShort: (least: number, mayBeEmpty: boolean) =>
    `Please write it out, in at least ${least} letters or digits${mayBeEmpty ? ', or leave it empty' : ''}`,
  columns: {
    channel: `Please give one of ${paymentChannels.filter((channel) => channel !== 'wallet').join(', ')}`,
    monthlyRate: 'Please give the add-on rate in percent a month, such as 2.5',
    disbursedOn: 'Please give a day, as 31/12/2026 or 2026-12-31',
    date: 'Please give a day, as 31/12/2026 or 2026-12-31',
  } as Readonly<Record<string, string>>,
};

/** An error of a formula, or what stands for nothing in other programs. */
const isNoValue = (cell: string) => /^(#[A-Z0-9/]+[!?]?|null|n\/a|[-–—]+|\?)$/i.test(cell);

/** The product's own rate may be no higher: such a number is a yearly one. */
const yearlyRateFrom = limits.loanRateSettingMaxBasisPoints / 100;

/** True if Excel has shortened a long number, as in 9.17123E+09. */
const isShortened = (cell: string) => /^\d([.,]\d+)?E\+\d+$/i.test(cell);

function sentenceOf(file: BookFile, column: string, issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small' && issue.origin === 'string') {
    const { optional }: { optional: readonly string[] } = bookColumns[file];
    return words.tooShort(Number(issue.minimum), optional.includes(column));
  }
  const own = issue.message === says('dateTooEarly') ? undefined : words.columns[column];
  const sentence = own ?? en.validation[issue.message as ValidationKey] ?? en.errors.validation_failed;
  return sentence.replace(/\.$/, '');
}

/** Takes out ₱ and the commas of thousands; the schema refuses any other form. */
const plainAmount = (cell: string | undefined) =>
  cell
    ?.replace(/^(₱|PHP)\s*/i, '')
    .replace(/^\d{1,3}(,\d{3})+(?=\.|$)/, (whole) => whole.replaceAll(',', ''));

/** A spreadsheet takes 09171234567 for a number. */
const withLeadingZero = (cell: string | undefined) => (cell && /^9\d{9}$/.test(cell) ? `0${cell}` : cell);
