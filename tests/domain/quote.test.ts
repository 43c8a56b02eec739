import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ManilaDate, manilaDate, parseManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { centavos, pesosText } from '#domain/money.ts';
import { instalmentSchedule, type Quote, quoteLoan } from '#domain/quote.ts';
import { basisPoints, fixedPercentText } from '#domain/rates.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { preciseMonthlyRate } from './precise-rate.ts';

function date(text: string): ManilaDate {
  const parsed = parseManilaDate(text);
  if (!parsed) throw new Error(`No such day: ${text}`);
  return parsed;
}

function quote(amountCentavos: number, monthlyRate: number, termMonths: number, start = '2026-11-20'): Quote {
  return quoteLoan({
    amountCentavos: centavos(amountCentavos),
    monthlyRate: basisPoints(monthlyRate),
    termMonths,
    startDate: date(start),
  });
}

/** The rows' present value in centavos, added up one by one. */
function presentValueCentavos(quoted: Quote): number {
  const growth = 1 + quoted.effectiveMonthlyRatePercent / 100;
  return quoted.schedule.reduce((sum, row) => sum + row.amountCentavos / growth ** (row.number + 1), 0);
}

const anyAmount = fc.integer({ min: limits.loanAmountMinCentavos, max: limits.staffLoanAmountMaxCentavos });
const anyTerm = fc.integer({ min: limits.loanTermMinMonths, max: limits.staffLoanTermMaxMonths });
const anyStart = fc
  .date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
  .map(manilaDate);

describe('the sample loans', () => {
  it.each([
    [150_000_00, 250, 12, '16250.00', '195000.00', '45000.00', '3.666672', '54.0529'],
    [2_000_000_00, 250, 48, '91666.67', '4400000.16', '2400000.16', '3.621074', '53.2417'],
    [500_000_00, 50, 6, '85833.33', '514999.98', '14999.98', '0.660437', '8.2196'],
  ])(
    '%i centavos at %i basis points over %i months',
    (amount, rate, months, payment, total, cost, monthly, yearly) => {
      const quoted = quote(amount, rate, months);
      expect(pesosText(quoted.monthlyPaymentCentavos)).toBe(payment);
      expect(pesosText(quoted.totalPaymentCentavos)).toBe(total);
      expect(pesosText(quoted.costOfCreditCentavos)).toBe(cost);
      expect(fixedPercentText(quoted.effectiveMonthlyRatePercent, 6)).toBe(monthly);
      expect(fixedPercentText(quoted.effectiveAnnualRatePercent, 4)).toBe(yearly);
      expect(quoted.simpleAnnualRatePercent).toBeCloseTo(12 * quoted.effectiveMonthlyRatePercent, 12);
      expect(pesosText(quoted.upfrontChargesCentavos)).toBe('0.00');
      expect(quoted.netProceedsCentavos).toBe(amount);
      expect(quoted.lateChargeRate).toBe(200);
      expect(quoted.effectiveMonthlyRatePercent).toBeCloseTo(100 * preciseMonthlyRate(quoted), 10);
    },
  );
});

describe('the schedule', () => {
  it('starts after two months, clamped to the end of short months and back again', () => {
    const quoted = quote(150_000_00, 250, 6, '2026-01-31');
    expect(quoted.schedule).toEqual(
      ['2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30', '2026-07-31', '2026-08-31'].map(
        (dueDate, index) => ({ number: index + 1, dueDate, amountCentavos: 28_750_00 }),
      ),
    );
    expect([quoted.firstDueDate, quoted.lastDueDate]).toEqual(['2026-03-31', '2026-08-31']);
  });

  it('hits the end of February in common and leap years', () => {
    expect(quote(150_000_00, 250, 6, '2026-12-31').firstDueDate).toBe('2027-02-28');
    expect(quote(150_000_00, 250, 6, '2027-12-31').firstDueDate).toBe('2028-02-29');
  });

  it('has equal rows that add up to the total, one a month, none skipped or repeated', () => {
    fc.assert(
      fc.property(anyAmount, fc.nat(1000), anyTerm, anyStart, (amount, rate, termMonths, startDate) => {
        const quoted = quote(amount, rate, termMonths, startDate);
        const monthOf = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
        expect(quoted.schedule).toHaveLength(termMonths);
        quoted.schedule.forEach((row, index) => {
          expect(row.number).toBe(index + 1);
          expect(row.amountCentavos).toBe(quoted.monthlyPaymentCentavos);
          expect(monthOf(row.dueDate) - monthOf(startDate)).toBe(index + 2);
          const monthEnd = new Date(
            Date.UTC(Number(row.dueDate.slice(0, 4)), Number(row.dueDate.slice(5, 7)), 0),
          );
          expect(Number(row.dueDate.slice(8))).toBe(
            Math.min(Number(startDate.slice(8)), monthEnd.getUTCDate()),
          );
        });
        const sum = quoted.schedule.reduce((total, row) => total + row.amountCentavos, 0);
        expect(quoted.totalPaymentCentavos).toBe(sum);
        expect(quoted.costOfCreditCentavos).toBe(sum - amount);
        expect(quoted.schedule.at(0)?.dueDate).toBe(quoted.firstDueDate);
        expect(quoted.schedule.at(-1)?.dueDate).toBe(quoted.lastDueDate);
        expect(quoted.schedule).toEqual(instalmentSchedule({ ...quoted, startDate }));
      }),
    );
  });
});

/** Every fifth amount of the slider with both ends, and in the torture each. */
const amounts = Array.from({ length: 186 }, (_, index) =>
  centavos(limits.loanAmountMinCentavos + index * limits.loanAmountStepCentavos),
).filter((_, index) => isTorture || index % 5 === 0);

it('reaches both ends of the slider', () => {
  expect(amounts[0]).toBe(limits.loanAmountMinCentavos);
  expect(amounts.at(-1)).toBe(limits.loanAmountMaxCentavos);
});

describe('every loan of the slider', () => {
  /** 0.05 to 6 % a month, in basis points. */
  const rates = [5, 50, 100, 250, 400, 600];

  it('has equal rows that add up to the total, a row a month, and an effective rate that rises with the rate', () => {
    const monthIndex = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7)) - 1;
    const daysOfMonth = (index: number) =>
      new Date(Date.UTC(Math.floor(index / 12), (index % 12) + 1, 0)).getUTCDate();
    let start = 0;
    let count = 0;
    for (const amount of amounts) {
      for (let term = limits.loanTermMinMonths; term <= limits.staffLoanTermMaxMonths; term += 1) {
        // Another day for every loan; four years have every day that there is.
        start = (start + 1) % 1461;
        const startDate = manilaDate(new Date(Date.UTC(2026, 0, 1 + start)));
        const [firstMonth, day] = [monthIndex(startDate), Number(startDate.slice(8))];
        let rateBefore = 0;
        for (const rate of rates) {
          const quoted = quote(amount, rate, term, startDate);
          const name = `${amount} at ${rate} over ${term} from ${startDate}`;
          const isRight = quoted.schedule.every(
            (row, index) =>
              row.number === index + 1 &&
              row.amountCentavos === quoted.monthlyPaymentCentavos &&
              monthIndex(row.dueDate) === firstMonth + 2 + index &&
              Number(row.dueDate.slice(8)) === Math.min(day, daysOfMonth(firstMonth + 2 + index)),
          );
          if (!isRight || quoted.schedule.length !== term) expect.fail(`${name}: wrong rows`);
          const sum = quoted.schedule.reduce((total, row) => total + row.amountCentavos, 0);
          if (quoted.totalPaymentCentavos !== sum) expect.fail(`${name}: another total`);
          if (!(quoted.effectiveMonthlyRatePercent > rateBefore)) expect.fail(`${name}: no higher rate`);
          rateBefore = quoted.effectiveMonthlyRatePercent;
          count += 1;
        }
      }
    }
    expect(count).toBe(amounts.length * 55 * rates.length);
  }, 120_000);

  /** From the shortest to the longest in steps of half a year, and in the torture each. */
  const termStep = isTorture ? 1 : 6;
  const someTerms = Array.from(
    { length: 1 + (limits.staffLoanTermMaxMonths - limits.loanTermMinMonths) / termStep },
    (_, index) => limits.loanTermMinMonths + index * termStep,
  );

  it('costs more with every hundredth of a percent, at either end and over any term', () => {
    for (const amount of [limits.loanAmountMinCentavos, limits.loanAmountMaxCentavos]) {
      for (const term of someTerms) {
        let before = 0;
        for (let rate = 5; rate <= 600; rate += 1) {
          const { effectiveMonthlyRatePercent: now } = quote(amount, rate, term);
          if (!(now > before)) expect.fail(`${amount} at ${rate} over ${term}: ${now} after ${before}`);
          before = now;
        }
      }
    }
  }, 120_000);
});

describe('the effective rate', () => {
  it('is finite and discounts the rows to the net proceeds, for every amount of the slider, every term, several rates', () => {
    let worstCentavos = 0;
    let count = 0;
    for (const amount of amounts) {
      for (let term = limits.loanTermMinMonths; term <= limits.staffLoanTermMaxMonths; term += 1) {
        for (const rate of [0, 50, 250, 700]) {
          const quoted = quote(amount, rate, term);
          const difference = Math.abs(presentValueCentavos(quoted) - quoted.netProceedsCentavos);
          // NaN would slip through Math.max, so it is caught here.
          if (!(difference < 0.01)) expect.fail(`${amount} at ${rate} over ${term}: off by ${difference}`);
          if (!Number.isFinite(quoted.effectiveAnnualRatePercent)) expect.fail(`${amount} ${rate} ${term}`);
          worstCentavos = Math.max(worstCentavos, difference);
          count += 1;
        }
      }
    }
    expect(count).toBe(amounts.length * 55 * 4);
    expect(worstCentavos).toBeLessThan(0.01);
  });

  it('agrees with forty-digit arithmetic for a thousand loans', () => {
    fc.assert(
      fc.property(anyAmount, fc.integer({ min: 1, max: 1000 }), anyTerm, (amount, rate, termMonths) => {
        const quoted = quote(amount, rate, termMonths);
        const precisePercent = 100 * preciseMonthlyRate(quoted);
        expect(Math.abs(quoted.effectiveMonthlyRatePercent - precisePercent)).toBeLessThan(1e-10);
        const yearly = 100 * ((1 + precisePercent / 100) ** 12 - 1);
        expect(Math.abs(quoted.effectiveAnnualRatePercent - yearly)).toBeLessThan(1e-7);
      }),
      { numRuns: 1000 },
    );
  });

  it('rises with the nominal rate', () => {
    fc.assert(
      fc.property(
        anyAmount,
        fc.nat(5000),
        fc.integer({ min: 1, max: 500 }),
        anyTerm,
        (amount, rate, more, term) => {
          const [lower, higher] = [quote(amount, rate, term), quote(amount, rate + more, term)];
          expect(higher.effectiveMonthlyRatePercent).toBeGreaterThan(lower.effectiveMonthlyRatePercent);
          expect(higher.effectiveAnnualRatePercent).toBeGreaterThan(lower.effectiveAnnualRatePercent);
        },
      ),
    );
  });

  it('is zero where nothing is charged', () => {
    const quoted = quote(150_000_00, 0, 12);
    expect(quoted.costOfCreditCentavos).toBe(0);
    expect(fixedPercentText(quoted.effectiveMonthlyRatePercent, 6)).toBe('0.000000');
    expect(fixedPercentText(quoted.effectiveAnnualRatePercent, 6)).toBe('0.000000');
  });

  it('falls slightly below zero where interest-free rows round below the principal', () => {
    const quoted = quote(500_000_00, 0, 6);
    expect(quoted.costOfCreditCentavos).toBe(-2);
    expect(quoted.effectiveMonthlyRatePercent).toBeLessThan(0);
    expect(fixedPercentText(quoted.effectiveMonthlyRatePercent, 6)).toBe('-0.000001');
  });

  it('stays finite for whatever staff may enter, down to a centavo', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.nat(limits.loanRateMaxBasisPoints),
        anyTerm,
        (amount, rate, termMonths) => {
          const quoted = quote(amount, rate, termMonths);
          expect(Number.isFinite(quoted.effectiveMonthlyRatePercent)).toBe(true);
          expect(Number.isFinite(quoted.effectiveAnnualRatePercent)).toBe(true);
          if (quoted.monthlyPaymentCentavos === 0) {
            expect(quoted.effectiveMonthlyRatePercent).toBe(-100);
          } else {
            expect(Math.abs(presentValueCentavos(quoted) - amount)).toBeLessThan(0.01);
          }
        },
      ),
    );
  });
});
