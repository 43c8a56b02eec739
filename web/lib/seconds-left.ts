import { useEffect, useState } from 'react';
import { type DateLanguage, formatManilaInstant, manilaDate, manilaTime } from '#domain/calendar.ts';
import { now, today } from './lender.ts';

const secondsUntil = (until: string | undefined) =>
  until === undefined ? 0 : Math.max(0, Math.ceil((Date.parse(until) - now().getTime()) / 1_000));

/** Whole seconds until a moment, counted down; 0 once it is there, or without one. */
export function useSecondsLeft(until: string | undefined): number {
  const [left, setLeft] = useState(() => secondsUntil(until));
  useEffect(() => {
    setLeft(secondsUntil(until));
    if (secondsUntil(until) === 0) return;
    const timer = setInterval(() => {
      const next = secondsUntil(until);
      setLeft(next);
      if (next === 0) clearInterval(timer);
    }, 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}

/** `0:45` */
export const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** `13:40`, and on another day the day too. */
export function timeOrDay(moment: string, language: DateLanguage): string {
  const at = new Date(moment);
  return manilaDate(at) === today() ? manilaTime(at) : formatManilaInstant(at, language);
}
