import { type QuoteDocument, QuoteReply, viewQuote } from '#contract/loan.ts';
import { manilaDate } from '#domain/calendar.ts';
import type { Centavos } from '#domain/money.ts';
import { type Quote, quoteLoan } from '#domain/quote.ts';
import type { Deps } from '#server/deps.ts';
import { canonicalHash } from '#server/platform/canonical-json.ts';

type QuoteRequest = { amount: Centavos; termMonths: number };

export const quoteAt = (deps: Deps, { amount, termMonths }: QuoteRequest, now: Date): Quote =>
  quoteLoan({
    amountCentavos: amount,
    monthlyRate: deps.config.loanMonthlyRate,
    termMonths,
    startDate: manilaDate(now),
  });

export function quoteToday(deps: Deps, request: QuoteRequest) {
  const quote = quoteAt(deps, request, deps.clock.now());
  return { ...viewQuote(quote), hash: freezeQuote(quote).hash };
}

export function freezeQuote(quote: Quote): { quote: QuoteDocument; hash: string } {
  const frozen = QuoteReply.parse(viewQuote(quote));
  return { quote: frozen, hash: canonicalHash(frozen) };
}
