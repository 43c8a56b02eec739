import { addDays, type DateLanguage, formatManilaDayMonth, type ManilaDate } from './calendar.ts';
import { limits } from './limits.ts';

/**
 * The converter's currencies; the wording has their names. `fallbackRate`: units per peso while the rate service is
 * unavailable (§exchange-rates).
 */
export const currencies = [
  { code: 'USD', symbol: '$', flag: '🇺🇸', fallbackRate: 0.018 },
  { code: 'EUR', symbol: '€', flag: '🇪🇺', fallbackRate: 0.016 },
  { code: 'GBP', symbol: '£', flag: '🇬🇧', fallbackRate: 0.014 },
  { code: 'JPY', symbol: '¥', flag: '🇯🇵', fallbackRate: 2.65 },
  { code: 'AUD', symbol: 'A$', flag: '🇦🇺', fallbackRate: 0.027 },
  { code: 'CAD', symbol: 'C$', flag: '🇨🇦', fallbackRate: 0.024 },
  { code: 'SGD', symbol: 'S$', flag: '🇸🇬', fallbackRate: 0.024 },
  { code: 'HKD', symbol: 'HK$', flag: '🇭🇰', fallbackRate: 0.141 },
] as const;

export type Currency = (typeof currencies)[number];
export type CurrencyCode = Currency['code'];

export type ExchangeRates = Readonly<Record<CurrencyCode, number>>;

export const defaultCurrencyCode: CurrencyCode = 'USD';

export const fallbackRates = Object.fromEntries(
  currencies.map(({ code, fallbackRate }) => [code, fallbackRate]),
) as ExchangeRates;

/** Keeps digits and the first decimal point (§converter). */
export function cleanAmountInput(text: string): string {
  const [whole = '', ...rest] = text.replace(/[^0-9.]/g, '').split('.');
  return rest.length === 0 ? whole : `${whole}.${rest.join('')}`;
}

/**
 * A simulated seven-day trend (§converter): each day within ±2 % of the current rate, ending today at exactly that
 * rate. `random` returns numbers in [0, 1).
 */
export function simulateTrend(course: {
  rate: number;
  today: ManilaDate;
  random: () => number;
  language?: DateLanguage;
}) {
  const variation = limits.chartVariationPercent / 100;
  return Array.from({ length: limits.chartDays }, (_, index) => {
    const daysAgo = limits.chartDays - 1 - index;
    const date = addDays(course.today, -daysAgo);
    const drift = daysAgo === 0 ? 0 : (2 * course.random() - 1) * variation;
    return {
      date,
      rate: course.rate * (1 + drift),
      formatted_date: formatManilaDayMonth(date, course.language),
    };
  });
}

/** Up to six decimals, no trailing zeros: 0.018 → "0.018" (§converter). */
export function formatRate(rate: number): string {
  return rate.toFixed(limits.rateDecimals).replace(/\.?0+$/, '');
}
