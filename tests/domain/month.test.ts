import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServicingTerms } from '#domain/amortisation.ts';
import { addDays, type ManilaDate } from '#domain/calendar.ts';
import { journal, monthlyFigures, newestEntry } from '#domain/journal.ts';
import { movementsOf } from '#domain/loan-movement.ts';
import { centavos } from '#domain/money.ts';
import { lastDayOf, monthOf, monthsUpTo, parseMonth } from '#domain/month.ts';
import { type LoanEvent, position } from '#domain/servicing.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { anyLoan } from './random-loans.ts';

const runs = { numRuns: isTorture ? 20_000 : 400 };

/** A loan's part in the portfolio of a day, by the portfolio's definition. */
function portfolioOn(terms: ServicingTerms, events: readonly LoanEvent[], day: ManilaDate) {
  const { account, instalments } = position(terms, events, day);
  const isOpen = account.state === 'open' || account.state === 'overdue';
  const counts = isOpen && (account.principalLeft > 0 || account.dueNow > 0);
  const oldest = instalments.find(({ left }) => left > 0)?.dueDate ?? null;
  return {
    principal: counts ? account.principalLeft : 0,
    loans: Number(counts),
    oldest: counts && account.principalLeft > 0 ? oldest : null,
  };
}

/** The same from its movements. */
function movedUntil(terms: ServicingTerms, events: readonly LoanEvent[], day: ManilaDate) {
  const moved = movementsOf(terms, events).filter(({ date }) => date <= day);
  const total = (of: 'principal' | 'loans') => moved.reduce((sum, one) => sum + one[of], 0);
  return {
    principal: total('principal'),
    loans: total('loans'),
    oldest: moved.at(-1)?.oldestDueOn ?? null,
  };
}

describe('the movements of any life of a loan', () => {
  it('come on every day to its part in the portfolio of that day', () => {
    fc.assert(
      fc.property(anyLoan, ({ terms, events, asOf }) => {
        const days = [asOf, ...events.flatMap(({ date }) => [addDays(date, -1), date])];
        for (const day of days) {
          expect(movedUntil(terms, events, day)).toEqual(portfolioOn(terms, events, day));
        }
      }),
      runs,
    );
  });

  it('come to the same in two lives, of which only the last counts', () => {
    fc.assert(
      fc.property(anyLoan, anyLoan, (first, { terms, events, asOf }) => {
        const live = first.events.filter(({ kind }) => kind !== 'cancellation');
        const end = live.at(-1)?.sequence ?? 0;
        const later = events.map((event): LoanEvent => {
          const sequence = event.sequence + end + 1;
          return event.kind === 'reversal'
            ? { ...event, sequence, reverses: event.reverses + end + 1 }
            : { ...event, sequence };
        });
        const cancelled: LoanEvent = { sequence: end + 1, date: terms.startDate, kind: 'cancellation' };
        const withoutRefunds = live.filter(({ kind }) => kind !== 'refund');
        const lives = [...withoutRefunds, cancelled, ...later];
        expect(movementsOf(terms, lives)).toEqual(movementsOf(terms, events));
        expect(movedUntil(terms, lives, asOf)).toEqual(portfolioOn(terms, lives, asOf));
      }),
      runs,
    );
  });

  it('come in the end to what the journal has, so that over all months nothing is reallocated', () => {
    fc.assert(
      fc.property(anyLoan, ({ terms, events }) => {
        const booked = journal([terms], events).map(({ lines }) => monthlyFigures(lines).principal);
        const moved = movementsOf(terms, events).map(({ principal }) => principal);
        const total = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0);
        expect(total(moved)).toBe(total(booked));
      }),
      runs,
    );
  });

  it('say from when to when each of them is the newest', () => {
    fc.assert(
      fc.property(anyLoan, ({ terms, events }) => {
        const movements = movementsOf(terms, events);
        const days = movements.map(({ date }) => date);
        expect(movements.map(({ until }) => until)).toEqual([...days.slice(1), null]);
        expect(movements.map(({ number }) => number)).toEqual(days.map((_, index) => index + 1));
        expect(days.toSorted()).toEqual(days);
      }),
      runs,
    );
  });

  it('book the newest event as the whole journal does', () => {
    fc.assert(
      fc.property(anyLoan, ({ terms, events }) => {
        const entries = journal([terms], events);
        events.forEach((event, index) => {
          const [before, after] = [events.slice(0, index), events.slice(0, index + 1)];
          const lines = newestEntry(index > 0 ? { terms, events: before } : undefined, {
            terms,
            events: after,
          });
          expect(lines).toEqual(entries.find(({ ofEvent }) => ofEvent === event.sequence)?.lines ?? []);
        });
      }),
      { numRuns: runs.numRuns / 4 },
    );
  });
});

describe('a written-off loan', () => {
  it('takes in what is paid later, and is never out again', () => {
    fc.assert(
      fc.property(anyLoan, ({ terms, events, asOf }) => {
        const lost = { sequence: events.length + 1, date: asOf, kind: 'write_off' } as const;
        const own = events.filter(({ kind, date }) => kind !== 'write_off' && date <= asOf);
        if (own.length !== events.length) return;
        const paid: LoanEvent = {
          sequence: lost.sequence + 1,
          date: addDays(asOf, 1),
          kind: 'receipt',
          amountCentavos: centavos(1_000_00),
          channel: 'cash',
        };
        const [after, receipt] = movementsOf(terms, [...own, lost, paid]).slice(-2);
        expect(after).toMatchObject({ kind: 'written_off', principalLeft: 0 });
        expect(receipt).toMatchObject({ principal: 0, loans: 0, received: paid.amountCentavos });
      }),
      runs,
    );
  });
});

describe('months', () => {
  it('are of the calendar', () => {
    expect(['2026-02', '2026-13', '2026-2', '2026', ''].map(parseMonth)).toEqual([
      ...['2026-02', undefined, undefined, undefined, undefined],
    ]);
    const march = monthOf('2028-03-31' as ManilaDate);
    expect(monthsUpTo(march, 3)).toEqual(['2028-01', '2028-02', '2028-03']);
    expect(monthsUpTo(march, 3).map(lastDayOf)).toEqual(['2028-01-31', '2028-02-29', '2028-03-31']);
  });
});
