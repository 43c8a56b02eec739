import { type ManilaDate, parseManilaDate } from './calendar.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Returns the number of a month by its first three letters, so `Sept` and `September` too; `0` if there is none. */
export const monthNumber = (name: string): string =>
  String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1);

type Parts = { day: string; month: string; year: string | undefined };

/** Reads `28/11/2026` with the day first, and with the month first only where it cannot be otherwise. */
function readNumbers(text: string): Parts | undefined {
  const [, first, second, year] = /^(\d{1,2})[/.\- ](\d{1,2})(?:[/.\- ](\d{4}))?$/.exec(text) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const isMonthFirst = Number(second) > 12 && Number(first) <= 12;
  return { day: isMonthFirst ? second : first, month: isMonthFirst ? first : second, year };
}

function readWords(text: string): Parts | undefined {
  const dayFirst = /^(\d{1,2})[ -]*([a-z]{3,9})\.?,?(?:[ -]*(\d{4}))?$/i.exec(text);
  const monthFirst = /^([a-z]{3,9})\.? *(\d{1,2}),?(?: +(\d{4}))?$/i.exec(text);
  const [, day, word, year] = dayFirst ?? [];
  const [, otherWord, otherDay, otherYear] = monthFirst ?? [];
  if (day !== undefined && word !== undefined) return { day, month: monthNumber(word), year };
  if (otherDay === undefined || otherWord === undefined) return undefined;
  return { day: otherDay, month: monthNumber(otherWord), year: otherYear };
}

/**
 * Reads a day as people write it: `2026-11-28`, `28/11/2026`, `28 Nov 2026`, `Nov 28, 2026`. Without a year it is a day of
 * the year of `today`, unless `needsYear`: more may still be typed. Returns undefined if it is no day.
 */
export function readTypedDay(
  typed: string,
  { today, needsYear = false }: { today: ManilaDate; needsYear?: boolean },
): ManilaDate | undefined {
  const text = typed.trim().replace(/\s+/g, ' ');
  const whole = parseManilaDate(text);
  if (whole) return whole;
  const found = readNumbers(text) ?? readWords(text);
  if (!found || (needsYear && found.year === undefined)) return undefined;
  const { day, month, year = today.slice(0, 4) } = found;
  return parseManilaDate(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
}
