import type { Centavos } from '#domain/money.ts';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { useAccountWords } from './all-words.ts';
import { useFormats } from './format.ts';

type Settlement = { afterInstalment: number; date: string; amount: string | Centavos };

/** What paying everything early costs, told before anybody signs and again in the contract (§settlement). */
export function SettlementCosts({ settlements }: { settlements: readonly Settlement[] }) {
  const { settlements: words } = useAccountWords();
  const { peso, date } = useFormats();
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
