import type { Clock } from '#server/platform/clock.ts';

/** A clock that stands still until a test turns it. */
export type TestClock = Clock & {
  set(moment: Date | string): void;
  advance(by: { days?: number; hours?: number; minutes?: number; seconds?: number; ms?: number }): void;
  /** Back to where it stood at first. */
  reset(): void;
};

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Noon in Manila on an ordinary Tuesday. */
export const firstMoment = '2026-03-10T04:00:00.000Z';

export function createTestClock(start: Date | string = firstMoment): TestClock {
  let now = new Date(start);
  return {
    now: () => new Date(now),
    set(moment) {
      now = new Date(moment);
    },
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }) {
      now = new Date(
        now.getTime() + days * dayMs + hours * hourMs + minutes * minuteMs + seconds * secondMs + ms,
      );
    },
    reset() {
      now = new Date(start);
    },
  };
}
