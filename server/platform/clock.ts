import { daysBetween, type ManilaDate, manilaDate } from '#domain/calendar.ts';

/** The present moment, which a test can turn. `aheadMs`: of the machine's own clock. */
export type Clock = { now(): Date; aheadMs?: number };

export const systemClock: Clock = { now: () => new Date() };

/** Begins on a day at the present time of day. Moved by whole days, so that processes begun on the same day agree. */
export function clockFrom(day: ManilaDate): Clock {
  const aheadMs = daysBetween(manilaDate(new Date()), day) * dayMs;
  return { now: () => new Date(Date.now() + aheadMs), aheadMs };
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
