import { useMemo } from 'react';
import {
  formatManilaDate,
  formatManilaDayMonth,
  formatManilaInstant,
  manilaDate,
  parseManilaDate,
} from '#domain/calendar.ts';
import { type Centavos, formatPeso, formatWholePeso, parsePesos } from '#domain/money.ts';
import { type Language, useLanguage } from './language.tsx';

/** An amount as it comes over the wire (`"150000.00"`) or as the domain holds it (centavos). */
type Amount = string | Centavos;

const centavosOf = (amount: Amount): Centavos | undefined =>
  typeof amount === 'string' ? parsePesos(amount) : amount;

/** `₱150,000.00`. A text that is no amount is shown as it is, rather than as a number it is not. */
export function showPeso(amount: Amount): string {
  const count = centavosOf(amount);
  return count === undefined ? String(amount) : formatPeso(count);
}

/** `₱150,000`: the form for limits and round figures. */
export function showWholePeso(amount: Amount): string {
  const count = centavosOf(amount);
  return count === undefined ? String(amount) : formatWholePeso(count);
}

/** The formats of one language. Dates are Manila's, whatever the phone's clock says. */
export function formatsOf(language: Language) {
  return {
    peso: showPeso,
    wholePeso: showWholePeso,
    /** `20 Nov 2026`, of a day `YYYY-MM-DD` or of a moment. */
    date: (value: string) => formatManilaDate(dayOf(value), language),
    /** `20 Nov 2026, 10:42`. */
    dateTime: (moment: string) => formatManilaInstant(new Date(moment), language),
    /** `20 Nov`. */
    dayMonth: (value: string) => formatManilaDayMonth(dayOf(value), language),
  };
}

const dayOf = (value: string) => parseManilaDate(value) ?? manilaDate(new Date(value));

/** Amounts and dates in the reader's language. */
export function useFormats(): ReturnType<typeof formatsOf> {
  const { language } = useLanguage();
  return useMemo(() => formatsOf(language), [language]);
}
