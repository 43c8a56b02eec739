import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServicingTerms } from '#domain/amortisation.ts';
import { addDays, type ManilaDate } from '#domain/calendar.ts';
import { journal } from '#domain/journal.ts';
import {
  closedSince,
  foldEvents,
  foldOneMore,
  type LoanEvent,
  type LoanPosition,
  position,
  settlementOn,
} from '#domain/servicing.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { anyHappening, anyLoan, anyTerms, eventsOf, type Happening } from './random-loans.ts';
import { refundOf, refusalOf } from './refusals.ts';
import { liveThrough, positionByDay } from './servicing-by-day.ts';

const latestOf = (events: readonly LoanEvent[], atLeast: ManilaDate) =>
  [atLeast, ...events.map(({ date }) => date)].toSorted().at(-1) ?? atLeast;

/**
 * Returns what the product would have recorded of these happenings: nothing that it refuses, and each
 * refund behind its cause.
 */
function recorded(terms: ServicingTerms, happenings: readonly Happening[]): Recorded[] {
  const known: LoanEvent[] = [];
  return eventsOf(terms, happenings).flatMap((wanted): Recorded[] => {
    const event = { ...wanted, sequence: known.length + 1 };
    if (event.kind === 'reversal' && known[event.reverses - 1]?.kind === 'refund') return [];
    if (event.kind === 'refund' || refusalOf(terms, known, event, event.date)) return [];
    const before = [...known];
    known.push(event);
    const over = refundOf(terms, known, event);
    const after = [...known];
    if (!over) return [{ before, after }];
    const refund: LoanEvent = {
      sequence: known.length + 1,
      kind: 'refund',
      auto: true,
      date: over.date,
      amountCentavos: over.amount,
    };
    known.push(refund);
    return [{ before, after, refund }];
  });
}

type Recorded = { before: LoanEvent[]; after: LoanEvent[]; refund?: LoanEvent };

const inWholeNumbers = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_, figure) => (typeof figure === 'bigint' ? Number(figure) : figure)));

const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

function expectToAddUp(terms: ServicingTerms, { account, instalments, receipts }: LoanPosition): void {
  const cost = terms.monthlyPaymentCentavos * terms.termMonths - terms.amountCentavos;
  expect(total(instalments.map(({ principal }) => principal))).toBe(terms.amountCentavos);
  expect(total(instalments.map(({ interest }) => interest))).toBe(cost);
  const principal = total(receipts.map((receipt) => receipt.principal));
  const interest = total(receipts.map((receipt) => receipt.interest));
  const charges = total(receipts.map((receipt) => receipt.lateCharges));
  for (const receipt of receipts) {
    const parts = receipt.interest + receipt.principal + receipt.lateCharges + receipt.credit;
    expect(parts).toBe(receipt.amount);
  }
  expect(principal + account.principalLeft).toBe(terms.amountCentavos);
  expect(charges).toBe(account.lateChargesPaid);
  expect(charges + account.lateChargesWaived + account.lateChargesOwed).toBe(account.lateChargesAccrued);
  expect(interest + account.interestLeft + account.rebate).toBe(cost);
}

type AnyLoan = typeof anyLoan extends fc.Arbitrary<infer T> ? T : never;

/** Checks a property on so many random loans. */
const forAnyLoan = (numRuns: number, check: (loan: AnyLoan) => void) =>
  fc.assert(fc.property(anyLoan, check), { numRuns });

const runs = (long = 300) => Number(process.env.SERVICING_RUNS ?? (isTorture ? long : long / 3));

describe('any life of a loan', () => {
  // 100,000 of them take twenty minutes.
  it('matches a day-by-day computation', { timeout: 0 }, () => {
    forAnyLoan(runs(), ({ terms, events, asOf }) => {
      const byDay = inWholeNumbers(positionByDay(terms, events, asOf));
      expect(inWholeNumbers(position(terms, events, asOf))).toEqual(byDay);
    });
  });

  it('is closed since the day that the days lived through say', { timeout: 0 }, () => {
    forAnyLoan(runs(), ({ terms, events }) => {
      const last = latestOf(events, terms.startDate);
      expect(closedSince(terms, events)).toBe(liveThrough(terms, events, last).closedSince);
    });
  });

  it('has its credit refunded at once, as early as leaves nothing to be returned', { timeout: 0 }, () => {
    const end = (terms: ServicingTerms) => addDays(terms.startDate, 1_000);
    fc.assert(
      fc.property(anyTerms, fc.array(anyHappening, { maxLength: 12 }), (terms, happenings) => {
        for (const { after, refund } of recorded(terms, happenings)) {
          const lived = liveThrough(terms, after, end(terms));
          if (!refund) {
            expect(lived.credit).toBeLessThanOrEqual(0n);
            continue;
          }
          const given = liveThrough(terms, [...after, refund], end(terms));
          expect(given.credit).toBe(0n);
          expect(given.toReturnByDay).toEqual(lived.toReturnByDay);
          if (refund.date === after.at(-1)?.date) continue;
          const earlier: LoanEvent = { ...refund, date: addDays(refund.date, -1) };
          const tooEarly = liveThrough(terms, [...after, earlier], end(terms));
          expect(tooEarly.toReturnByDay).not.toEqual(lived.toReturnByDay);
        }
      }),
      { numRuns: runs(30) },
    );
  });

  it('owes nothing more once exactly what is due now is paid', { timeout: 0 }, () => {
    forAnyLoan(runs(), ({ terms, events, asOf }) => {
      const latest = latestOf(events, asOf);
      const { account } = position(terms, events, latest);
      if (account.dueNow === 0) return;
      const payment: LoanEvent = {
        sequence: events.length + 1,
        date: latest,
        kind: 'receipt',
        channel: 'cash',
        amountCentavos: account.dueNow,
      };
      const { account: after } = position(terms, [...events, payment], latest);
      expect(after).toMatchObject({ dueNow: 0, due: 0, lateChargesOwed: 0, refundToReturn: 0 });
    });
  });

  it('is the same folded event by event, in whatever order of days', { timeout: 0 }, () => {
    forAnyLoan(runs(), ({ terms, events }) => {
      let fold = foldEvents(terms, []);
      events.forEach((event, index) => {
        fold = foldOneMore(fold, events.slice(0, index), event);
        expect(fold).toEqual(foldEvents(terms, events.slice(0, index + 1)));
      });
    });
  });

  it('adds up to the centavo', () => {
    forAnyLoan(300, ({ terms, events, asOf }) => {
      expectToAddUp(terms, position(terms, events, asOf));
    });
  });

  it('does not depend on the order in which events of different days were recorded', () => {
    fc.assert(
      fc.property(
        anyLoan,
        fc.array(fc.nat(), { minLength: 16, maxLength: 16 }),
        ({ terms, events, asOf }, lots) => {
          const days = new Set<string>();
          const once = events.filter(({ kind, date }) => {
            const isNew = kind !== 'reversal' && !days.has(date);
            days.add(date);
            return isNew;
          });
          const shuffled = once
            .map((event, index) => ({ event, lot: lots[index] ?? 0 }))
            .sort((one, other) => one.lot - other.lot)
            .map(({ event }, index): LoanEvent => ({ ...event, sequence: index + 1 }));
          const figures = ({ receipts, ...rest }: LoanPosition) => ({
            ...rest,
            receipts: receipts.map(({ ofEvent: _, ...receipt }) => receipt),
          });
          expect(figures(position(terms, shuffled, asOf))).toEqual(figures(position(terms, once, asOf)));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is as if a reversed receipt had never been, except for its refund', () => {
    fc.assert(
      fc.property(anyLoan, fc.nat(), ({ terms, events, asOf }, day) => {
        const receipt: LoanEvent = {
          sequence: events.length + 1,
          date: addDays(terms.startDate, day % 500),
          kind: 'receipt',
          amountCentavos: terms.monthlyPaymentCentavos,
          channel: 'cash',
        };
        const reversal: LoanEvent = {
          sequence: receipt.sequence + 1,
          date: asOf,
          kind: 'reversal',
          reverses: receipt.sequence,
        };
        const both = [...events, receipt, reversal];
        expect(position(terms, both, asOf)).toEqual(position(terms, events, asOf));
        const [last, lastButOne] = journal([terms], both).toReversed();
        if (last?.ofEvent !== reversal.sequence) return;
        const turnedRound = lastButOne?.lines.map(({ account, debit, credit }) => ({
          account,
          debit: credit,
          credit: debit,
        }));
        expect(last.lines).toEqual(turnedRound);
      }),
      { numRuns: 200 },
    );
  });

  it('is booked in entries that balance', () => {
    forAnyLoan(100, ({ terms, events }) => {
      for (const { lines } of journal([terms], events)) {
        expect(total(lines.map(({ debit }) => debit))).toBe(total(lines.map(({ credit }) => credit)));
      }
    });
  });

  it('leaves nothing in the books of a life that was cancelled, and books the next on its own terms', () => {
    fc.assert(
      fc.property(anyTerms, fc.boolean(), anyLoan, (first, isWrittenOff, { terms, events }) => {
        const before: LoanEvent[] = [
          { sequence: 1, date: first.startDate, kind: 'disbursement', channel: 'wallet' },
          ...(isWrittenOff ? [{ sequence: 2, date: first.startDate, kind: 'write_off' } as const] : []),
        ];
        before.push({ sequence: before.length + 1, date: first.startDate, kind: 'cancellation' });
        const count = before.length;
        const after = events.map((event) => ({
          ...event,
          sequence: event.sequence + count,
          ...(event.kind === 'reversal' && { reverses: event.reverses + count }),
        }));
        const entries = journal([first, terms], [...before, ...after]);
        const cancelled = entries.filter(({ ofEvent }) => ofEvent <= count).flatMap(({ lines }) => lines);
        for (const account of new Set(cancelled.map((line) => line.account))) {
          const own = cancelled.filter((line) => line.account === account);
          expect(total(own.map(({ debit, credit }) => debit - credit))).toBe(0);
        }
        const alone = journal([terms], events).map(({ ofEvent, lines }) => ({
          ofEvent: ofEvent + count,
          lines,
        }));
        expect(entries.filter(({ ofEvent }) => ofEvent > count)).toEqual(alone);
      }),
      { numRuns: 100 },
    );
  });

  it('never asks for less than zero to settle, and never less from one day to the next', () => {
    forAnyLoan(300, ({ terms, events, asOf }) => {
      const today = settlementOn(terms, events, asOf);
      if (!today) return;
      expect(today.amount).toBeGreaterThanOrEqual(0);
      const tomorrow = addDays(asOf, 1);
      if (events.some(({ date }) => date === tomorrow)) return;
      expect(settlementOn(terms, events, tomorrow)?.amount).toBeGreaterThanOrEqual(today.amount);
    });
  });
});
