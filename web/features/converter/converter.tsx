import { useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import { below } from '#contract/wording/en-home-below.ts';
import { addDays, type ManilaDate } from '#domain/calendar.ts';
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
import { useWordsOf } from '#web/lib/format.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { today } from '#web/lib/lender.ts';
import { useRead } from '#web/lib/query.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, Section } from '#web/ui/card.tsx';
import { LineChart } from '#web/ui/line-chart.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { PesoField } from '#web/ui/text-field.tsx';

/** A double shows this many digits exactly. */
const amountMaxLength = 15;

const twoDecimals = new Intl.NumberFormat('en-PH', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Converts pesos, with a simulated seven-day trend (§converter). */
export function Converter() {
  const { shell } = useCoreWords();
  const { converter, dayMonth } = useWordsOf(below);
  const [amountText, setAmountText] = useState(String(limits.converterDefaultAmount));
  const [code, setCode] = useState<CurrencyCode>(defaultCurrencyCode);
  const rates = useRates();
  const currency = currencies.find((offered) => offered.code === code) ?? currencies[0];
  const rate = rates.byCode[currency.code];
  const pesos = Number(amountText) || 0;
  const course = simulateTrend({ rate, today: today(), random: chanceOf(code, today()) });

  return (
    <Card className="flex flex-col">
      <Section
        isQuiet
        className="grow"
        title={converter.title}
        isBusy={rates.isLoading}
        action={
          !rates.isLoading && (
            <StatusChip tone={rates.isLive ? 'good' : 'neutral'}>
              {rates.isLive ? converter.live : converter.fallback}
            </StatusChip>
          )
        }
      >
        <div className="flex flex-wrap gap-2.5">
          <PesoField
            label={converter.amount}
            fieldClassName="flex-[1_1_6rem]"
            maxLength={amountMaxLength}
            value={amountText}
            onChange={(event) => setAmountText(cleanAmountInput(event.currentTarget.value))}
          />
          <SelectField
            label={converter.currency}
            fieldClassName="flex-[1_1_6rem]"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value as CurrencyCode)}
            options={currencies.map(({ code: value, flag }) => ({ value, label: `${flag} ${value}` }))}
          />
        </div>
        {rates.isLoading ? (
          <Loading label={shell.loading} className="mt-4">
            <Skeleton className="h-50" />
          </Loading>
        ) : (
          <>
            <div className="mb-2 mt-1 flex flex-wrap items-end justify-between gap-x-4 gap-y-1">
              <output className="block min-w-0">
                <Amount size={24} className="whitespace-normal! wrap-anywhere">
                  {currency.symbol}
                  {twoDecimals.format(pesos * rate)}
                </Amount>
                <span className="block text-14 text-ink-soft">{converter.names[currency.code]}</span>
              </output>
              <p className="text-14 text-ink-soft">{converter.rate(formatRate(rate), code)}</p>
            </div>
            {/* The simulated week of a rate, labelled as such (§converter). */}
            <LineChart
              points={course.map((point) => ({ label: dayMonth(point.date), value: point.rate }))}
              label={converter.trendLabel({
                code,
                low: formatRate(Math.min(...course.map((point) => point.rate))),
                high: formatRate(Math.max(...course.map((point) => point.rate))),
              })}
              note={converter.trend}
            />
            <p className="mt-3 text-12 text-ink-soft">{rates.note}</p>
            {rates.retry && (
              <Button look="secondary" size="compact" className="mt-2" onClick={rates.retry}>
                {shell.retry}
              </Button>
            )}
          </>
        )}
      </Section>
    </Card>
  );
}

function useRates() {
  const { converter, dateTime } = useWordsOf(below);
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

/** Pseudo-random numbers, one for each day before today; the same currency and day always give the same ones. */
function chanceOf(code: CurrencyCode, today: ManilaDate): () => number {
  let daysAgo = limits.chartDays;
  return () => {
    daysAgo -= 1;
    let hash = 0;
    for (const letter of `${code}${addDays(today, -daysAgo)}`)
      hash = Math.imul(hash ^ letter.charCodeAt(0), 0x5bd1e995);
    return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
  };
}
