import type { input, output } from 'zod/mini';
import type {
  CollectedQuery,
  CollectedReply,
  ExpectedQuery,
  ExpectedReply,
  MonthLoanReply,
  MonthQuery,
  MonthReply,
  TrendQuery,
  TrendReply,
} from '#contract/month.ts';
import { addDays, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { type Centavos, centavos } from '#domain/money.ts';
import { firstDayOf, lastDayOf, type ManilaMonth, monthOf, monthsUpTo } from '#domain/month.ts';
import { sharePercent } from '#domain/rates.ts';
import type { Deps } from '#server/deps.ts';
import { refuseField } from '#server/failure.ts';
import { readPages } from '#server/platform/read-pages.ts';
import { readMembersOf } from '#server/store/account-store.ts';
import { readLoansById } from '#server/store/loan-store.ts';
import {
  type Days,
  readDaysCollected,
  readExpected,
  readFirstRelease,
  readMonthApplications,
  readMonthBooked,
  readMonthCollected,
  readMonthLoans,
  readMonthMoved,
  readMonthRecovered,
  readTrendDue,
  readTrendMoved,
} from '#server/store/month-store.ts';
import { viewBorrower } from './portfolio-service.ts';

const todayOf = ({ clock }: Deps): ManilaDate => manilaDate(clock.now());

/** The days of a month up to today, and all its days. Fails with `validation_failed` on `month`. */
async function daysOf(deps: Deps, given: ManilaMonth | undefined) {
  const today = todayOf(deps);
  const month = given ?? monthOf(today);
  const whole: Days = { from: firstDayOf(month), to: lastDayOf(month) };
  if (whole.from > today) refuseField('month', 'monthInFuture');
  const first = await deps.database.readOnReplica(readFirstRelease);
  if (month < monthOf(first ?? today)) refuseField('month', 'monthBeforeFirst');
  const isOver = whole.to < today;
  const days: Days = { from: whole.from, to: isOver ? whole.to : today };
  return { month, days, whole };
}

/** Reads what moved in a month, what it earned and took in, and what connects it with the journal (§month): input of `MonthReply`. */
export async function readMonth(
  deps: Deps,
  query: output<typeof MonthQuery>,
): Promise<input<typeof MonthReply>> {
  const { month, days, whole } = await daysOf(deps, query.month);
  return deps.database.snapshot(async (reader) => {
    const moved = await readMonthMoved(reader, days);
    const { interest, lateCharges, ...booked } = await readMonthBooked(reader, whole);
    const collected = await readMonthCollected(reader, days);
    const { medianDays, ...applications } = await readMonthApplications(reader, days);
    const { start, released, cancelled, received, writtenOff, end } = moved;
    const loans = {
      start: moved.loansStart,
      released: moved.loansReleased,
      cancelled: moved.loansCancelled,
      writtenOff: moved.loansWrittenOff,
      end: moved.loansEnd,
    };
    return {
      month,
      asOf: days.to,
      principal: { start, released, cancelled, received, writtenOff, end },
      loans: {
        ...loans,
        closed: loans.start + loans.released - loans.cancelled - loans.writtenOff - loans.end,
      },
      bridge: bridgeOf(moved, booked),
      income: { interest: centavos(interest), lateCharges: centavos(lateCharges) },
      recovered: await readMonthRecovered(reader, days),
      collected,
      applications: {
        ...applications,
        medianDaysToDecision: medianDays === null ? null : Number(medianDays).toFixed(1),
      },
    };
  });
}

/** `reallocated` is what remains once everything is counted on its own day. */
function bridgeOf(
  { start, end }: Record<'start' | 'end', Centavos>,
  { journal, datedEarlier, recordedLater }: Record<'journal' | 'datedEarlier' | 'recordedLater', Centavos>,
) {
  const reallocated = centavos(end - start - (journal - datedEarlier + recordedLater));
  return { journal, datedEarlier, recordedLater, reallocated };
}

/** The loans behind the figures of a month, each with its part of them: pages of inputs of `MonthLoanReply`. */
export async function* listMonthLoans(deps: Deps, query: output<typeof MonthQuery>) {
  const { days, whole } = await daysOf(deps, query.month);
  const limit = limits.listPageRows;
  const read = (afterId = 0) =>
    deps.database.snapshot(async (reader) => {
      const page = await readMonthLoans(reader, { days, wholeMonth: whole, afterId, limit });
      const loans = await readLoansById(
        reader,
        page.map(({ loanId }) => loanId),
      );
      const members = await readMembersOf(
        reader,
        loans.map(({ accountId }) => accountId),
      );
      const byId = new Map(loans.map((loan) => [loan.id, loan]));
      return page.map((line) => ({ line, loan: byId.get(line.loanId), members }));
    });
  for await (const page of readPages(read, ({ line }) => line.loanId, limit)) {
    yield page.flatMap(({ line, loan, members }): input<typeof MonthLoanReply>[] => {
      const { loanId: _, ...figures } = line;
      const bridge = bridgeOf(line, line);
      const isEmpty = [...Object.values(figures), bridge.reallocated].every((figure) => figure === 0);
      return isEmpty || !loan ? [] : [{ ...viewBorrower(loan, members), ...figures, ...bridge }];
    });
  }
}

/** The last months, this one included: what was out at the end of each, what fell due and what came in (§month). Pages of inputs of `TrendReply`. */
export async function* readTrend(deps: Deps, query: output<typeof TrendQuery>) {
  const today = todayOf(deps);
  const months = monthsUpTo(monthOf(today), query.months ?? limits.trendMonths);
  const days: Days = { from: firstDayOf(months[0] ?? monthOf(today)), to: today };
  yield await deps.database.snapshot(async (reader) => {
    const moved = new Map((await readTrendMoved(reader, days)).map((row) => [row.month, row]));
    const due = new Map((await readTrendDue(reader, days)).map((row) => [row.month, row.due]));
    let [principalOut, atRisk] = [0, 0];
    return months.map((month): input<typeof TrendReply> => {
      const { principal = 0, risk = 0, collected = 0 } = moved.get(month) ?? {};
      principalOut += principal;
      atRisk += risk;
      return {
        month,
        principalOut: centavos(principalOut),
        par30: sharePercent(atRisk, principalOut),
        due: centavos(due.get(month) ?? 0),
        collected: centavos(collected),
      };
    });
  });
}

/** Reads what was collected on each of the last days, today last (§month): pages of inputs of `CollectedReply`. */
export async function* readCollectedDays(deps: Deps, query: output<typeof CollectedQuery>) {
  const to = todayOf(deps);
  const count = query.days ?? limits.collectedDays;
  const from = addDays(to, 1 - count);
  const found = await deps.database.readOnReplica((reader) => readDaysCollected(reader, { from, to }));
  yield Array.from({ length: count }, (_, index): input<typeof CollectedReply> => {
    const date = addDays(from, index);
    const day = found.find(({ by }) => by === date);
    return { date, count: day?.count ?? 0, amount: day?.amount ?? centavos(0) };
  });
}

/** Reads what open loans are expected to pay in the next weeks, from tomorrow (§month): pages of inputs of `ExpectedReply`. */
export async function* readExpectedWeeks(deps: Deps, query: output<typeof ExpectedQuery>) {
  const tomorrow = addDays(todayOf(deps), 1);
  const weeks = Array.from({ length: query.weeks ?? limits.expectedWeeks }, (_, week) => ({
    from: addDays(tomorrow, 7 * week),
    to: addDays(tomorrow, 7 * week + 6),
  }));
  const days: Days = { from: tomorrow, to: weeks.at(-1)?.to ?? tomorrow };
  const rows = await deps.database.readOnReplica((reader) => readExpected(reader, days));
  yield weeks.map(
    (week, number): input<typeof ExpectedReply> => ({
      ...week,
      amount: rows.find((row) => row.week === number)?.amount ?? centavos(0),
    }),
  );
}
