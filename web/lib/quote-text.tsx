import type { QuoteDocument } from '#contract/loan.ts';
import { type Centavos, formatWholePeso } from '#domain/money.ts';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { useAccountWords } from './all-words.ts';
import { amountOf } from './loan-standing.ts';

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

/** What paying everything early costs, told before anybody signs and again in the contract (§settlement). */
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
