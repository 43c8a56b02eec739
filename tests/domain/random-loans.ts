import fc from 'fast-check';
import type { ServicingTerms } from '#domain/amortisation.ts';
import { addDays, type ManilaDate } from '#domain/calendar.ts';
import { centavos } from '#domain/money.ts';
import { basisPoints } from '#domain/rates.ts';
import { type LoanEvent, position, settlementOn } from '#domain/servicing.ts';
import { termsFrom } from './worked-cases.ts';

// Loans of any terms, and lives that they may have.

export const anyTerms = fc
  .record({
    amountPesos: fc.integer({ min: 1_000, max: 2_000_000 }),
    rate: fc.constantFrom(50, 100, 250, 333),
    termMonths: fc.integer({ min: 3, max: 14 }),
    startDay: fc.integer({ min: 0, max: 800 }),
  })
  .map(({ amountPesos, rate, termMonths, startDay }): ServicingTerms => {
    const startDate = addDays('2023-10-01' as ManilaDate, startDay);
    return termsFrom({
      amountCentavos: centavos(amountPesos * 100),
      monthlyRate: basisPoints(rate),
      termMonths,
      startDate,
    });
  });

/** One thing that may happen, before it is known to which loan: amounts in thousandths of an instalment. */
export const anyHappening = fc.record({
  kind: fc.constantFrom(
    ...(['receipt', 'receipt', 'receipt', 'receipt', 'settle', 'waiver', 'deferral'] as const),
    ...(['refund', 'reversal', 'write_off'] as const),
  ),
  day: fc.oneof(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 0, max: 5 })),
  onDueDay: fc.boolean(),
  thousandths: fc.oneof(
    fc.constant(1000),
    fc.integer({ min: 1, max: 3000 }),
    fc.integer({ min: 1, max: 15_000 }),
  ),
  oddCentavos: fc.integer({ min: 0, max: 99 }),
  isAskedToSettle: fc.boolean(),
  months: fc.integer({ min: 1, max: 6 }),
  which: fc.nat(),
});

export type Happening = typeof anyHappening extends fc.Arbitrary<infer T> ? T : never;

/** The events that these happenings are in the life of this loan, recorded in this order. */
export function eventsOf(terms: ServicingTerms, happenings: readonly Happening[]): LoanEvent[] {
  const events: LoanEvent[] = [
    { sequence: 1, date: terms.startDate, kind: 'disbursement', channel: 'recorded' },
  ];
  const dueDates = position(terms, [], terms.startDate).instalments.map(({ dueDate }) => dueDate);
  for (const {
    kind,
    day,
    onDueDay,
    thousandths,
    oddCentavos,
    isAskedToSettle,
    months,
    which,
  } of happenings) {
    const dueDay = dueDates[which % dueDates.length];
    const date = onDueDay && dueDay ? addDays(dueDay, day % 13) : addDays(terms.startDate, day);
    const facts = { sequence: events.length + 1, date };
    const share = Math.floor((terms.monthlyPaymentCentavos * thousandths) / 1000);
    const amountCentavos = centavos(share + oddCentavos + 1);
    if (kind === 'receipt') {
      events.push({
        ...facts,
        kind,
        amountCentavos,
        channel: 'cash',
        settlement: isAskedToSettle && day % 3 === 0,
      });
    } else if (kind === 'settle') {
      // The exact amount, a centavo less, or a little more.
      const amount = (settlementOn(terms, events, date)?.amount ?? 0) + (which % 3) - 1;
      const settling = { ...facts, kind: 'receipt', channel: 'gcash', settlement: isAskedToSettle } as const;
      events.push({ ...settling, amountCentavos: centavos(Math.max(1, amount)) });
    } else if (kind === 'waiver') {
      events.push({ ...facts, kind, amountCentavos: centavos(Math.floor(amountCentavos / 50) + 1) });
    } else if (kind === 'deferral') {
      if (events.filter((event) => event.kind === kind).length < 2) events.push({ ...facts, kind, months });
    } else if (kind === 'refund') {
      events.push({
        ...facts,
        kind,
        amountCentavos: centavos(Math.floor(amountCentavos / 10) + 1),
        auto: true,
      });
    } else if (kind === 'reversal') {
      const reversed = events[which % events.length];
      const isTaken = events.some(
        (event) => event.kind === 'reversal' && event.reverses === reversed?.sequence,
      );
      if (!reversed || isTaken || ['disbursement', 'reversal', 'refund'].includes(reversed.kind)) continue;
      events.push({ ...facts, kind, reverses: reversed.sequence });
    } else if (!events.some((event) => event.kind === kind)) {
      events.push({ ...facts, kind });
    }
  }
  return events;
}

export const anyLoan = fc
  .tuple(anyTerms, fc.array(anyHappening, { maxLength: 14 }), fc.integer({ min: 0, max: 800 }))
  .map(([terms, happenings, day]) => ({
    terms,
    events: eventsOf(terms, happenings),
    asOf: addDays(terms.startDate, day),
  }));
