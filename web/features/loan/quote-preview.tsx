import type { ReactNode } from 'react';
import { manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import type { Centavos } from '#domain/money.ts';
import { type Quote, quoteLoan } from '#domain/quote.ts';
import { percentText, shownPercent } from '#domain/rates.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { useFormats } from '#web/lib/format.ts';
import { monthlyRate } from '#web/lib/lender.ts';
import { Card } from '#web/ui/card.tsx';
import { type DefinitionRow, DefinitionRows } from '#web/ui/definition-rows.tsx';

/** What a loan taken today would cost at this installation's rate, computed by the same rules as on the server. */
const quoteOfToday = (loan: { amountCentavos: Centavos; termMonths: number }): Quote =>
  quoteLoan({ ...loan, monthlyRate: monthlyRate(), startDate: manilaDate(new Date()) });

export type QuoteFigures = Omit<Quote, 'schedule'>;

/** Every figure of a quote by name, as a row (§effective-rate). Percentages with two decimals. */
export function useQuoteRows(quote: QuoteFigures): Record<QuoteFigure, DefinitionRow> {
  const { landing, quote: words } = useAccountWords();
  const { peso, date } = useFormats();
  const row = (id: string, term: string, value: ReactNode): DefinitionRow => ({ id, term, value });
  return {
    monthly: { ...row('monthly', landing.cost.monthly, peso(quote.monthlyPaymentCentavos)), strong: true },
    total: row('total', landing.cost.total, peso(quote.totalPaymentCentavos)),
    cost: row('cost', landing.cost.costOfCredit, peso(quote.costOfCreditCentavos)),
    interest: row('interest', words.interest, words.addOn(percentText(quote.monthlyRate))),
    effective: row(
      'effective',
      landing.cost.effectiveRate,
      landing.cost.perMonth(shownPercent(quote.effectiveMonthlyRatePercent)),
    ),
    effectiveYear: row(
      'effective-year',
      words.effectiveYear,
      words.perYear(shownPercent(quote.effectiveAnnualRatePercent)),
    ),
    simpleYear: row(
      'simple-year',
      words.simpleYear,
      words.perYear(shownPercent(quote.simpleAnnualRatePercent)),
    ),
    upfront: row('upfront', words.upfrontCharges, peso(quote.upfrontChargesCentavos)),
    net: row('net', words.netProceeds, peso(quote.netProceedsCentavos)),
    firstDue: row('first-due', words.firstDue, date(quote.firstDueDate)),
    lastDue: row('last-due', words.lastDue, date(quote.lastDueDate)),
  };
}

type QuoteFigure =
  | 'monthly'
  | 'total'
  | 'cost'
  | 'interest'
  | 'effective'
  | 'effectiveYear'
  | 'simpleYear'
  | 'upfront'
  | 'net'
  | 'firstDue'
  | 'lastDue';

/** The form's values so far. `termMonths` is NaN while empty. */
export type AskedLoan = { amountCentavos: Centavos | undefined; termMonths: number };

/** Undefined while amount or term is outside the limits (§applying). */
export function quoteAsked({ amountCentavos, termMonths }: AskedLoan): Quote | undefined {
  const isQuotable =
    amountCentavos !== undefined &&
    amountCentavos >= limits.loanAmountMinCentavos &&
    amountCentavos <= limits.loanAmountMaxCentavos &&
    Number.isInteger(termMonths) &&
    termMonths >= limits.loanTermMinMonths &&
    termMonths <= limits.loanTermMaxMonths;
  return isQuotable ? quoteOfToday({ amountCentavos, termMonths }) : undefined;
}

export function QuotePreview({ quote }: { quote: Quote | undefined }) {
  const { quote: words } = useAccountWords();
  return (
    <section aria-labelledby="quote-title">
      <Card look="sunken">
        <h3 id="quote-title" className="mb-2 font-heading text-16 font-bold">
          {words.title}
        </h3>
        {quote ? <PreviewRows quote={quote} /> : <p className="text-14 text-ink-soft">{words.incomplete}</p>}
      </Card>
    </section>
  );
}

function PreviewRows({ quote }: { quote: Quote }) {
  const { contractText } = useAccountWords();
  const { date } = useFormats();
  const rows = useQuoteRows(quote);
  return (
    <>
      <DefinitionRows
        size={14}
        rows={[
          rows.monthly,
          rows.total,
          rows.cost,
          rows.effective,
          rows.effectiveYear,
          rows.upfront,
          rows.firstDue,
          rows.lastDue,
        ]}
      />
      <div className="mt-3 flex flex-col gap-1 border-t border-line pt-3 text-12 text-ink-soft">
        <p>{contractText.firstPayment({ startDate: date(manilaDate(new Date())) })}</p>
        <p>{contractText.lateCharge({ percent: percentText(quote.lateChargeRate) })}</p>
      </div>
    </>
  );
}
