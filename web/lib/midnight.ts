import { useEffect } from 'react';
import { addDays, startOfManilaDay } from '#domain/calendar.ts';
import { now, today } from './lender.ts';

/** Calls `act` after each midnight in Manila: a page may stay open for days. It must be stable. */
export function useMidnight(act: (() => unknown) | undefined): void {
  useEffect(() => {
    if (!act) return;
    let timeout: ReturnType<typeof setTimeout>;
    const wait = () => {
      const leftMs = startOfManilaDay(addDays(today(), 1)).getTime() - now().getTime();
      timeout = setTimeout(() => {
        act();
        wait();
      }, leftMs + 1_000);
    };
    wait();
    return () => clearTimeout(timeout);
  }, [act]);
}
