import { formatManilaDate, type ManilaDate } from '#domain/calendar.ts';
import { centavos, formatPeso, parseSignedPesos, pesosText } from '#domain/money.ts';
import { sharePercent } from '#domain/rates.ts';
import type { Portfolio } from './collection.ts';
import type { CsvColumn } from './csv.ts';
import type { Expected, Month, Trend } from './month.ts';
import { list } from './wording/panel-every-page.ts';
import { month as words } from './wording/panel-month.ts';
import { servicing } from './wording/panel-servicing.ts';

const { columns: heads } = words;

/** Says how a column is shown, written into CSV and into a cell of a spreadsheet: its values are those of the API. */
export type CellKind = 'text' | 'money' | 'count' | 'percent' | 'day' | 'month';

export type TableColumn = { head: string; kind: CellKind };

/** A table of the month: what is shown instead of a picture, its CSV, and a sheet of the workbook are all made of it. */
export type MonthTable = {
  name: string;
  columns: readonly TableColumn[];
  rows: readonly (readonly (string | number | null)[])[];
};

const longMonth = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `November 2026`. */
export const monthName = (month: string): string => longMonth.format(new Date(`${month}-01`));

/** `20 Nov 2026`. */
const showDay = (day: string): string => formatManilaDate(day as ManilaDate, 'en');

/** `Nov 2026`. */
export const shortMonth = (month: string): string => showDay(`${month}-01`).slice(2).trim();

export function showCell(value: string | number | null, kind: CellKind): string {
  if (value === null) return list.dash;
  switch (kind) {
    case 'money':
      return formatPeso(centavos(signed(String(value))));
    case 'count':
      return Number(value).toLocaleString('en');
    case 'percent':
      return list.percent(String(value));
    case 'day':
      return showDay(String(value));
    case 'month':
      return shortMonth(String(value));
    default:
      return String(value);
  }
}

export const csvColumnsOf = ({ columns }: MonthTable): CsvColumn<MonthTable['rows'][number]>[] =>
  columns.map(({ head }, index) => ({ head, value: (row) => row[index] ?? null }));

type MonthLine = { part: string; figure: string; amount: string | null; number: number | null };

/** The figures of a month as one CSV, each with the name of its table: an amount, a number, or both. */
export const csvColumnsOfMonth: readonly CsvColumn<MonthLine>[] = [
  { head: heads.part, value: ({ part }) => part },
  { head: heads.figure, value: ({ figure }) => figure },
  { head: heads.amount, value: ({ amount }) => amount },
  { head: heads.count, value: ({ number }) => number },
];

export const csvLinesOfMonth = (month: Month): MonthLine[] =>
  tablesOfMonth(month).flatMap(({ name, columns, rows }) =>
    rows.map((row) => {
      const cellOf = (wanted: CellKind) => row[columns.findIndex(({ kind }) => kind === wanted)] ?? null;
      const [amount, number] = [cellOf('money'), cellOf('count')];
      return {
        part: name,
        figure: String(cellOf('text')),
        amount: amount === null ? null : String(amount),
        number: number === null ? null : Number(number),
      };
    }),
  );

/** The centavos of an amount of the API, which may be below zero. */
export const signed = (pesos: string): number => parseSignedPesos(pesos) ?? 0;

const sumText = (amounts: readonly string[]): string =>
  pesosText(centavos(amounts.reduce((total, amount) => total + signed(amount), 0)));

const text = (head: string): TableColumn => ({ head, kind: 'text' });
const money = (head: string): TableColumn => ({ head, kind: 'money' });
const count = (head: string): TableColumn => ({ head, kind: 'count' });

export const changeOf = ({ principal: { start, end } }: Month): string =>
  pesosText(centavos(signed(end) - signed(start)));

export const earnedIn = ({ income }: Month): string => sumText([income.interest, income.lateCharges]);

export const collectedIn = ({ collected }: Month) => ({
  count: collected.reduce((total, line) => total + line.count, 0),
  amount: sumText(collected.map(({ amount }) => amount)),
});

/** The tables of the figures themselves: one for each region of the page. */
export function tablesOfMonth(month: Month): MonthTable[] {
  const { principal, loans, bridge, income, recovered, collected, applications } = month;
  const all = collectedIn(month);
  const parts = ['start', 'released', 'cancelled', 'received', 'writtenOff', 'end'] as const;
  const loansOf = { ...loans, received: loans.closed };
  return [
    {
      name: words.principal,
      columns: [text(heads.figure), money(heads.amount), count(heads.loans)],
      rows: parts.map((part) => [words.parts[part], principal[part], loansOf[part]]),
    },
    {
      name: words.toJournal,
      columns: [text(heads.figure), money(heads.amount)],
      rows: [
        ...(['journal', 'datedEarlier', 'recordedLater', 'reallocated'] as const).map((part) => [
          words.bridgeTable[part],
          bridge[part],
        ]),
        [words.bridgeTable.change, changeOf(month)],
      ],
    },
    {
      name: words.income,
      columns: [text(heads.figure), money(heads.amount), count(heads.payments)],
      rows: [
        [words.incomeParts.interest, income.interest, null],
        [words.incomeParts.lateCharges, income.lateCharges, null],
        [words.incomeParts.earned, earnedIn(month), null],
        [words.recovered, recovered.amount, recovered.count],
      ],
    },
    {
      name: words.collected,
      columns: [text(heads.channel), count(heads.payments), money(heads.amount)],
      rows: [
        ...collected.map((line) => [servicing.channels[line.channel], line.count, line.amount]),
        [words.everyChannel, all.count, all.amount],
      ],
    },
    {
      name: words.applications,
      columns: [text(heads.figure), count(heads.count)],
      rows: [
        ...(['received', 'approved', 'denied', 'released'] as const).map((part) => [
          words.applicationParts[part],
          applications[part],
        ]),
        [
          words.median,
          applications.medianDaysToDecision === null ? null : Number(applications.medianDaysToDecision),
        ],
      ],
    },
  ];
}

export const riskTable = (trend: Trend): MonthTable => ({
  name: words.figures.risk,
  columns: [
    { head: heads.month, kind: 'month' },
    money(heads.principalOut),
    { head: heads.par30, kind: 'percent' },
  ],
  rows: trend.map(({ month, principalOut, par30 }) => [month, principalOut, par30]),
});

export const dueTable = (trend: Trend): MonthTable => ({
  name: words.figures.due,
  columns: [{ head: heads.month, kind: 'month' }, money(heads.due), money(heads.collected)],
  rows: trend.map(({ month, due, collected }) => [month, due, collected]),
});

export const bucketName = (bucket: string): string =>
  bucket === 'current' ? words.ageing.onTime : words.ageing.days(bucket.replace('-', '–'));

export const ageingTable = ({ buckets, principalOut }: Portfolio): MonthTable => ({
  name: words.figures.ageing,
  columns: [
    text(heads.bucket),
    count(heads.loans),
    money(heads.principalLeft),
    { head: heads.share, kind: 'percent' },
    money(heads.overdue),
  ],
  rows: buckets.map(({ bucket, loans, principalLeft, overdue }) => [
    bucketName(bucket),
    loans,
    principalLeft,
    sharePercent(signed(principalLeft), signed(principalOut)),
    overdue,
  ]),
});

export const expectedTable = (weeks: Expected): MonthTable => ({
  name: words.figures.expected,
  columns: [{ head: heads.from, kind: 'day' }, { head: heads.to, kind: 'day' }, money(heads.expected)],
  rows: weeks.map(({ from, to, amount }) => [from, to, amount]),
});
