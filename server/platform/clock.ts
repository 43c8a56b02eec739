import { daysBetween, type ManilaDate, manilaDate } from '#domain/calendar.ts';

/** Tests can replace it. `aheadMs`: relative to the machine's own clock. */
export type Clock = { now(): Date; aheadMs?: number };

export const systemClock: Clock = { now: () => new Date() };

/**
 * Begins on a day at the present time of day. It is ahead by whole days, so that processes started on the same day
 * agree.
 */
export function clockFrom(day: ManilaDate): Clock {
  const aheadMs = daysBetween(manilaDate(new Date()), day) * dayMs;
  return { now: () => new Date(Date.now() + aheadMs), aheadMs };
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Runs work at once and after each interval, one run at a time. The returned function stops it and waits for the current run. */
export function repeating(everyMs: number, work: () => Promise<void>): () => Promise<void> {
  let underWay = work();
  const timer = setInterval(() => {
    underWay = underWay.then(work);
  }, everyMs).unref();
  return () => {
    clearInterval(timer);
    return underWay;
  };
}
