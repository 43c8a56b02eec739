import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { basisPoints } from '#domain/rates.ts';
import { startTestServer, type TestServer, testServer } from '#tests/setup/test-server.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { readCalendar, textOf } from './calendar-text.ts';
import { apply } from './lending.ts';
import { figuresInPdf, figuresOf, steadyChance } from './paper-figures.ts';

/** One borrower has more loans here than anybody may apply for in a day. */
const manyLoans = { rateLimitScale: 10 };
const server = await testServer({ config: manyLoans });

/** Enough for each rate in both languages, with the terms that staff changed among them. */
const loanCount = isTorture ? 50 : 4;

/** The same installation after its lender has changed the setting LOAN_MONTHLY_RATE. */
const withRate = (rate: number): Promise<TestServer> =>
  startTestServer({
    config: { ...manyLoans, loanMonthlyRate: basisPoints(rate) },
    deps: { database: server.database, clock: server.clock },
  });

describe('the figures of a loan', () => {
  it(`are the same in every answer and on paper, for ${loanCount} loans at several rates, some of them changed by staff`, async () => {
    const chance = steadyChance(2026);
    const borrower = await server.verifiedBorrower();
    const { token } = borrower;
    const lenders = [server, await withRate(chance(5, 249)), await withRate(chance(251, 600))];
    for (let count = 0; count < loanCount; count += 1) {
      const lender = lenders[count % lenders.length] ?? server;
      const later = lenders[(count + 1) % lenders.length] ?? server;
      const asked = {
        amount: chance(limits.loanAmountMinCentavos, limits.loanAmountMaxCentavos) / 100,
        termMonths: chance(limits.loanTermMinMonths, limits.loanTermMaxMonths),
      };
      const { hash, ...agreed } = await lender.visitor.quoteLoan(asked);
      const { id } = await apply(lender, borrower, asked);
      const language = count % 2 === 0 ? 'en' : 'fil';
      const query = { lang: language };
      const before = await later.as(token).readLoanContract(id, query);
      expect(before).toMatchObject({ hash });
      expect(before.quote).toEqual(agreed);
      if (count % 5 === 0) {
        await later
          .as(await server.signInMainAdmin())
          .updateLoan(id, { termMonths: chance(limits.loanTermMinMonths, limits.staffLoanTermMaxMonths) });
      }

      const contract = await later.as(token).readLoanContract(id, query);
      const { quote } = contract;
      expect(quote.interestRate).toBe(agreed.interestRate);
      const pdf = await later.as(token).readLoanContractPdf(id, query);
      expect(figuresInPdf(pdf.bytes, language)).toEqual(figuresOf(contract, language));

      const schedule = await later.as(token).readLoanSchedule(id);
      expect(schedule).toEqual(quote.schedule);
      const loans = await later.as(token).listOwnLoans();
      expect(loans.find((loan) => loan.id === id)).toMatchObject({
        amount: quote.amount,
        termMonths: quote.termMonths,
        interestRate: quote.interestRate,
        monthlyPayment: quote.monthlyPayment,
        quote: {
          version: contract.version,
          totalPayment: quote.totalPayment,
          costOfCredit: quote.costOfCredit,
          effectiveMonthlyRate: quote.effectiveMonthlyRate,
          effectiveAnnualRate: quote.effectiveAnnualRate,
        },
        dueDates: quote.schedule.map(({ dueDate }) => dueDate),
      });

      const { rows } = figuresOf(contract, language);
      const calendar = await later.as(token).readLoanCalendar(id, query);
      const entries = readCalendar(calendar.text).parts.slice(0, rows.length);
      expect(
        entries.map((entry) => [
          entry.properties.get('DTSTART')?.value,
          textOf(entry, 'SUMMARY').split(': ').at(-1),
        ]),
      ).toEqual(
        quote.schedule.map(({ dueDate }, index) => [
          dueDate.replaceAll('-', ''),
          rows[index]?.split(' ').at(-1),
        ]),
      );
      const table = await later.as(token).readLoanTable(id, query);
      const cells = table.text.split('\r\n').slice(1, -1);
      expect(cells.map((line) => line.split(',').slice(0, 3))).toEqual(
        quote.schedule.map(({ number, dueDate, amount }) => [`"${number}"`, `"${dueDate}"`, `"${amount}"`]),
      );
      server.clock.advance({ minutes: 7 });
    }
    for (const lender of lenders.slice(1)) await lender.close();
  }, 180_000);
});
