import { describe, expect, it } from 'vitest';
import type { Month } from '#contract/month.ts';
import { addDays, type ManilaDate } from '#domain/calendar.ts';
import { centavos, formatPeso } from '#domain/money.ts';
import { lastDayOf, type ManilaMonth, monthsUpTo } from '#domain/month.ts';
import type { CaseEvent, WorkedCase } from '#tests/domain/worked-cases.ts';
import { cases } from '#tests/domain/worked-cases.ts';
import { refused } from '#tests/setup/caller.ts';
import { readPdf } from '#tests/setup/pdf-text.ts';
import { bothEngines } from '#tests/setup/test-database.ts';
import { type TestServer, testServer } from '#tests/setup/test-server.ts';
import { expectSoundBooks } from './books.ts';
import { applicant, borrowerWithLoan, disbursedLoan } from './lending.ts';
import { playUntil, workedLoans } from './worked-loans.ts';

// The month of the worked loans together, against a computation from their figures alone: no fold, no event of the product.

const cents = (text: string) => Math.round(Number(text) * 100);
const pesos = (centavos: number) => (centavos / 100).toFixed(2);
const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

type TestAdmin = TestServer['main'];

type Allocated = { ofEvent: number; date: string; amount: string; principal: string; credit: string };

/** An event on the day on which it was recorded: never before one that was recorded earlier. */
type Recorded = CaseEvent & { recordedOn: string };

function recorded({ events }: WorkedCase): Recorded[] {
  let day = '';
  return events.map((event) => {
    day = event.date > day ? event.date : day;
    return { ...event, recordedOn: day };
  });
}

/** The receipts that count in the end, as the worked loan allocates them. */
const allocated = ({ checkpoints }: WorkedCase) => (checkpoints.at(-1)?.receipts ?? []) as Allocated[];

type Moved = { date: string; kind: 'released' | 'cancelled' | 'received'; principal: number };

function movedIn(worked: WorkedCase): Moved[] {
  const amount = cents(worked.loan.amount);
  const isOf = (kind: string) => worked.events.filter((event) => event.kind === kind);
  return [
    ...isOf('disbursement').map(({ date }) => ({ date, kind: 'released' as const, principal: amount })),
    ...isOf('cancellation').map(({ date }) => ({ date, kind: 'cancelled' as const, principal: -amount })),
    ...allocated(worked).map(({ date, principal }) => ({
      date,
      kind: 'received' as const,
      principal: -cents(principal),
    })),
  ];
}

const outOn = (worked: WorkedCase, day: string) =>
  total(
    movedIn(worked)
      .filter(({ date }) => date <= day)
      .map(({ principal }) => principal),
  );

/** True on days on which the loan has principal out, or more was refunded than there was credit. */
function countsOn(worked: WorkedCase, day: string): boolean {
  if (worked.events.some(({ kind, date }) => kind === 'cancellation' && date <= day)) return false;
  const credit = allocated(worked).flatMap((one) => (one.date <= day ? cents(one.credit) : []));
  const refunds = worked.events.flatMap(({ kind, date, amount = '' }) =>
    kind === 'refund' && date <= day ? cents(amount) : [],
  );
  return outOn(worked, day) > 0 || total(refunds) > total(credit);
}

function monthOfCases(month: ManilaMonth, today: string) {
  const [first, last] = [`${month}-01`, lastDayOf(month)];
  const asOf = last < today ? last : today;
  const dayBefore = addDays(first as ManilaDate, -1);
  const isIn = (day: string) => day >= first && day <= asOf;
  const moves = cases.flatMap(movedIn).filter(({ date }) => isIn(date));
  const sumOf = (kind: Moved['kind']) =>
    total(moves.flatMap((move) => (move.kind === kind ? Math.abs(move.principal) : [])));
  const start = total(cases.map((worked) => outOn(worked, dayBefore)));
  const end = total(cases.map((worked) => outOn(worked, asOf)));
  const countOn = (day: string) => cases.filter((worked) => countsOn(worked, day)).length;
  const count = (kind: Moved['kind']) => moves.filter((move) => move.kind === kind).length;
  const [loansStart, loansEnd] = [countOn(dayBefore), countOn(asOf)];

  const booked = cases.flatMap((worked) => {
    const events = recorded(worked);
    return worked.journal.flatMap(({ ofEvent, lines }) => {
      const { date = '', recordedOn = '' } = events.find(({ seq }) => seq === ofEvent) ?? {};
      return lines.map(({ account, debit, credit }) => ({
        date,
        recordedOn,
        account,
        amount: cents(debit) - cents(credit),
      }));
    });
  });
  type Line = (typeof booked)[number];
  const net = (of: string, which: (line: Line) => boolean) =>
    total(booked.flatMap((line) => (line.account === of && which(line) ? line.amount : [])));
  const journal = net('loans_principal', ({ recordedOn }) => isIn(recordedOn));
  const datedEarlier = net('loans_principal', ({ date, recordedOn }) => isIn(recordedOn) && date < first);
  const recordedLater = net('loans_principal', ({ date, recordedOn }) => isIn(date) && recordedOn > last);
  const reallocated = end - start - (journal - datedEarlier + recordedLater);

  const channels = new Map<string, number[]>();
  for (const { kind, recordedOn, channel = '', amount = '' } of cases.flatMap(recorded)) {
    if (kind === 'receipt' && isIn(recordedOn))
      channels.set(channel, [...(channels.get(channel) ?? []), cents(amount)]);
  }
  const isFirst = month === '2025-09';
  return {
    month,
    asOf,
    principal: {
      start: pesos(start),
      released: pesos(sumOf('released')),
      cancelled: pesos(sumOf('cancelled')),
      received: pesos(sumOf('received')),
      writtenOff: '0.00',
      end: pesos(end),
    },
    loans: {
      start: loansStart,
      released: count('released'),
      cancelled: count('cancelled'),
      closed: loansStart + count('released') - count('cancelled') - loansEnd,
      writtenOff: 0,
      end: loansEnd,
    },
    bridge: {
      journal: pesos(journal),
      datedEarlier: pesos(datedEarlier),
      recordedLater: pesos(recordedLater),
      reallocated: pesos(reallocated),
    },
    income: {
      interest: pesos(-net('interest_income', ({ recordedOn }) => isIn(recordedOn))),
      lateCharges: pesos(-net('late_charge_income', ({ recordedOn }) => isIn(recordedOn))),
    },
    recovered: { count: 0, amount: '0.00' },
    collected: [...channels].toSorted().map(([channel, amounts]) => ({
      channel,
      count: amounts.length,
      amount: pesos(total(amounts)),
    })),
    applications: isFirst
      ? { received: 10, approved: 10, denied: 0, released: 9, medianDaysToDecision: '0.0' }
      : { received: 0, approved: 0, denied: 0, released: 0, medianDaysToDecision: null },
  };
}

function expectIdentity({ principal, bridge, loans }: Pick<Month, 'principal' | 'bridge' | 'loans'>) {
  const { start, released, cancelled, received, writtenOff, end } = principal;
  expect(cents(start) + cents(released) - cents(cancelled) - cents(received) - cents(writtenOff)).toBe(
    cents(end),
  );
  expect(loans.start + loans.released - loans.cancelled - loans.closed - loans.writtenOff).toBe(loans.end);
  expect(
    cents(bridge.journal) -
      cents(bridge.datedEarlier) +
      cents(bridge.recordedLater) +
      cents(bridge.reallocated),
  ).toBe(cents(end) - cents(start));
}

/** Each figure of the principal and its bridge, added up from the loans; and the bridge of each loan. */
async function expectRowsBehind(main: TestAdmin, { month, principal, bridge }: Month) {
  const rows = await main.listMonthLoans({ month });
  for (const [name, amount] of Object.entries({ ...principal, ...bridge })) {
    expect([name, pesos(total(rows.map((row) => cents(row[name as 'start']))))]).toEqual([name, amount]);
  }
  for (const row of rows) {
    const { start, released, cancelled, received, writtenOff, end } = row;
    expect(
      cents(start) + cents(released) - cents(cancelled) - cents(received) - cents(writtenOff) - cents(end),
    ).toBe(0);
  }
}

async function expectTrend(main: TestAdmin, today: string) {
  const trend = await main.readTrend({ months: '15' });
  expect(trend.map(({ month }) => month)).toEqual(monthsUpTo('2026-11' as ManilaMonth, 15));
  expect(await main.readTrend()).toEqual(trend.slice(3));
  for (const { month, principalOut, par30, due, collected } of trend) {
    const last = lastDayOf(month as ManilaMonth);
    const asOf = last < today ? last : today;
    const portfolio = await main.readPortfolio({ asOf });
    expect([month, principalOut, par30]).toEqual([month, portfolio.principalOut, portfolio.par['30']]);
    const isIn = (day: string) => day.slice(0, 7) === month && day <= today;
    const receipts = cases.flatMap(allocated).filter(({ date }) => isIn(date));
    expect(collected).toBe(pesos(total(receipts.map(({ amount }) => cents(amount)))));
    const rows = cases.flatMap(({ checkpoints }) => {
      const { account, instalments = [] } = checkpoints.at(-1) ?? {};
      const isCancelled = (account as { state: string } | undefined)?.state === 'cancelled';
      return isCancelled ? [] : (instalments as { dueDate: string; amount: string }[]);
    });
    expect([month, due]).toEqual([
      month,
      pesos(total(rows.flatMap((row) => (isIn(row.dueDate) ? cents(row.amount) : [])))),
    ]);
  }
}

/** Payments by channel are those of the list. */
async function expectCollected(main: TestAdmin, { month, collected }: Month) {
  const payments = await main.listPayments({ receivedIn: month });
  for (const { channel, count, amount } of collected) {
    const rows = payments.filter((payment) => payment.channel === channel);
    expect([channel, rows.length, pesos(total(rows.map((row) => cents(row.amount))))]).toEqual([
      ...[channel, count, amount],
    ]);
  }
}

async function expectPaper(main: TestAdmin, { month, principal }: Month) {
  const answer = await main.readMonthPdf({ month }).answer();
  const { text } = readPdf(answer.bytes);
  for (const amount of Object.values(principal)) expect(text).toContain(formatPeso(centavos(cents(amount))));
}

async function expectDays(main: TestAdmin) {
  const days = await main.readCollected();
  expect([days.length, days.at(-1)?.date]).toEqual([14, '2026-11-20']);
  for (const { date, count, amount } of days) {
    const report = await main.readDay({ date });
    const counted = total(report.collected.map((line) => line.count));
    expect([date, count, amount]).toEqual([date, counted, report.total]);
  }
}

async function expectExpected(main: TestAdmin, ids: readonly number[]) {
  const weeks = await main.readExpected();
  expect([weeks.length, weeks[0]?.from, weeks[0]?.to, weeks.at(-1)?.to]).toEqual([
    ...[13, '2026-11-21', '2026-11-27', '2027-02-19'],
  ]);
  const accounts = await Promise.all(ids.map((id) => main.readLoanAccount(id)));
  for (const { from, to, amount } of weeks) {
    const rows = accounts.flatMap(({ account, instalments }) =>
      account.state === 'open' || account.state === 'overdue' ? instalments : [],
    );
    const isIn = (day: string) => day >= from && day <= to;
    expect([from, amount]).toEqual([
      from,
      pesos(total(rows.flatMap(({ dueDate, left }) => (isIn(dueDate) ? cents(left) : [])))),
    ]);
  }
}

/** Expects each list that a figure leads to in the panel to have that count and that sum. */
async function expectListsBehind(main: TestAdmin, report: Month): Promise<void> {
  const { asOf, applications, collected, income, recovered } = report;
  const month = report.month as ManilaMonth;
  const { received, approved, denied, released } = applications;
  const made = async (outcome?: 'approved' | 'denied' | 'released') =>
    (await main.listLoans({ appliedIn: month, ...(outcome && { outcome }) })).length;
  expect([await made(), await made('approved'), await made('denied'), await made('released')]).toEqual([
    ...[received, approved, denied, released],
  ]);
  const sumOf = (amounts: readonly { amount: string }[]) => ({
    count: amounts.length,
    amount: pesos(total(amounts.map(({ amount }) => cents(amount)))),
  });
  expect(sumOf(await main.listPayments({ recoveredIn: month }))).toEqual(recovered);
  const outside = (await main.listPayments({ receivedIn: month })).filter(
    ({ channel }) => channel !== 'wallet',
  );
  expect(sumOf(outside)).toEqual({
    count: total(collected.map(({ count }) => count)),
    amount: pesos(total(collected.map(({ amount }) => cents(amount)))),
  });
  const lines = await main.readJournal({ from: `${month}-01`, to: asOf });
  const netOf = (wanted: string) =>
    pesos(
      total(
        lines.flatMap(({ account, credit, debit }) =>
          account === wanted ? [cents(credit) - cents(debit)] : [],
        ),
      ),
    );
  expect(netOf('interest_income')).toBe(income.interest);
  expect(netOf('late_charge_income')).toBe(income.lateCharges);
}

describe.each(bothEngines)('the month on the %s engine', async (engine) => {
  const server = await testServer({ engine });

  it('is empty, and of the present month alone, before the first release', async () => {
    const { main } = server;
    const { month, asOf, principal, applications } = await main.readMonth();
    expect([month, asOf, principal.end]).toEqual(['2026-03', '2026-03-10', '0.00']);
    expect(applications.medianDaysToDecision).toBeNull();
    await refused(main.readMonth({ month: '2026-02' }), 400);
    expect(await main.listMonthLoans()).toEqual([]);
    expect((await main.readTrend()).at(-1)).toEqual({
      month: '2026-03',
      principalOut: '0.00',
      par30: '0.00',
      due: '0.00',
      collected: '0.00',
    });
  });

  it('has what was paid on a loan after its write-off, whole, as recovered', async () => {
    const { main } = server;
    const payments = [{ amount: 16_250, channel: 'cash' as const, valueDate: '2026-02-20' }];
    const loan = await disbursedLoan(server, await server.verifiedBorrower(), {
      date: '2025-12-01',
      payments,
    });
    await main.actOnLoan(loan.id, { kind: 'write_off', reason: 'cannot be found' });
    // The first goes to interest alone.
    for (const amount of [1_000, 30_000]) await main.recordPayment(loan.id, { amount, channel: 'cash' });
    await expectListsBehind(main, await main.readMonth());
    const { principal, recovered, income } = await main.readMonth();
    expect(recovered).toEqual({ count: 2, amount: '31000.00' });
    expect([principal.received, principal.end]).toEqual(['0.00', '0.00']);
    expect(cents(income.interest)).toBeGreaterThan(cents('1000.00'));
    expect((await main.readMonth({ month: '2026-02' })).recovered).toEqual({ count: 0, amount: '0.00' });
  });

  it('leads from its applications to those that it counts, whatever became of them since', async () => {
    const { main } = server;
    const decided = async (...statuses: string[]) => {
      const { id } = await applicant(server);
      for (const status of statuses) await main.updateLoan(id, { status });
      return id;
    };
    const made = [
      await decided(),
      await decided('approved'),
      await decided('denied'),
      // The last decision counts, unless the application waits again.
      await decided('approved', 'account_issue'),
      await decided('denied', 'pending'),
    ];
    const { borrower: _, ...released } = await borrowerWithLoan(server, { date: '2026-03-01' });
    server.clock.set('2026-04-01T09:00:00+08:00');
    await server.signInMainAdmin();
    await applicant(server);
    const report = await main.readMonth({ month: '2026-03' });
    expect(report.applications).toMatchObject({ received: 6, approved: 3, denied: 1, released: 1 });
    await expectListsBehind(main, report);
    const listed = await main.listLoans({ appliedIn: '2026-03' });
    expect(listed.map(({ id }) => id)).toEqual([released.id, ...made.toReversed()]);
    await refused(main.listLoans({ appliedIn: 'March' }), 400);
    await refused(main.listPayments({ recoveredIn: '2026-13' }), 400);
  });

  it('is for every month of the worked loans what their figures come to', { timeout: 180_000 }, async () => {
    const { main } = server;
    const played = await workedLoans(server);
    for (const today of ['2026-01-25', '2026-11-20'] as const) {
      await playUntil(server, played, today);
      if (today !== '2026-11-20') {
        const { month, asOf, ...first } = await main.readMonth({ month: '2025-09' });
        expect([month, asOf]).toEqual(['2025-09', '2025-09-30']);
        expectIdentity(first);
        continue;
      }
      for (const month of monthsUpTo('2026-11' as ManilaMonth, 15)) {
        const report = await main.readMonth({ month });
        expect(report).toEqual(monthOfCases(month, today));
        expectIdentity(report);
        await expectRowsBehind(main, report);
        const { principalOut, loans } = await main.readPortfolio({ asOf: report.asOf });
        expect([report.principal.end, report.loans.end]).toEqual([principalOut, loans]);
        await expectCollected(main, report);
        await expectListsBehind(main, report);
      }
      await expectTrend(main, today);
      await expectDays(main);
      await expectExpected(
        main,
        played.map(({ id }) => id),
      );
    }
    const present = await main.readMonth();
    expect(present).toEqual(await main.readMonth({ month: '2026-11' }));
    for (const report of [present, await main.readMonth({ month: '2026-01' })])
      await expectPaper(main, report);
    await refused(main.readMonth({ month: '2026-12' }), 400);
    await refused(main.readMonth({ month: '2025-08' }), 400);
    await refused(main.readMonth({ month: '2026-13' }), 400);
    await refused(main.readTrend({ months: '0' }), 400);
    await refused(main.readExpected({ weeks: 'x' }), 400);
    await expectSoundBooks(server.database);
  });
});
