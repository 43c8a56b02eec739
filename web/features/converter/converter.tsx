import { useId, useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import { below } from '#contract/wording/en-below.ts';
import type { ManilaDate } from '#domain/calendar.ts';
import {
  type CurrencyCode,
  cleanAmountInput,
  currencies,
  defaultCurrencyCode,
  fallbackRates,
  formatRate,
  simulateTrend,
} from '#domain/exchange.ts';
import { limits } from '#domain/limits.ts';
import { useFormats } from '#web/lib/format.ts';
import { useWordsOf } from '#web/lib/home-words.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { today } from '#web/lib/lender.ts';
import { useRead } from '#web/lib/query.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { LineChart } from '#web/ui/line-chart.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { PesoField } from '#web/ui/text-field.tsx';

/** As many digits as a double shows exactly. */
const amountMaxLength = 15;

const twoDecimals = new Intl.NumberFormat('en-PH', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Converts pesos, with a simulated seven-day trend (§converter). */
export function Converter() {
  const { shell } = useCoreWords();
  const { converter } = useWordsOf(below);
  const titleId = useId();
  const [amountText, setAmountText] = useState(String(limits.converterDefaultAmount));
  const [code, setCode] = useState<CurrencyCode>(defaultCurrencyCode);
  const rates = useRates();
  const currency = currencies.find((offered) => offered.code === code) ?? currencies[0];
  const rate = rates.byCode[currency.code];
  const pesos = Number(amountText) || 0;

  return (
    <section aria-labelledby={titleId} aria-busy={rates.isLoading || undefined}>
      <Card>
        <div className="mb-3.5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h2 id={titleId} className="font-heading text-20 font-bold">
            {converter.title}
          </h2>
          {!rates.isLoading && (
            <StatusChip tone={rates.isLive ? 'good' : 'warn'}>
              {rates.isLive ? converter.live : converter.fallback}
            </StatusChip>
          )}
        </div>
        <div className="flex flex-wrap gap-2.5">
          <PesoField
            label={converter.amount}
            fieldClassName="flex-[2_1_6rem]"
            maxLength={amountMaxLength}
            value={amountText}
            onChange={(event) => setAmountText(cleanAmountInput(event.currentTarget.value))}
          />
          <SelectField
            label={converter.currency}
            fieldClassName="flex-[3_1_12rem]"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value as CurrencyCode)}
            className="text-ellipsis"
            options={currencies.map(({ code: value, flag }) => ({
              value,
              label: `${flag} ${value} · ${converter.names[value]}`,
            }))}
          />
        </div>
        {rates.isLoading ? (
          <Loading label={shell.loading} className="mt-4">
            <Skeleton className="h-50" />
          </Loading>
        ) : (
          <>
            <div className="mb-3 mt-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-1">
              <output className="block min-w-0">
                <Amount size={24} className="whitespace-normal! wrap-anywhere">
                  {currency.symbol}
                  {twoDecimals.format(pesos * rate)}
                </Amount>
                <span className="block text-14 text-ink-soft">{converter.names[currency.code]}</span>
              </output>
              <p className="text-14 text-ink-soft">{converter.rate(formatRate(rate), code)}</p>
            </div>
            <RateTrend key={`${code} ${rate}`} code={code} rate={rate} today={today()} />
            <p className="mt-3 text-12 text-ink-soft">{rates.note}</p>
            {rates.retry && (
              <Button look="secondary" size="compact" className="mt-2" onClick={rates.retry}>
                {shell.retry}
              </Button>
            )}
          </>
        )}
      </Card>
    </section>
  );
}

function useRates() {
  const { converter } = useWordsOf(below);
  const { dateTime } = useFormats();
  const { data, isFetching, refetch } = useRead(api.readExchangeRates);
  if (data) {
    const isLive = data.source === 'live';
    const moment = dateTime(data.asOf);
    return {
      isLoading: false,
      isLive,
      byCode: data.rates,
      note: isLive ? converter.liveNote(moment) : converter.fallbackNote(moment),
    };
  }
  return {
    isLoading: isFetching,
    isLive: false,
    byCode: fallbackRates,
    note: converter.unreachableNote,
    retry: () => void refetch(),
  };
}

/**
 * The simulated week of a rate, labelled as such (§converter). Computed once on mount so that typing an amount
 * does not redraw it: pass a `key` of its inputs.
 */
function RateTrend({ code, rate, today }: { code: CurrencyCode; rate: number; today: ManilaDate }) {
  const { converter } = useWordsOf(below);
  const { dayMonth } = useFormats();
  const [course] = useState(() => simulateTrend({ rate, today, random: Math.random }));
  const values = course.map((point) => point.rate);
  return (
    <LineChart
      points={course.map((point) => ({ label: dayMonth(point.date), value: point.rate }))}
      label={converter.trendLabel({
        code,
        low: formatRate(Math.min(...values)),
        high: formatRate(Math.max(...values)),
      })}
      note={converter.trend}
    />
  );
}
