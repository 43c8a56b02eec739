import { FrozenQuote, type QuoteDocument, QuoteReply, viewQuote } from '#contract/loan.ts';
import { manilaDate } from '#domain/calendar.ts';
import { type Centavos, parsePesos } from '#domain/money.ts';
import { type Quote, quoteLoan } from '#domain/quote.ts';
import type { Deps } from '#server/deps.ts';
import { canonicalHash } from '#server/platform/canonical-json.ts';
import type { LoanTermsVersion } from '#server/store/loan-terms-store.ts';

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

/** Throws if the figures do not match their hash: such figures are never shown as agreed. */
export function frozenQuoteOf(terms: LoanTermsVersion): QuoteDocument {
  if (canonicalHash(terms.quote) !== terms.hash) {
    throw new Error(`the terms of loan ${terms.loanId}, version ${terms.version}, do not match their hash`);
  }
  return FrozenQuote.parse(terms.quote);
}

export function frozenAmount(text: string): Centavos {
  const amount = parsePesos(text);
  if (amount === undefined) throw new Error('a frozen quote holds an amount that cannot be read');
  return amount;
}
