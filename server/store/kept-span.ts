import { type Column, gt, lt, or } from 'drizzle-orm';
import { dayMs } from '#server/platform/clock.ts';

/** Rows dated within the span are kept; rows dated after it were written while the clock was ahead. */
export type KeptSpan = { from: Date; to: Date };

/** A clock that was ahead by less than a day does no harm. */
export const keptSpan = (now: Date, keptMs: number): KeptSpan => ({
  from: new Date(now.getTime() - keptMs),
  to: new Date(now.getTime() + dayMs),
});

export const isOutside = (moment: Column, { from, to }: KeptSpan) => or(lt(moment, from), gt(moment, to));
