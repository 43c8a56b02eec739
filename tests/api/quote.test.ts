import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { centavos } from '#domain/money.ts';
import { quoteLoan } from '#domain/quote.ts';
import { basisPoints } from '#domain/rates.ts';
import { freezeQuote } from '#server/services/quote-service.ts';
import { preciseMonthlyRate } from '#tests/domain/precise-rate.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { startTestServer, type TestServer, testServer } from '#tests/setup/test-server.ts';
import { brokenBodies, jsonHeaders, tooFineAmounts, unreadableAmounts, unreadableTerms } from './lending.ts';
import { steadyChance } from './paper-figures.ts';

const server = await testServer();

describe('a quote', () => {
  it('is open to anyone and tells the whole cost', async () => {
    const { schedule, ...figures } = await server.visitor.quoteLoan({ amount: 150_000, termMonths: 12 });
    expect(figures).toEqual({
      amount: '150000.00',
      termMonths: 12,
      interestRate: 2.5,
      monthlyPayment: '16250.00',
      totalPayment: '195000.00',
      costOfCredit: '45000.00',
      upfrontCharges: '0.00',
      netProceeds: '150000.00',
      effectiveMonthlyRate: '3.666672',
      simpleAnnualRate: expect.stringMatching(/^44\.0000\d\d$/),
      effectiveAnnualRate: expect.stringMatching(/^54\.052\d{3}$/),
      firstDueDate: '2026-05-10',
      lastDueDate: '2027-04-10',
      lateChargeRate: 2,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(schedule).toHaveLength(12);
    expect(schedule.at(-1)).toEqual({
      number: 12,
      dueDate: '2027-04-10',
      amount: '16250.00',
      status: 'pending',
    });
  });

  it('has a total that is the sum of its rows, to the centavo', async () => {
    const body = await server.visitor.quoteLoan({ amount: 2_000_000, termMonths: 48 });
    expect(body).toMatchObject({
      monthlyPayment: '91666.67',
      totalPayment: '4400000.16',
      costOfCredit: '2400000.16',
      effectiveMonthlyRate: '3.621074',
    });
    expect(Number(body.effectiveAnnualRate)).toBeCloseTo(53.2417, 4);
    const centavos = body.schedule.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
    expect(centavos).toBe(440_000_016);
  });

  it('is the same with a token, and refused with a broken one', async () => {
    const borrower = await server.registerBorrower();
    const body = { amount: 150_000, termMonths: 12 };
    await borrower.quoteLoan(body);
    await refused(server.as('x'.repeat(43)).quoteLoan(body), 401);
  });

  it('stores nothing', async () => {
    const before = await server.visitor.quoteLoan({ amount: 150_000, termMonths: 12 }).success();
    expect(await server.main.listLoans()).toEqual([]);
    const after = await server.visitor.quoteLoan({ amount: 150_000, termMonths: 12 }).success();
    expect(after.text).toBe(before.text);
  });

  it('is refused outside the limits of a loan', async () => {
    const wrong = [
      ...[...unreadableAmounts, ...tooFineAmounts].map(
        ([name, amount]) => [name, { amount, termMonths: 12 }] as const,
      ),
      ...unreadableTerms.map(([name, termMonths]) => [name, { amount: 150_000, termMonths }] as const),
      ['too little', { amount: 149_999.99, termMonths: 12 }] as const,
      ['too much', { amount: 2_000_000.01, termMonths: 12 }] as const,
      ['too short', { amount: 150_000, termMonths: 5 }] as const,
      ['too long', { amount: 150_000, termMonths: 49 }] as const,
    ];
    for (const [name, anyBody] of wrong) {
      const { status, body } = await server.visitor.quoteLoan(odd(anyBody)).answer();
      expect({ name, status, code: body.code }).toEqual({ name, status: 400, code: 'validation_failed' });
    }
    for (const [name, rawBody] of brokenBodies) {
      const { status } = await server.visitor
        .quoteLoan(undefined, { rawBody, headers: jsonHeaders })
        .answer();
      expect({ name, status }).toEqual({ name, status: 400 });
    }
  });
});

describe('the effective rate on the wire', () => {
  it('agrees to six decimals with forty-digit arithmetic, for a thousand loans', () => {
    const chance = steadyChance(3765);
    const startDate = manilaDate(new Date('2026-03-10T04:00:00Z'));
    for (let count = 0; count < 1_000; count += 1) {
      const quote = quoteLoan({
        amountCentavos: centavos(chance(limits.loanAmountMinCentavos, limits.loanAmountMaxCentavos)),
        monthlyRate: basisPoints(chance(5, 600)),
        termMonths: chance(limits.loanTermMinMonths, limits.staffLoanTermMaxMonths),
        startDate,
      });
      const wire = freezeQuote(quote).quote;
      const monthly = preciseMonthlyRate(quote);
      const precise = [monthly, 12 * monthly, (1 + monthly) ** 12 - 1].map((rate) => (100 * rate).toFixed(6));
      expect([wire.effectiveMonthlyRate, wire.simpleAnnualRate, wire.effectiveAnnualRate]).toEqual(precise);
    }
  });
});

describe('a quote of a lender with another rate', () => {
  let cheap: TestServer;
  beforeAll(async () => {
    cheap = await startTestServer({ config: { loanMonthlyRate: basisPoints(50) } });
  });
  afterAll(() => cheap.close());

  it('is computed with that rate', async () => {
    const body = await cheap.visitor.quoteLoan({ amount: 500_000, termMonths: 6 });
    expect(body).toMatchObject({
      interestRate: 0.5,
      monthlyPayment: '85833.33',
      totalPayment: '514999.98',
      costOfCredit: '14999.98',
      effectiveMonthlyRate: '0.660437',
    });
    expect(Number(body.effectiveAnnualRate)).toBeCloseTo(8.2196, 4);
  });
});
