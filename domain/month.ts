import { addDays, addMonths, type ManilaDate, parseManilaDate } from './calendar.ts';

declare const monthBrand: unique symbol;

/** A month in Manila: `2026-11`. Sorts as text. */
export type ManilaMonth = string & { readonly [monthBrand]: true };

/** Undefined if there is no such month. */
export const parseMonth = (text: string): ManilaMonth | undefined =>
  parseManilaDate(`${text}-01`) ? (text as ManilaMonth) : undefined;

export const monthOf = (date: ManilaDate): ManilaMonth => date.slice(0, 7) as ManilaMonth;

export const firstDayOf = (month: ManilaMonth): ManilaDate => `${month}-01` as ManilaDate;

export const lastDayOf = (month: ManilaMonth): ManilaDate => addDays(addMonths(firstDayOf(month), 1), -1);

/** So many months up to this one, the earliest first. */
export const monthsUpTo = (month: ManilaMonth, count: number): ManilaMonth[] =>
  Array.from({ length: count }, (_, index) => monthOf(addMonths(firstDayOf(month), index + 1 - count)));
