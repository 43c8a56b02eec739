import type { output } from 'zod/mini';
import { PortfolioReply } from '#contract/collection.ts';
import { ContractLender } from '#contract/loan.ts';
import { ExpectedReply, type MonthQuery, MonthReply, TrendReply } from '#contract/month.ts';
import {
  ageingTable,
  dueTable,
  expectedTable,
  type MonthTable,
  monthName,
  riskTable,
  showCell,
  tablesOfMonth,
} from '#contract/month-tables.ts';
import { month as labels } from '#contract/wording/panel-month.ts';
import { formatManilaDate, formatManilaInstant, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { type ManilaMonth, monthOf, monthsUpTo } from '#domain/month.ts';
import type { Deps } from '#server/deps.ts';
import { contentWidth, writeNote, writeStrip, writeTable } from '#server/platform/pdf-paper.ts';
import { paperWords, pdfAnswer, writeSampleNotice } from './lender-paper.ts';
import { readExpectedWeeks, readMonth, readTrend } from './month-service.ts';
import { readPortfolioNow } from './portfolio-service.ts';

/** Takes the share of the width that the first column, which is text, has more than another. */
const firstColumnShare = 1.6;

/** Prints the month with its pictures as tables, as it is known now (§month). */
export async function readMonthPdf(deps: Deps, query: output<typeof MonthQuery>) {
  const created = deps.clock.now();
  const report = MonthReply.parse(await readMonth(deps, query));
  const asOf = report.asOf as ManilaDate;
  // The ageing of a past day folds every loan, for which a paper has no patience: the page has it.
  const ageing =
    asOf === manilaDate(created) ? [ageingTable(PortfolioReply.parse(await readPortfolioNow(deps)))] : [];
  const trend = await readTrendUpTo(deps, report.month as ManilaMonth);
  const weeks = (await allOf(readExpectedWeeks(deps, {}))).map((row) => ExpectedReply.parse(row));
  const tables = [
    ...tablesOfMonth(report),
    ...ageing,
    riskTable(trend),
    dueTable(trend),
    expectedTable(weeks),
  ];
  const words = paperWords('en');
  const lender = ContractLender.parse(deps.config.lender);
  const { paper: names } = labels;
  const letterhead = {
    lender,
    words,
    title: names.title,
    documentNumber: monthName(report.month),
    created,
    logo: deps.paperLogo,
  };
  return pdfAnswer(letterhead, ['month', report.month], async (paper) => {
    paper.y += 6;
    writeStrip(paper, [
      [labels.month, monthName(report.month)],
      [names.asOf, formatManilaDate(asOf, 'en')],
      [names.asKnown, formatManilaInstant(created, 'en')],
      [names.counted, names.byValueDate],
    ]);
    writeSampleNotice(paper, letterhead);
    for (const table of tables) await writeTable(paper, table.name, printed(table));
    writeNote(paper, names.note);
  });
}

/** Reads the twelve months up to one, which may be long past. */
async function readTrendUpTo(deps: Deps, month: ManilaMonth) {
  const present = monthOf(manilaDate(deps.clock.now()));
  const since = monthsUpTo(present, limits.trendMonthsMax).indexOf(month);
  const months = Math.min(limits.trendMonthsMax, limits.trendMonthsMax - since - 1 + limits.trendMonths);
  const rows = (await allOf(readTrend(deps, { months }))).map((row) => TrendReply.parse(row));
  return rows.slice(0, rows.findIndex((row) => row.month === month) + 1).slice(-limits.trendMonths);
}

async function allOf<Row>(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

function printed({ columns, rows }: MonthTable) {
  const shares = columns.map((_, index) => (index === 0 ? firstColumnShare : 1));
  const share = (contentWidth - 8) / shares.reduce((sum, one) => sum + one, 0);
  return {
    columns: columns.map(({ head, kind }, index) => ({
      head,
      width: share * (shares[index] ?? 1) - 2,
      align: kind === 'text' || index === 0 ? ('left' as const) : ('right' as const),
    })),
    rows: rows.map((row) => ({
      cells: row.map((value, index) => showCell(value, columns[index]?.kind ?? 'text')),
    })),
  };
}
