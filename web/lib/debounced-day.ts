import { type ChangeEvent, type KeyboardEvent, useEffect, useState } from 'react';
import { type ManilaDate, parseManilaDate } from '#domain/calendar.ts';

/** Debounce before the server is asked for the figures of a typed day. */
const dayDebounceMs = 400;

type Options = {
  /** The day that the figures are of. */
  day: string;
  min?: string | undefined;
  max?: string | undefined;
  onDay: (day: ManilaDate) => void;
};

/**
 * Debounces a date field: its day is passed on after a pause, on Enter, or when the field loses focus. Show figures only while
 * `state` is `settled`; otherwise the field holds another day, or none.
 */
export function useDebouncedDay({ day, min = '', max = '9999', onDay }: Options) {
  const [typed, setTyped] = useState(day);
  useEffect(() => setTyped(day), [day]);
  const read = parseManilaDate(typed);
  const wanted = read && read >= min && read <= max ? read : undefined;
  const settle = () => {
    if (wanted && wanted !== day) onDay(wanted);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the wait anew
  useEffect(() => {
    const timeout = setTimeout(settle, dayDebounceMs);
    return () => clearTimeout(timeout);
  }, [typed]);
  const state = !wanted ? ('invalid' as const) : wanted === day ? ('settled' as const) : ('typing' as const);
  return {
    state,
    /** The day in the field, if it is one to choose. */
    wanted,
    type: setTyped,
    field: {
      min,
      max,
      value: typed,
      onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => setTyped(value),
      onBlur: settle,
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key === 'Enter') settle();
      },
    },
  };
}
