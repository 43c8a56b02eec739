declare const manilaDateBrand: unique symbol;

/** A day of the calendar in Manila, as 'YYYY-MM-DD' with a year of four digits. Sorts as text. */
export type ManilaDate = string & { readonly [manilaDateBrand]: true };

/** Languages whose month names the product knows. */
export type DateLanguage = keyof typeof monthNames;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Manila is eight hours ahead of UTC and has kept no summer time since 1990, long before the first loan here.
 * A fixed offset is therefore exact, and unlike Intl it depends neither on the time zone of the process nor
 * on the zone data of a phone.
 */
const MANILA_OFFSET_MS = 8 * 60 * 60 * 1000;

const DATE_SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;

const monthNames = {
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  fil: ['Ene', 'Peb', 'Mar', 'Abr', 'May', 'Hun', 'Hul', 'Ago', 'Set', 'Okt', 'Nob', 'Dis'],
} as const;

/** The day it is in Manila at an instant. Throws a RangeError for an invalid Date or a year beyond 0001 to 9999. */
export function manilaDate(instant: Date): ManilaDate {
  return dateOfUtcMs(instant.getTime() + MANILA_OFFSET_MS);
}

/** The year it is in Manila at an instant, as loan and withdrawal numbers carry it. */
export function manilaYear(instant: Date): number {
  return partsOf(manilaDate(instant)).year;
}

/** The time of day in Manila at an instant, to the minute: '10:42'. Throws a RangeError for an invalid Date. */
export function manilaTime(instant: Date): string {
  return new Date(instant.getTime() + MANILA_OFFSET_MS).toISOString().slice(-13, -8);
}

/** Reads 'YYYY-MM-DD' (from the wire or a `date` column); undefined when there is no such day. */
export function parseManilaDate(text: string): ManilaDate | undefined {
  const match = DATE_SHAPE.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const exists = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return exists ? (text as ManilaDate) : undefined;
}

/**
 * The same day of the month `months` later (or earlier, when negative), clamped to the month's end:
 * 31 Jan + 1 is 28 or 29 Feb. Count always from the original day, not from a clamped one: 31 Jan + 2 is 31 Mar.
 * Throws a RangeError for a fraction of a month or beyond the years 0001 to 9999.
 */
export function addMonths(date: ManilaDate, months: number): ManilaDate {
  if (!Number.isInteger(months)) throw new RangeError(`Not a number of whole months: ${months}`);
  const { year, month, day } = partsOf(date);
  const monthIndex = year * 12 + (month - 1) + months;
  const targetYear = Math.floor(monthIndex / 12);
  const targetMonth = monthIndex - targetYear * 12 + 1;
  return dateOfParts(targetYear, targetMonth, Math.min(day, daysInMonth(targetYear, targetMonth)));
}

/** The day `days` later, or earlier when negative. */
export function addDays(date: ManilaDate, days: number): ManilaDate {
  return dateOfUtcMs(utcMsOf(date) + days * DAY_MS);
}

/** Days from `from` to `to`: 0 for the same day, negative when `to` lies before. */
export function daysBetween(from: ManilaDate, to: ManilaDate): number {
  // UTC days are all equally long, so this division leaves no remainder.
  return (utcMsOf(to) - utcMsOf(from)) / DAY_MS;
}

/** The form people read: `20 Nov 2026`, in Filipino `20 Nob 2026`. */
export function formatManilaDate(date: ManilaDate, language: DateLanguage = 'en'): string {
  return `${formatManilaDayMonth(date, language)} ${date.slice(0, 4)}`;
}

/** An instant as people read it, in Manila time: `20 Nov 2026, 10:42`. */
export function formatManilaInstant(instant: Date, language: DateLanguage = 'en'): string {
  return `${formatManilaDate(manilaDate(instant), language)}, ${manilaTime(instant)}`;
}

/** The short form for an axis: `20 Nov`. */
export function formatManilaDayMonth(date: ManilaDate, language: DateLanguage = 'en'): string {
  const { month, day } = partsOf(date);
  return `${day} ${monthNames[language][month - 1]}`;
}

function partsOf(date: ManilaDate): { year: number; month: number; day: number } {
  return { year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)), day: Number(date.slice(8, 10)) };
}

function dateOfParts(year: number, month: number, day: number): ManilaDate {
  if (!Number.isInteger(year) || year < 1 || year > 9999) {
    throw new RangeError(`No year of the calendar: ${year}`);
  }
  const pad = (value: number, width: number) => String(value).padStart(width, '0');
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}` as ManilaDate;
}

function utcMsOf(date: ManilaDate): number {
  // Parsed as ISO text and not with Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  return Date.parse(`${date}T00:00:00Z`);
}

function dateOfUtcMs(utcMs: number): ManilaDate {
  const date = new Date(utcMs);
  return dateOfParts(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) {
    const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
    return isLeapYear ? 29 : 28;
  }
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
