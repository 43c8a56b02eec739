import type { ReactNode } from 'react';
import { paths, registerPath } from '#contract/routes.ts';
import type { Wording } from '#contract/wording/en.ts';
import { limits } from '#domain/limits.ts';
import { exampleLoan } from '#domain/loan.ts';
import { formatWholePeso } from '#domain/money.ts';
import { buttonStyle } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ChoiceField } from '#web/ui/choice-field.tsx';
import { RangeField } from '#web/ui/range-field.tsx';
import { sampleLoans, shownCost } from './cost.ts';

type Words = Wording['landing']['cost'];

/** The repayment calculator. Without script two sample loans take its place. */
export function CostCard({ words, monthlyRate }: { words: Words; monthlyRate: number }) {
  return (
    <section aria-labelledby="cost-title">
      <Card className="wide:p-7!">
        <h2 id="cost-title" className="sr-only">
          {words.title}
        </h2>
        <noscript>
          <style>{'[data-calculator]>:not(a){display:none}'}</style>
          {sampleLoans.map((loan) => (
            <div key={loan.amountCentavos} className="mb-5">
              <p className="font-heading text-20 font-bold">
                {words.sampleOf(formatWholePeso(loan.amountCentavos), loan.termMonths)}
              </p>
              <CostRows words={words} loan={loan} monthlyRate={monthlyRate} />
            </div>
          ))}
        </noscript>
        <Calculator words={words} monthlyRate={monthlyRate} />
        <p className="mt-3 border-t border-line pt-3 text-12 text-ink-soft">{words.note}</p>
      </Card>
    </section>
  );
}

function Calculator({ words, monthlyRate }: { words: Words; monthlyRate: number }) {
  const { amountCentavos, termMonths } = exampleLoan;
  return (
    <form
      data-calculator=""
      data-monthly-rate={monthlyRate}
      data-per-month={words.perMonth('{percent}')}
      autoComplete="off"
      className="@container"
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
        options={limits.loanTermsOffered.map((months) => ({ value: months, label: words.months(months) }))}
        value={termMonths}
        className="mt-1 grid-cols-4 gap-2.5 @max-[17rem]:grid-cols-2"
      />
      <CostRows words={words} loan={exampleLoan} monthlyRate={monthlyRate}>
        <a
          href={registerPath}
          data-account={paths.dashboard}
          className={buttonStyle({ size: 'large', wide: true })}
        >
          {words.request}
        </a>
      </CostRows>
    </form>
  );
}

type RowsProps = { words: Words; loan: typeof exampleLoan; monthlyRate: number; children?: ReactNode };

/** Shows the cost of a loan. `children`, what to do about it, come right after the monthly payment. */
function CostRows({ words, loan: { amountCentavos, termMonths }, monthlyRate, children }: RowsProps) {
  const { monthly, total, cost, monthlyPercent } = shownCost(amountCentavos, termMonths, monthlyRate);
  const rows = [
    { term: words.total, name: 'total', value: total },
    { term: words.costOfCredit, name: 'cost', value: cost },
    { term: words.effectiveRate, name: 'rate', value: words.perMonth(monthlyPercent) },
  ];
  return (
    <>
      <dl aria-live="off" className="mt-4 mb-2.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3 rounded-control bg-leaf-tint px-4 py-3">
          <dt className="text-14">{words.monthly}</dt>
          <dd
            className="font-heading text-[min(1.5rem,12cqw)] font-bold tabular-nums wide:text-32"
            data-out="monthly"
          >
            {monthly}
          </dd>
        </div>
      </dl>
      {children}
      <dl aria-live="off" className="mt-3">
        {rows.map(({ term, name, value }) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-3 py-0.5 text-14">
            <dt className="text-ink-soft">{term}</dt>
            <dd className="ml-auto font-semibold tabular-nums" data-out={name}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
