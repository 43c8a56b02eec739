import type { Wording } from '#contract/wording/en.ts';
import { limits } from '#domain/limits.ts';
import { formatWholePeso } from '#domain/money.ts';
import { buttonStyle } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ChoiceField } from '#web/ui/choice-field.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { RangeField } from '#web/ui/range-field.tsx';
import { offeredTerms, sampleLoans, shownCost, startLoan } from './cost.ts';

type Words = Wording['landing']['cost'];

/** The repayment calculator. Without script two sample loans take its place. */
export function CostCard({ words, monthlyRate }: { words: Words; monthlyRate: number }) {
  return (
    <section aria-labelledby="cost-title" className="flex flex-col gap-2.5 wide:-mt-120 wide:self-end">
      <h2 id="cost-title" className="font-heading text-24 font-bold wide:text-on-deep">
        {words.title}
      </h2>
      <Card>
        <Calculator words={words} monthlyRate={monthlyRate} />
        <noscript>
          <style>{'[data-calculator]{display:none}'}</style>
          {sampleLoans.map((loan) => (
            <div key={loan.amountCentavos} className="mb-5">
              <p className="font-heading text-20 font-bold">
                {words.sampleOf(formatWholePeso(loan.amountCentavos), loan.termMonths)}
              </p>
              <CostRows words={words} loan={loan} monthlyRate={monthlyRate} />
            </div>
          ))}
        </noscript>
        <p className="mt-3 text-12 text-ink-soft">{words.note}</p>
        <a
          href="/app-login?register=true"
          data-account="/dashboard"
          className={`${buttonStyle({ size: 'large', wide: true })} mt-4`}
        >
          {words.request}
        </a>
      </Card>
    </section>
  );
}

function Calculator({ words, monthlyRate }: { words: Words; monthlyRate: number }) {
  const { amountCentavos, termMonths } = startLoan;
  return (
    <form
      data-calculator=""
      data-monthly-rate={monthlyRate}
      data-per-month={words.perMonth('{percent}')}
      autoComplete="off"
    >
      <RangeField
        label={words.amount}
        aside={words.range}
        min={limits.loanAmountMinCentavos / 100}
        max={limits.loanAmountMaxCentavos / 100}
        step={limits.loanAmountStepCentavos / 100}
        value={amountCentavos / 100}
        valueText={formatWholePeso(amountCentavos)}
      />
      <ChoiceField
        name="termMonths"
        label={words.term}
        options={offeredTerms.map((months) => ({ value: months, label: words.months(months) }))}
        value={termMonths}
        className="mt-1 grid-cols-4 gap-2.5 max-[22.5rem]:grid-cols-2"
      />
      <CostRows words={words} loan={startLoan} monthlyRate={monthlyRate} />
    </form>
  );
}

type RowsProps = { words: Words; loan: typeof startLoan; monthlyRate: number };

function CostRows({ words, loan: { amountCentavos, termMonths }, monthlyRate }: RowsProps) {
  const { monthly, total, cost, monthlyPercent } = shownCost(amountCentavos, termMonths, monthlyRate);
  const rows = [
    { term: words.monthly, value: <span data-out="monthly">{monthly}</span>, strong: true },
    { term: words.total, value: <span data-out="total">{total}</span> },
    { term: words.costOfCredit, value: <span data-out="cost">{cost}</span> },
    { term: words.effectiveRate, value: <span data-out="rate">{words.perMonth(monthlyPercent)}</span> },
  ];
  return (
    <div aria-live="off" className="mt-4 border-t border-line pt-4">
      <DefinitionRows rows={rows} />
    </div>
  );
}
