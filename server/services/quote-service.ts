import { type QuoteDocument, QuoteReply, viewQuote } from '#contract/loan.ts';
import { manilaDate } from '#domain/calendar.ts';
import type { Centavos } from '#domain/money.ts';
import { type Quote, quoteLoan } from '#domain/quote.ts';
import type { Deps } from '#server/deps.ts';
import { canonicalHash } from '#server/platform/canonical-json.ts';

export async function quoteToday(deps: Deps, request: { amount: Centavos; termMonths: number }) {
  const quote = quoteLoan({
    amountCentavos: request.amount,
    monthlyRate: deps.config.loanMonthlyRate,
    termMonths: request.termMonths,
    startDate: manilaDate(deps.clock.now()),
  });
  return { ...viewQuote(quote), hash: freezeQuote(quote).hash };
}

export function freezeQuote(quote: Quote): { quote: QuoteDocument; hash: string } {
  const frozen = QuoteReply.parse(viewQuote(quote));
  return { quote: frozen, hash: canonicalHash(frozen) };
}
