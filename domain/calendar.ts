declare const manilaDateBrand: unique symbol;

/** A calendar day in Manila as 'YYYY-MM-DD', always with a four-digit year. Sorts as text. */
export type ManilaDate = string & { readonly [manilaDateBrand]: true };

export type DateLanguage = keyof typeof monthNames;

export const MONTHS_PER_YEAR = 12;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Manila has been UTC+8 without daylight saving time since 1990, long before any loan here, so a fixed offset is exact.
 * Unlike Intl it depends neither on the process's time zone nor on a phone's zone data.
 */
export const manilaOffsetMinutes = 8 * 60;
const MANILA_OFFSET_MS = manilaOffsetMinutes * 60 * 1000;

const DATE_SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;

const monthNames = {
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  fil: ['Ene', 'Peb', 'Mar', 'Abr', 'May', 'Hun', 'Hul', 'Ago', 'Set', 'Okt', 'Nob', 'Dis'],
} as const;

/** Days that a stored message has in English: '26 Oct 2026' is '26 Okt 2026'. */
export const monthsInFilipino = (text: string): string =>
  text.replace(/\b(\d{1,2}) (\w{3}) (?=\d{4}\b)/g, (written, day, month) => {
    const index = monthNames.en.indexOf(month);
    return index < 0 ? written : `${day} ${monthNames.fil[index]} `;
  });

/** The calendar day in Manila at an instant. Throws a RangeError for an invalid Date or a year outside 0001 to 9999. */
export function manilaDate(instant: Date): ManilaDate {
  return dateOfUtcMs(instant.getTime() + MANILA_OFFSET_MS);
}

export function manilaYear(instant: Date): number {
  return partsOf(manilaDate(instant)).year;
}

/** The instant at which a day begins in Manila. */
export const startOfManilaDay = (date: ManilaDate): Date => new Date(`${date}T00:00:00+08:00`);

/** The instant at which the next day begins. Unlike `addDays`, it also works for 9999-12-31. */
export const endOfManilaDay = (date: ManilaDate): Date => new Date(`${date}T24:00:00+08:00`);

/** The time in Manila to the minute: '10:42'. Throws a RangeError for an invalid Date. */
export function manilaTime(instant: Date): string {
  return new Date(instant.getTime() + MANILA_OFFSET_MS).toISOString().slice(-13, -8);
}

/** Parses 'YYYY-MM-DD' (from the wire or a `date` column); undefined if there is no such day. */
export function parseManilaDate(text: string): ManilaDate | undefined {
  const [, year = 0, month = 0, day = 0] = DATE_SHAPE.exec(text)?.map(Number) ?? [];
  const exists = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return exists ? (text as ManilaDate) : undefined;
}

/**
 * The same day `months` later (earlier if negative), clamped to the end of the month: 31 Jan + 1 is 28 or 29 Feb.
 * Always count from the original day, not a clamped one: 31 Jan + 2 is 31 Mar. Throws a RangeError for a fractional
 * count or a year outside 0001 to 9999.
 */
export function addMonths(date: ManilaDate, months: number): ManilaDate {
  if (!Number.isInteger(months)) throw new RangeError(`Not a number of whole months: ${months}`);
  const { year, month, day } = partsOf(date);
  const monthIndex = year * MONTHS_PER_YEAR + (month - 1) + months;
  const targetYear = Math.floor(monthIndex / MONTHS_PER_YEAR);
  const targetMonth = monthIndex - targetYear * MONTHS_PER_YEAR + 1;
  return dateOfParts(targetYear, targetMonth, Math.min(day, daysInMonth(targetYear, targetMonth)));
}

export function addDays(date: ManilaDate, days: number): ManilaDate {
  return dateOfUtcMs(utcMsOf(date) + days * DAY_MS);
}

/** The date this many weekdays later. Holidays count as working days, for they are proclaimed year by year. */
export function addWorkingDays(date: ManilaDate, days: number): ManilaDate {
  let day = date;
  for (let left = days; left > 0; ) {
    day = addDays(day, 1);
    if (new Date(utcMsOf(day)).getUTCDay() % 6 !== 0) left -= 1;
  }
  return day;
}

/** Days from `from` to `to`; negative if `to` is earlier. */
export function daysBetween(from: ManilaDate, to: ManilaDate): number {
  // UTC days all have the same length, so this divides evenly.
  return (utcMsOf(to) - utcMsOf(from)) / DAY_MS;
}

/**
 * Whole months between two days, the days elapsed in the month begun, and that month's length. Months count from the
 * first day, each clamped to the month's end.
 */
export function monthsBetween(from: ManilaDate, to: ManilaDate) {
  const start = partsOf(from);
  const { year, month, day } = partsOf(to);
  const calendarMonths = (year - start.year) * MONTHS_PER_YEAR + month - start.month;
  const length = daysInMonth(year, month);
  const monthlyDay = Math.min(start.day, length);
  if (day >= monthlyDay) {
    const nextLength = daysInMonth(year, month + 1);
    const monthDays = length - monthlyDay + Math.min(start.day, nextLength);
    return { months: calendarMonths, days: day - monthlyDay, monthDays };
  }
  const lastLength = daysInMonth(year, month - 1);
  const lastRest = lastLength - Math.min(start.day, lastLength);
  return { months: calendarMonths - 1, days: lastRest + day, monthDays: lastRest + monthlyDay };
}

/** `20 Nov 2026`, in Filipino `20 Nob 2026`. */
export function formatManilaDate(date: ManilaDate, language: DateLanguage = 'en'): string {
  return `${formatManilaDayMonth(date, language)} ${date.slice(0, 4)}`;
}

/** An instant in Manila time: `20 Nov 2026, 10:42`. */
export function formatManilaInstant(instant: Date, language: DateLanguage = 'en'): string {
  return `${formatManilaDate(manilaDate(instant), language)}, ${manilaTime(instant)}`;
}

/** Formats a day for the axis of a chart: `20 Nov`. */
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
  // Date.UTC would map the years 0 to 99 to 1900 to 1999.
  return Date.parse(`${date}T00:00:00Z`);
}

function dateOfUtcMs(utcMs: number): ManilaDate {
  const date = new Date(utcMs);
  return dateOfParts(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

/** December of the year before is month 0, January of the year after month 13: both have 31 days. */
function daysInMonth(year: number, month: number): number {
  if (month === 2) {
    const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
    return isLeapYear ? 29 : 28;
  }
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
