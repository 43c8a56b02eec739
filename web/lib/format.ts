import {
  formatManilaDate,
  formatManilaDayMonth,
  formatManilaInstant,
  manilaDate,
  parseManilaDate,
} from '#domain/calendar.ts';
import { type Centavos, formatPeso, groupThousands, parsePesos } from '#domain/money.ts';
import { useErrorText } from './error-text.ts';
import { filipinoAtHand, type Language, useLanguage } from './language.tsx';

/** `₱150,000.00`, of text as on the wire or of centavos. Text that is not an amount is shown unchanged. */
export function showPeso(amount: string | Centavos): string {
  // A difference may be below nothing, which no field takes.
  if (typeof amount === 'string' && /^-\d/.test(amount)) return `-${showPeso(amount.slice(1))}`;
  const count = typeof amount === 'string' ? parsePesos(amount) : amount;
  return count === undefined ? String(amount) : formatPeso(count);
}

/** Strips what people type for readability: `₱12,500.00` and `12 500` are numbers. Fields show them with commas. */
export const typedAmount = Object.assign(
  (typed: unknown): string => String(typed ?? '').replace(/[₱,\s]/g, ''),
  { show: (value: string) => (/^\d*\.?\d*$/.test(value) ? groupThousands(value) : undefined) },
);

/** NaN if empty, which no schema accepts. */
export const typedNumber = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed));

/** Dates are Manila's, whatever the device's time zone. */
export function formatsOf(language: Language) {
  return {
    peso: showPeso,
    /** `20 Nov 2026`, from `YYYY-MM-DD` or an ISO instant. */
    date: (value: string) => formatManilaDate(dayOf(value), language),
    /** `Friday, 20 Nov 2026`. */
    longDate: (value: string) => {
      const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
      return `${weekday.format(new Date(dayOf(value)))}, ${formatManilaDate(dayOf(value), language)}`;
    },
    /** `20 Nov 2026, 10:42`. */
    dateTime: (moment: string) => formatManilaInstant(new Date(moment), language),
    /** `20 Nov`. */
    dayMonth: (value: string) => formatManilaDayMonth(dayOf(value), language),
  };
}

const dayOf = (value: string) => parseManilaDate(value) ?? manilaDate(new Date(value));

/** Part of the wording in the reader's language, with its formats and sentences of failures. Filipino is loaded whole. */
export function useWordsOf<Part extends object>(english: Part) {
  const { language } = useLanguage();
  const words = (language === 'fil' && (filipinoAtHand() as Part | undefined)) || english;
  return { ...words, ...formatsOf(language), language, errorText: useErrorText() };
}
