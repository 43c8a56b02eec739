import { type ManilaDate, parseManilaDate } from './calendar.ts';
import { monthNumber } from './typed-day.ts';

// Days as files of other programs have them.

/** Matches 28/11/2026, also with dots or dashes, and with two digits for the year. */
const numericDay = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/;
const isoDay = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
const compactDay = /^(\d{4})(\d{2})(\d{2})$/;
const dayMonth = /^(\d{1,2})[ -]([A-Za-z]{3,9})\.?,?[ -](\d{4}|\d{2})$/;
const monthDay = /^([A-Za-z]{3,9})\.?[ -](\d{1,2}),?[ -](\d{4}|\d{2})$/;
/** A time behind the day, which says nothing more about it. */
const timeBehind = /[T ,]+\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AP]\.?M\.?)?( ?(Z|[+-]\d{2}:?\d{2}|PHT))?$/i;

export type DayOrder = 'day' | 'month';

/**
 * Tells from a day after the twelfth whether day or month comes first in numeric days; `index` is the one that shows it. `first`
 * is `unknown` if each can be read both ways. Returns undefined if the order makes no difference.
 */
export function orderOfDays(
  days: readonly string[],
): { first: DayOrder | 'unknown'; index: number } | undefined {
  const pairs = days.flatMap((written, index) => {
    const [, one, , two] = numericDay.exec(withoutTime(written)) ?? [];
    return one === undefined || Number(one) === Number(two)
      ? []
      : [{ index, one: Number(one), two: Number(two) }];
  });
  const dayFirst = pairs.find(({ one, two }) => one > 12 && two <= 12);
  if (dayFirst) return { first: 'day', index: dayFirst.index };
  const monthFirst = pairs.find(({ one, two }) => one <= 12 && two > 12);
  if (monthFirst) return { first: 'month', index: monthFirst.index };
  return pairs[0] && { first: 'unknown', index: pairs[0].index };
}

/** Reads a day such as 2026-11-28, 28 Nov 2026 or 28/11/2026. Returns undefined if it is none. */
export function readWrittenDay(written: string, first: DayOrder): ManilaDate | undefined {
  const text = withoutTime(written);
  const iso = isoDay.exec(text) ?? compactDay.exec(text);
  if (iso) return dayOf(iso[1], iso[2], iso[3]);
  const numeric = numericDay.exec(text);
  if (numeric) {
    const [, one, , two, year] = numeric;
    return first === 'day' ? dayOf(year, two, one) : dayOf(year, one, two);
  }
  const [, day, name, year] = dayMonth.exec(text) ?? [];
  if (name) return dayOf(year, monthNumber(name), day);
  const [, nameFirst, dayNext, yearLast] = monthDay.exec(text) ?? [];
  return nameFirst === undefined ? undefined : dayOf(yearLast, monthNumber(nameFirst), dayNext);
}

const withoutTime = (written: string) => written.trim().replace(/\s+/g, ' ').replace(timeBehind, '');

const century = '20';

const dayOf = (year = '', month = '', day = '') =>
  parseManilaDate(
    [year.length === 2 ? century + year : year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
  );
