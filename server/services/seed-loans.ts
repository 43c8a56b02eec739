import { manilaDate, manilaYear } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { loanNumber } from '#domain/loan.ts';
import { centavos } from '#domain/money.ts';
import { quoteLoan } from '#domain/quote.ts';
import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/platform/database/database.ts';
import {
  drawNumbers,
  insertLoans,
  insertTermsOfMany,
  type SampleTerms,
  type SampleTermsOf,
} from '#server/store/seed-store.ts';
import { freezeQuote } from './quote-service.ts';
import { sampleChance, samplePick } from './seed-people.ts';

const purposes = [
  'Stock for the sari-sari store',
  'Tuition for the second semester',
  'Repair of the roof',
  'Placement abroad',
  'Hospital bill',
  'A second tricycle',
  'Seeds and fertiliser',
];
const terms = [6, 12, 18, 24, 36, 48];
const amountSteps = 12;
const decided = [
  ...['active', 'active', 'active', 'approved', 'completed', 'completed'],
  ...['denied', 'rejected', 'account_issue', 'for_interview'],
];

/** A share of the newest ones still waits for a decision. */
const waitingShare = 0.05;

/** A loan of the sample: which one, whose, and when it was applied for. */
export type SampleLoan = { number: number; accountId: number; createdAt: Date };

/** Loans with their first terms, `of` so many in all. Call it for loans in the order of their days. */
export async function putLoans(deps: Deps, tx: Tx, sample: readonly SampleLoan[], of: number): Promise<void> {
  const ids = await drawNumbers(tx, 'loan', sample.length);
  const numbers = await drawNumbers(tx, 'loanNumber', sample.length);
  const quotes = new Map<string, QuoteOfMany>();
  const rows = sample.map(({ number, accountId, createdAt }, index) => {
    const [id = 0, sequence = 0] = [ids[index], numbers[index]];
    const amountCentavos = centavos(amountOf(number));
    const termMonths = samplePick(terms, number, 'term');
    const monthlyRate = deps.config.loanMonthlyRate;
    const startDate = manilaDate(createdAt);
    // Many loans of one day are alike: working out a quote costs more than all the rest of a loan.
    const key = `${amountCentavos} ${termMonths} ${startDate}`;
    const shared = quotes.get(key) ?? quoteOfMany({ amountCentavos, termMonths, monthlyRate, startDate });
    quotes.set(key, shared);
    shared.loans.push({ loanId: id, issuedBy: accountId, issuedAt: createdAt });
    const isWaiting = number >= of * (1 - waitingShare);
    return {
      id,
      accountId,
      loanNumber: loanNumber(manilaYear(createdAt), sequence),
      amountCentavos,
      termMonths,
      monthlyRateBasisPoints: monthlyRate,
      monthlyPaymentCentavos: shared.monthlyPaymentCentavos,
      purpose: samplePick(purposes, number, 'purpose'),
      status: isWaiting ? 'pending' : samplePick(decided, number, 'loan status'),
      createdAt,
      updatedAt: createdAt,
    };
  });
  await insertLoans(tx, rows);
  await insertTermsOfMany(tx, [...quotes.values()]);
}

type QuoteOfMany = SampleTerms & { monthlyPaymentCentavos: number; loans: SampleTermsOf[] };

function quoteOfMany(terms: Parameters<typeof quoteLoan>[0]): QuoteOfMany {
  const quote = quoteLoan(terms);
  return { ...freezeQuote(quote), monthlyPaymentCentavos: quote.monthlyPaymentCentavos, loans: [] };
}

/** Small amounts are asked for more often than large ones. */
function amountOf(number: number): number {
  const range = limits.loanAmountMaxCentavos - limits.loanAmountMinCentavos;
  const step = Math.floor(sampleChance(number, 'loan amount') ** 2 * amountSteps);
  const exact = limits.loanAmountMinCentavos + (range * step) / amountSteps;
  return Math.round(exact / limits.loanAmountStepCentavos) * limits.loanAmountStepCentavos;
}
