import { and, type Column, gt, gte, lt, or, type SQL, sql } from 'drizzle-orm';
import { addDays, endOfManilaDay, type ManilaDate, startOfManilaDay } from '#domain/calendar.ts';
import { dayMs } from '#server/platform/clock.ts';

/** Rows dated within the span are kept; rows dated after it were written while the clock was ahead. */
export type KeptSpan = { from: Date; to: Date };

/** A clock that was ahead by less than a day does no harm. */
export const keptSpan = (now: Date, keptMs: number): KeptSpan => ({
  from: new Date(now.getTime() - keptMs),
  to: new Date(now.getTime() + dayMs),
});

/** Within these days in Manila, both included; without an end it has none. */
export const isWithinDays = (moment: Column, from: ManilaDate | undefined, to: ManilaDate | undefined) =>
  and(from && gte(moment, startOfManilaDay(from)), to && lt(moment, endOfManilaDay(to)));

/** True for a loan's position that is past due: in SQL what `daysPastDue` counts. */
export const isPastDue = (day: ManilaDate, days = 1): SQL =>
  sql`oldest_due_on <= ${addDays(day, -days)}::date`;

export const isOutside = (moment: Column, { from, to }: KeptSpan) => or(lt(moment, from), gt(moment, to));
