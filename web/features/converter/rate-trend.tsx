import { useState } from 'react';
import type { ManilaDate } from '#domain/calendar.ts';
import { type CurrencyCode, formatRate, simulateTrend } from '#domain/exchange.ts';
import { useFormats } from '#web/lib/format.ts';
import { useWords } from '#web/lib/words.ts';
import { LineChart } from '#web/ui/line-chart.tsx';

/**
 * The simulated week of one rate, and it says so (contract section 8). Made once when mounted, so that typing an amount
 * does not shake it: give it a `key` of what it is made from.
 */
export function RateTrend({ code, rate, today }: { code: CurrencyCode; rate: number; today: ManilaDate }) {
  const { converter } = useWords();
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
