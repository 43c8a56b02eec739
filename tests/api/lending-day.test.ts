import { describe, expect, it } from 'vitest';
import type { Collection, Portfolio } from '#contract/collection.ts';
import type { LoanAccount } from '#contract/servicing.ts';
import { addDays, type ManilaDate } from '#domain/calendar.ts';
import { buckets } from '#domain/servicing.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { expectSoundBooks } from './books.ts';
import { type Played, playUntil, workedLoans } from './worked-loans.ts';

// All worked loans in one installation, and what the lender's day says of them worked out once more from their accounts.

const server = await testServer({ engine: 'postgres' });
const cents = (text: string) => Math.round(Number(text) * 100);
const pesos = (centavos: number) => (centavos / 100).toFixed(2);
const sumOf = (amounts: readonly string[]) => pesos(amounts.reduce((sum, text) => sum + cents(text), 0));

const accountsOn = (played: Played[], asOf: string): Promise<LoanAccount[]> =>
  Promise.all(played.map(({ id }) => server.main.readLoanAccount(id, { asOf })));

/** The portfolio by its definition, from the loans' accounts on that day. */
function portfolioOf(accounts: LoanAccount[], day: ManilaDate) {
  const started = accounts.filter(({ disbursedOn }) => disbursedOn !== null && disbursedOn <= day);
  const open = started.filter(
    ({ account: { state, principalLeft, dueNow } }) =>
      (state === 'open' || state === 'overdue') && (cents(principalLeft) > 0 || cents(dueNow) > 0),
  );
  const due = (from: string, to: string) => {
    const rows = open.map(({ instalments }) =>
      instalments.filter(({ dueDate, left }) => dueDate >= from && dueDate <= to && cents(left) > 0),
    );
    return {
      loans: rows.filter(({ length }) => length > 0).length,
      amount: sumOf(rows.flat().map(({ left }) => left)),
    };
  };
  const principalOut = sumOf(open.map(({ account }) => account.principalLeft));
  const worse = (days: number) => open.filter(({ account }) => account.daysPastDue > days);
  const share = (of: LoanAccount[]) => {
    const part = BigInt(cents(sumOf(of.map(({ account }) => account.principalLeft))));
    const whole = BigInt(cents(principalOut));
    if (whole === 0n) return '0.00';
    const tenThousandths = (part * 100_000n) / whole;
    return (Number((tenThousandths + 5n) / 10n) / 100).toFixed(2);
  };
  const overdue = open.filter(({ account }) => cents(account.overdue) > 0);
  const lost = started.filter(({ account }) => account.state === 'written_off');
  return {
    asOf: day,
    loans: open.length,
    principalOut,
    dueToday: due(day, day),
    dueNext7Days: due(addDays(day, 1), addDays(day, 7)),
    overdue: { loans: overdue.length, amount: sumOf(overdue.map(({ account }) => account.overdue)) },
    buckets: buckets.map((bucket) => {
      const of = open.filter(({ account }) => account.bucket === bucket);
      return {
        bucket,
        loans: of.length,
        principalLeft: sumOf(of.map(({ account }) => account.principalLeft)),
        overdue: sumOf(of.map(({ account }) => account.overdue)),
      };
    }),
    par: { '1': share(worse(0)), '30': share(worse(30)), '90': share(worse(90)) },
    writtenOff: { loans: lost.length, amount: sumOf(lost.map(({ account }) => account.writeOffAmount)) },
  };
}

/** Picks the loans in arrears, by the definition of arrears. */
function arrearsOf(accounts: LoanAccount[]) {
  return accounts
    .filter(({ account }) => account.daysPastDue > 0 && account.state === 'overdue')
    .toSorted(
      (one, other) =>
        other.account.daysPastDue - one.account.daysPastDue ||
        cents(other.account.overdue) - cents(one.account.overdue) ||
        one.loanId - other.loanId,
    )
    .map(({ loanId, account }) => ({
      loanId,
      state: account.state,
      daysPastDue: account.daysPastDue,
      bucket: account.bucket,
      overdue: account.overdue,
      lateChargesOwed: account.lateChargesOwed,
      dueNow: account.dueNow,
      principalLeft: account.principalLeft,
    }));
}

const figuresOf = ({ loanId, state, daysPastDue, bucket, ...row }: Collection) => ({
  loanId,
  state,
  daysPastDue,
  bucket,
  overdue: row.overdue,
  lateChargesOwed: row.lateChargesOwed,
  dueNow: row.dueNow,
  principalLeft: row.principalLeft,
});

async function expectPortfolio(played: Played[], day: string) {
  const accounts = await accountsOn(played, day);
  const asOf = { asOf: day };
  const whole = await server.main.readPortfolio(asOf);
  const { pending: _, approved: __, ...portfolio } = whole;
  expect(portfolio).toEqual(portfolioOf(accounts, day as ManilaDate));
  const listed = await server.main.listCollections(asOf);
  expect(listed.map(figuresOf)).toEqual(arrearsOf(accounts));
  expect(sumOf(listed.map(({ overdue }) => overdue))).toBe(portfolio.overdue.amount);
  for (const { bucket, loans } of portfolio.buckets.slice(1)) {
    const part = await server.main.listCollections({ ...asOf, bucket });
    expect(part).toEqual(listed.filter((row) => row.bucket === bucket));
    expect(part).toHaveLength(loans);
  }
  await expectRowsBehind(whole);
  return whole;
}

/** Each figure of a portfolio, added up from its loans. */
async function expectRowsBehind({ asOf, buckets: figures, par, ...portfolio }: Portfolio) {
  const rows = await server.main.listPortfolioLoans({ asOf });
  type Row = (typeof rows)[number];
  const totalOf = (part: 'overdue' | 'dueToday' | 'dueNext7Days') => {
    const of = rows.filter((row) => cents(row[part]) > 0);
    return { loans: of.length, amount: sumOf(of.map((row) => row[part])) };
  };
  const principalOf = (of: Row[]) => sumOf(of.map(({ principalLeft }) => principalLeft));
  expect([rows.length, principalOf(rows)]).toEqual([portfolio.loans, portfolio.principalOut]);
  for (const part of ['overdue', 'dueToday', 'dueNext7Days'] as const)
    expect(totalOf(part)).toEqual(portfolio[part]);
  for (const { bucket, loans, principalLeft, overdue } of figures) {
    const of = rows.filter((row) => row.bucket === bucket);
    expect([of.length, principalOf(of), sumOf(of.map((row) => row.overdue))]).toEqual([
      ...[loans, principalLeft, overdue],
    ]);
  }
  for (const [more, percent] of Object.entries(par)) {
    const risk = rows.filter(({ daysPastDue }) => daysPastDue >= (more === '1' ? 1 : Number(more) + 1));
    const share = (100 * cents(principalOf(risk))) / (cents(portfolio.principalOut) || 1);
    expect(Number(percent)).toBeCloseTo(share, 1);
  }
}

describe('the worked loans together', () => {
  it('are the portfolio and the collections of each day, and the journal', { timeout: 120_000 }, async () => {
    const played = await workedLoans(server);
    for (const today of ['2025-11-20', '2026-01-20', '2026-02-20', '2026-11-20']) {
      await playUntil(server, played, today);
      expect(await expectPortfolio(played, today)).toMatchObject({ pending: { loans: 0, amount: '0.00' } });
    }
    for (const past of ['2025-10-01', '2025-11-15', '2026-02-05', '2026-03-01', '2026-06-30']) {
      expect(await expectPortfolio(played, past)).toMatchObject({ pending: null, approved: null });
    }

    const lines = await server.main.readJournal({ from: '2025-09-15', to: '2026-11-20' });
    for (const { worked, loanNumber } of played) {
      const sequenceOf = new Map(worked.events.map(({ seq }, index) => [seq, index + 1]));
      const own = lines.filter((line) => line.loanNumber === loanNumber);
      expect(
        own.map(({ sequence, account, debit, credit }) => ({ sequence, account, debit, credit })),
      ).toEqual(
        worked.journal.flatMap(({ ofEvent, lines: booked }) =>
          booked.map((line) => ({ sequence: sequenceOf.get(ofEvent), ...line })),
        ),
      );
    }
    expect(sumOf(lines.map(({ debit }) => debit))).toBe(sumOf(lines.map(({ credit }) => credit)));
    // A month's lines are those of its days of recording, and stay so.
    const february = { from: '2026-02-01', to: '2026-02-28' };
    expect(await server.main.readJournal(february)).toEqual(
      lines.filter(({ date }) => date >= february.from && date <= february.to),
    );

    for (const { worked } of played) for (const { date } of worked.events) await expectDay(played, date);
    await expectSoundBooks(server.database);
  });
});

/** Expects a day's receipts to be the sum over the payments of all loans. */
async function expectDay(played: Played[], date: string) {
  const day = await server.main.readDay({ date });
  const payments = await server.main.listPayments({ receivedOn: date });
  expect(day.total).toBe(sumOf(payments.map(({ amount }) => amount)));
  expect(sumOf([day.principal, day.interest, day.lateCharges, day.credit])).toBe(day.total);
  expect(sumOf(day.collected.map(({ amount }) => amount))).toBe(day.total);
  for (const { channel, recordedBy, count, amount } of day.collected) {
    const rows = await server.main.listPayments({ receivedOn: date, channel, by: String(recordedBy) });
    expect([rows.length, sumOf(rows.map((row) => row.amount))]).toEqual([count, amount]);
  }
  const isOn = (kind: string) =>
    played.flatMap(({ worked }) =>
      worked.events.filter((event) => event.kind === kind && event.date === date),
    );
  expect(day.reversed.count).toBe(isOn('reversal').length);
  expect(day.refunded).toEqual({
    count: isOn('refund').length,
    amount: sumOf(isOn('refund').map(({ amount = '' }) => amount)),
  });
}
