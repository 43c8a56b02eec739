import writeWorkbook, { type CellObject } from 'write-excel-file/universal';
import type { CellKind, MonthTable } from '#contract/month-tables.ts';

const formats: Partial<Record<CellKind, string>> = {
  money: '#,##0.00',
  percent: '0.00%',
  day: 'd mmm yyyy',
  month: 'mmm yyyy',
};

const widths: Record<CellKind, number> = { text: 44, money: 18, count: 12, percent: 20, day: 14, month: 12 };

/** Midnight UTC, which the library writes as that day. */
const dayOf = (text: string) => new Date(`${text}T00:00:00Z`);

/**
 * A cell of its kind: amounts are numbers, days are dates. Text is text whatever it begins with, since only the type *Formula*,
 * which nothing here has, is ever computed.
 */
function cellOf(value: string | number | null, kind: CellKind): CellObject | null {
  if (value === null) return null;
  const format = formats[kind];
  const shown = format === undefined ? {} : { format };
  switch (kind) {
    case 'text':
      return { type: String, value: String(value) };
    case 'day':
      return { type: Date, value: dayOf(String(value)), ...shown };
    case 'month':
      return { type: Date, value: dayOf(`${value}-01`), ...shown };
    case 'percent':
      return { type: Number, value: Number((Number(value) / 100).toFixed(6)), ...shown };
    default:
      return { type: Number, value: Number(value), ...shown };
  }
}

/** A workbook with a sheet for each table, its head in bold and always in sight. */
export const workbookOf = (tables: readonly MonthTable[]): Promise<Blob> =>
  writeWorkbook(
    tables.map(({ name, columns, rows }) => ({
      sheet: name,
      columns: columns.map(({ kind }) => ({ width: widths[kind] })),
      stickyRowsCount: 1,
      data: [
        columns.map(({ head }) => ({ type: String, value: head, fontWeight: 'bold' as const })),
        ...rows.map((row) => row.map((value, index) => cellOf(value, columns[index]?.kind ?? 'text'))),
      ],
    })),
  ).toBlob();
