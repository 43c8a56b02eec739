import type { QuoteDocument } from '#contract/loan.ts';
import { formatWholePeso } from '#domain/money.ts';
import { useAccountWords } from './all-words.ts';
import { useFormats } from './format.ts';
import { amountOf } from './loan-standing.ts';

/** The whole loan in a sentence, where it is offered and in its contract. */
export function QuoteSentence({ quote }: { quote: QuoteDocument }) {
  const { quote: words } = useAccountWords();
  const { date, peso } = useFormats();
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
