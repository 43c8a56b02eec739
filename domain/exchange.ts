import { addDays, type DateLanguage, formatManilaDayMonth, type ManilaDate } from './calendar.ts';
import { limits } from './limits.ts';

/** The currencies the converter offers (spec section 3); their names stand in the wording. */
export const currencies = [
  { code: 'USD', symbol: '$', flag: '🇺🇸' },
  { code: 'EUR', symbol: '€', flag: '🇪🇺' },
  { code: 'GBP', symbol: '£', flag: '🇬🇧' },
  { code: 'JPY', symbol: '¥', flag: '🇯🇵' },
  { code: 'AUD', symbol: 'A$', flag: '🇦🇺' },
  { code: 'CAD', symbol: 'C$', flag: '🇨🇦' },
  { code: 'SGD', symbol: 'S$', flag: '🇸🇬' },
  { code: 'HKD', symbol: 'HK$', flag: '🇭🇰' },
] as const;

export type Currency = (typeof currencies)[number];
export type CurrencyCode = Currency['code'];

/** How much of each currency one peso buys. */
export type ExchangeRates = Readonly<Record<CurrencyCode, number>>;

/** The currency the converter starts with (spec section 4). */
export const defaultCurrencyCode: CurrencyCode = 'USD';

/** The rates used while the rate service cannot be read (spec section 9). */
export const fallbackRates: ExchangeRates = {
  USD: 0.018,
  EUR: 0.016,
  GBP: 0.014,
  JPY: 2.65,
  AUD: 0.027,
  CAD: 0.024,
  SGD: 0.024,
  HKD: 0.141,
};

/** A point of the rate chart, named as in spec section 3. */
export type RateChartPoint = { date: ManilaDate; rate: number; formatted_date: string };

/**
 * Whether something read from the rate service holds a positive finite number for every currency offered
 * (contract section 8). Other currencies beside them do not matter.
 */
export function areUsableRates(value: unknown): value is ExchangeRates {
  if (typeof value !== 'object' || value === null) return false;
  return currencies.every(({ code }) => {
    // Own properties only, so that nothing inherited passes for a rate.
    const rate: unknown = Object.hasOwn(value, code) ? Reflect.get(value, code) : undefined;
    return typeof rate === 'number' && Number.isFinite(rate) && rate > 0;
  });
}

/** Pesos in another currency. For display only: no money is booked at these rates, so a float does. */
export function convertFromPesos(pesos: number, rate: number): number {
  return pesos * rate;
}

/** What the converter keeps of typed text: digits and at most one decimal point, the first (spec section 5). */
export function cleanAmountInput(text: string): string {
  const [whole = '', ...rest] = text.replace(/[^0-9.]/g, '').split('.');
  return rest.length === 0 ? whole : `${whole}.${rest.join('')}`;
}

/**
 * The simulated course of a rate over the last seven days (spec section 9): each day within ±2 % of the current
 * rate, the last point being today at that rate itself. `random` gives numbers from 0 up to 1.
 */
export function simulateTrend(course: {
  rate: number;
  today: ManilaDate;
  random: () => number;
  language?: DateLanguage;
}): RateChartPoint[] {
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

/** A rate with up to six decimals and no superfluous zeros: 0.018 → "0.018" (spec section 9). */
export function formatRate(rate: number): string {
  return rate.toFixed(limits.rateDecimals).replace(/\.?0+$/, '');
}
