import type { QuoteDocument } from '#contract/loan.ts';
import { shownPercent } from '#domain/rates.ts';
import type { DefinitionRow } from '#web/ui/definition-rows.tsx';
import { useAccountWords } from './all-words.ts';

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
