import type { QuoteDocument } from '#contract/loan.ts';
import { type Centavos, formatWholePeso } from '#domain/money.ts';
import { shownPercent } from '#domain/rates.ts';
import { type DefinitionRow, DefinitionRows } from '#web/ui/definition-rows.tsx';
import { useAccountWords } from './all-words.ts';
import { amountOf } from './pesos.ts';

/** The whole loan in a sentence, where it is offered and in its contract. */
export function QuoteSentence({ quote }: { quote: QuoteDocument }) {
  const { quote: words, date, peso } = useAccountWords();
  const { firstDueDate, monthlyPayment, netProceeds, termMonths } = quote;
  const pay = peso(monthlyPayment);
  const get = formatWholePeso(amountOf(netProceeds));
  const day = Number(firstDueDate.slice(-2));
  const [before, after] = words
    .sentence({ get, pay, day, times: termMonths, from: date(firstDueDate) })
    .split(pay);
  return (
    <p className="font-heading text-20 font-bold tabular-nums">
      {before}
      <span className="text-leaf">{pay}</span>
      {after}
    </p>
  );
}

type Settlement = { afterInstalment: number; date: string; amount: string | Centavos };

/**
 * Shows the cost of paying everything early, before anybody signs and again in the contract (§settlement).
 */
export function SettlementCosts({ settlements }: { settlements: readonly Settlement[] }) {
  const { settlements: words, peso, date } = useAccountWords();
  return (
    <>
      <p className="mb-1 text-14 text-ink-soft">{words.text}</p>
      <DefinitionRows
        ruled
        size={14}
        rows={settlements.map(({ afterInstalment: number, date: day, amount }) => ({
          term: words.after({ number, date: date(day) }),
          value: peso(amount),
        }))}
      />
    </>
  );
}

type Figures = Omit<QuoteDocument, 'schedule' | 'servicing' | 'disbursedOn'>;

/** Makes rows of a quote's figures, by default of all; percentages with two decimals (§effective-rate). */
export function useQuoteRows() {
  const { apply, landing, papers, quote: words, peso, date } = useAccountWords();
  const { costOfCredit, effectiveRate, monthly, perMonth, total } = landing.cost;
  const perYear = (percent: string) => words.perYear(shownPercent(percent));
  const shown: { [Figure in keyof Figures]: [term: string, show: (value: Figures[Figure]) => string] } = {
    amount: [papers.amount, peso],
    upfrontCharges: [words.upfrontCharges, peso],
    netProceeds: [words.netProceeds, peso],
    termMonths: [apply.term, String],
    monthlyPayment: [monthly, peso],
    totalPayment: [total, peso],
    costOfCredit: [costOfCredit, peso],
    interestRate: [words.interest, (percent) => words.addOn(String(percent))],
    effectiveMonthlyRate: [effectiveRate, (percent) => perMonth(shownPercent(percent))],
    effectiveAnnualRate: [words.effectiveYear, perYear],
    simpleAnnualRate: [words.simpleYear, perYear],
    lateChargeRate: [papers.lateCharge, (percent) => perMonth(String(percent))],
    firstDueDate: [words.firstDue, date],
    lastDueDate: [words.lastDue, date],
  };
  return function rowsOf<Name extends keyof Figures>(
    quote: Pick<Figures, Name>,
    names: readonly Name[] = Object.keys(shown) as Name[],
  ): DefinitionRow[] {
    return names.map((name) => {
      const [term, show] = shown[name];
      return { term, value: show(quote[name]) };
    });
  };
}
