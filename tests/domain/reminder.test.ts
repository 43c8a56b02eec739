import { describe, expect, it } from 'vitest';
import { addDays, daysBetween, type ManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { centavos, parsePesos } from '#domain/money.ts';
import { basisPoints } from '#domain/rates.ts';
import {
  type LoanToRemind,
  mergeReminders,
  onePerDay,
  type Reminder,
  reminderOf,
  whyNotContacted,
  whyNotReminded,
} from '#domain/reminder.ts';
import { type LoanEvent, position, type StoredLoanState } from '#domain/servicing.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { positionByDay } from './servicing-by-day.ts';
import { type CaseEvent, cases, termsFrom } from './worked-cases.ts';

const day = (text: string) => text as ManilaDate;
const offsets = limits.reminderDaysDefault;
const pesos = (text: string) => parsePesos(text) ?? centavos(0);

const loan = (change: Partial<LoanToRemind> = {}): LoanToRemind => ({
  loanId: 1,
  state: 'open',
  unpaid: [
    { number: 1, dueDate: day('2026-03-10'), left: centavos(1_000) },
    { number: 2, dueDate: day('2026-04-10'), left: centavos(2_000) },
  ],
  dueNow: centavos(1_234),
  isPaymentWaiting: false,
  promisedFor: undefined,
  ...change,
});

describe('a reminder of one loan', () => {
  it.each([
    ['2026-03-06', undefined],
    ['2026-03-07', ['due_in', 1, -3, 1_000, '2026-03-10']],
    ['2026-03-08', undefined],
    ['2026-03-10', ['due_today', 1, 0, 1_000, '2026-03-10']],
    ['2026-03-11', undefined],
    ['2026-03-13', ['overdue', 1, 3, 1_234, '2026-03-10']],
    ['2026-03-17', ['overdue', 1, 7, 1_234, '2026-03-10']],
    ['2026-03-25', ['overdue', 1, 15, 1_234, '2026-03-10']],
    ['2026-04-07', ['due_in', 2, -3, 2_000, '2026-04-10']],
    // Arrears beat what is coming: thirty days after the first.
    ['2026-04-09', ['overdue', 1, 30, 1_234, '2026-03-10']],
    ['2026-04-10', ['due_today', 2, 0, 2_000, '2026-04-10']],
    ['2026-05-10', undefined],
  ])('on %s is %j', (today, expected) => {
    const made = reminderOf(loan(), day(today), offsets);
    expect(made && [made.kind, made.instalment, made.offset, made.amount, made.due]).toEqual(expected);
  });

  it.each<[string, Partial<LoanToRemind>]>([
    ['while a payment that the borrower reported waits', { isPaymentWaiting: true }],
    ['before the day of a promise has passed', { promisedFor: day('2026-03-13') }],
    ...(['written_off', 'completed', 'settled', 'cancelled'] satisfies StoredLoanState[]).map(
      (state): [string, Partial<LoanToRemind>] => [`once it is ${state}`, { state }],
    ),
  ])('is not made %s', (_, change) => {
    expect(reminderOf(loan(change), day('2026-03-13'), offsets)).toBeUndefined();
  });

  it('is made again after the day of a promise', () => {
    expect(reminderOf(loan({ promisedFor: day('2026-03-12') }), day('2026-03-13'), offsets)?.kind).toBe(
      'overdue',
    );
  });
});

describe('why a reminder is no longer sent', () => {
  const made = { instalment: 1, offset: 3 };
  const today = day('2026-03-13');
  it.each<[string, LoanToRemind | undefined, string | undefined]>([
    ['nothing happened', loan(), undefined],
    ['it was paid', loan({ unpaid: loan().unpaid.slice(1) }), 'paid'],
    [
      'it was deferred',
      loan({ unpaid: [{ number: 1, dueDate: day('2026-04-10'), left: centavos(1_000) }] }),
      'deferred',
    ],
    ['the loan was written off', loan({ state: 'written_off' }), 'closed'],
    ['the loan is gone', undefined, 'closed'],
    ['a payment waits', loan({ isPaymentWaiting: true }), 'payment_waiting'],
    ['the borrower promised', loan({ promisedFor: day('2026-03-20') }), 'promised'],
  ])('%s', (_, present, reason) => {
    expect(whyNotReminded(made, present, today)).toBe(reason);
  });
});

describe('the reminders of a borrower’s day', () => {
  const one = (kind: Reminder['kind'], loanId: number, amount: number, due: string): Reminder => ({
    kind,
    loanId,
    instalment: 1,
    offset: kind === 'overdue' ? 3 : kind === 'due_today' ? 0 : -3,
    amount: centavos(amount),
    due: day(due),
  });

  it('are one text with the sum of all loans in arrears', () => {
    const { chosen, merged, text } = mergeReminders([
      one('due_today', 1, 5, '2026-03-13'),
      one('overdue', 2, 100, '2026-03-06'),
      one('overdue', 3, 20, '2026-03-10'),
    ]);
    expect(text).toEqual({ kind: 'overdue', amount: 120, loans: 2, due: '2026-03-10' });
    expect([chosen[0]?.loanId, merged.map(({ loanId }) => loanId)]).toEqual([2, [3, 1]]);
  });

  it('count as one attempt to reach somebody', () => {
    const at = (time: string) => new Date(`2026-03-10T${time}:00+08:00`);
    expect(onePerDay([at('08:00'), at('08:01'), new Date('2026-03-11T08:00:00+08:00')])).toHaveLength(2);
  });

  it('of arrears ask the contact guard; a silence stops all', () => {
    const now = new Date('2026-03-10T08:00:00+08:00');
    const today = day('2026-03-10');
    const called = { now, attempts: [new Date('2026-03-10T08:00:00+08:00')] };
    expect(whyNotContacted('overdue', called, today)).toBe('contact_not_allowed');
    expect(whyNotContacted('due_today', called, today)).toBeUndefined();
    const silent = { now, attempts: [], silent: new Set([today]) };
    for (const kind of ['overdue', 'due_today', 'due_in'] as const)
      expect(whyNotContacted(kind, silent, today)).toBe('complaint');
  });
});

/** Works the reminder out by another way: from an engine that lives through every day. */
function expectedOn(terms: ReturnType<typeof termsFrom>, known: readonly LoanEvent[], today: ManilaDate) {
  const { account, instalments } = positionByDay(terms, known, today) as unknown as ReturnType<
    typeof position
  >;
  if (!['open', 'overdue'].includes(account.state)) return undefined;
  const unpaid = instalments.filter(({ left }) => Number(left) > 0);
  const late = unpaid[0] && daysBetween(day(unpaid[0].dueDate), today);
  if (late && [3, 7, 15, 30].includes(late))
    return `${today} overdue ${unpaid[0]?.number} ${late} ${Number(account.dueNow)}`;
  for (const ahead of [0, 3]) {
    const coming = unpaid.find(({ dueDate }) => dueDate === addDays(today, ahead));
    if (coming)
      return `${today} ${ahead === 0 ? 'due_today' : 'due_in'} ${coming.number} ${-ahead || 0} ${Number(coming.left)}`;
  }
  return undefined;
}

function eventsOf(recorded: readonly CaseEvent[]): LoanEvent[] {
  const sequenceOf = (label: number | undefined) => recorded.findIndex(({ seq }) => seq === label) + 1;
  return recorded.map(({ seq: _, amount, reverses, ...event }, index) => {
    const money = amount === undefined ? {} : { amountCentavos: pesos(amount) };
    const taken = reverses === undefined ? {} : { reverses: sequenceOf(reverses) };
    return { ...event, ...money, ...taken, sequence: index + 1 } as unknown as LoanEvent;
  });
}

describe.each(cases)(
  'the worked loan $id: $title',
  ({ loan: { amount, termMonths, monthlyRateBp, disbursedOn }, policy, events: recorded }) => {
    it('is reminded of day by day, over its whole life, as another engine says', () => {
      const terms = termsFrom(
        {
          amountCentavos: pesos(amount),
          monthlyRate: basisPoints(monthlyRateBp),
          termMonths,
          startDate: day(disbursedOn),
        },
        {
          graceDays: policy.graceDays,
          coolingOffDays: policy.coolingOffDays,
          lateChargeRate: basisPoints(policy.lateChargeBp),
          lateChargeCap: basisPoints(policy.lateChargeCapBp),
        },
      );
      const events = eventsOf(recorded);
      const made: string[] = [];
      const expected: string[] = [];
      const last = addDays(day(disbursedOn), (termMonths + 5) * 31);
      for (let today = day(disbursedOn); today <= last; today = addDays(today, 1)) {
        const later = events.findIndex((event) => event.date > today);
        const known = later === -1 ? events : events.slice(0, later);
        const { account, instalments } = position(terms, known, today);
        const state = account.state === 'overdue' ? 'open' : account.state;
        const unpaid = instalments.filter(({ left }) => left > 0);
        const reminder = reminderOf(
          {
            loanId: 1,
            state: state as StoredLoanState,
            unpaid: unpaid as LoanToRemind['unpaid'],
            dueNow: account.dueNow,
            isPaymentWaiting: false,
            promisedFor: undefined,
          },
          today,
          offsets,
        );
        if (reminder)
          made.push(`${today} ${reminder.kind} ${reminder.instalment} ${reminder.offset} ${reminder.amount}`);
        // The other engine is slow: the torture asks it for every day.
        const isAsked =
          isTorture || reminder !== undefined || daysBetween(day(disbursedOn), today) % 29 === 0;
        const other = isAsked ? expectedOn(terms, known, today) : undefined;
        if (other) expected.push(other);
      }
      expect(made).toEqual(expected);
    });
  },
);
