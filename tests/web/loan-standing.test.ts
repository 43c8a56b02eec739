import { describe, expect, it } from 'vitest';
import type { Loan } from '#contract/loan.ts';
import type { LoanAccount } from '#contract/servicing.ts';
import type { ManilaDate } from '#domain/calendar.ts';
import { deferredMonthsOf } from '#web/lib/loan-account.ts';
import {
  loansInSight,
  matOf,
  nextPayment,
  type Standing,
  shownLoan,
  wholeOf,
} from '#web/lib/loan-standing.ts';

const standing: Pick<Standing, 'state' | 'dueNow' | 'dueSince' | 'nextDueDate' | 'nextDueAmount'> = {
  state: 'open',
  dueNow: '0.00',
  dueSince: null,
  nextDueDate: '2027-01-20',
  nextDueAmount: '16250.00',
};

describe('what is paid next', () => {
  it.each<[string, Partial<Standing>, object | undefined]>([
    ['the next instalment while nothing is due', {}, { amount: '16250.00', dueOn: '2027-01-20' }],
    ['all that is due, once something is', { dueNow: '16250.00' }, { amount: '16250.00' }],
    [
      'all that is late, with since when',
      { state: 'overdue', dueNow: '32619.17', dueSince: '2026-12-20' },
      { amount: '32619.17', dueSince: '2026-12-20' },
    ],
    ['what is due of a loan written off', { state: 'written_off', dueNow: '9.00' }, { amount: '9.00' }],
    ['nothing of a loan paid off', { state: 'completed', nextDueDate: null }, undefined],
    ['nothing of one taken back', { state: 'cancelled' }, undefined],
    ['nothing when no instalment is left', { nextDueDate: null, nextDueAmount: '0.00' }, undefined],
  ])('is %s', (_, change, expected) => {
    expect(nextPayment({ ...standing, ...change })).toEqual(expected);
  });
});

it.each([
  ['325.00', '16250.00'],
  ['16249.00', '16250.00'],
  // The last instalment of a loan may be some centavos less.
  ['16249.76', undefined],
  ['16250.00', undefined],
])('of an instalment %s is left, and the whole of it is %s', (left, whole) => {
  expect(wholeOf(left, '16250.00')).toBe(whole);
});

it('a deferral counts until it is reversed or the loan is released again', () => {
  const event = (kind: string, months: number | null = null, isReversed = false) => ({
    kind,
    months,
    isReversed,
  });
  const monthsOf = (...events: object[]) => deferredMonthsOf({ events } as Pick<LoanAccount, 'events'>);
  const before = [
    event('disbursement'),
    event('deferral', 2),
    event('deferral', 1),
    event('deferral', 3, true),
  ];
  expect(monthsOf(...before)).toBe(3);
  expect(monthsOf(...before, event('cancellation'), event('disbursement'))).toBe(0);
});

describe('My loan', () => {
  const loan = (loanNumber: string, state: string | null, status = 'active') =>
    ({ loanNumber, status, account: state && { state } }) as unknown as Loan;
  const paid = loan('LN-1', 'completed', 'completed');
  const open = loan('LN-2', 'overdue');
  const cancelled = loan('LN-3', 'cancelled', 'approved');
  const pending = loan('LN-4', null, 'pending');

  it.each([
    ['the one asked for', [pending, open, paid], 'LN-1', 'LN-1'],
    ['else one with something left to pay', [pending, cancelled, open, paid], null, 'LN-2'],
    ['of an unknown number the same', [pending, open], 'LN-9', 'LN-2'],
    ['else one that is paid off', [pending, cancelled, paid], null, 'LN-1'],
    ['else the one that comes next', [pending, cancelled], null, 'LN-3'],
    ['nothing without a loan', [], null, undefined],
  ])('shows %s', (_, loans, asked, expected) => {
    expect(shownLoan(loans, asked)?.loanNumber).toBe(expected);
  });
});

describe('the mat', () => {
  const dueDates = ['2026-09-20', '2026-10-20', '2026-11-20', '2026-12-20'];
  const today = '2026-11-23' as ManilaDate;
  const loan = (account: object | null, status = 'active') =>
    ({ status, dueDates, account }) as unknown as Loan;

  it.each([
    ['none paid before the release', loan(null, 'approved'), 'next bare bare bare'],
    [
      'none of one taken back',
      loan({ state: 'cancelled', dueSince: null }, 'approved'),
      'next bare bare bare',
    ],
    ['none of one that only staff call paid', loan(null, 'completed'), 'next bare bare bare'],
    [
      'paid what was due before the next',
      loan({ state: 'open', dueSince: null, nextDueDate: '2026-12-20' }),
      'paid paid paid next',
    ],
    [
      'late what is due since then and before today',
      loan({ state: 'overdue', dueSince: '2026-10-20', nextDueDate: '2026-12-20' }),
      'paid late late next',
    ],
    [
      'all paid, with only charges left',
      loan({ state: 'open', dueSince: null, nextDueDate: null }),
      'paid paid paid paid',
    ],
    [
      'all of one settled',
      loan({ state: 'settled', dueSince: null, nextDueDate: null }),
      'paid paid paid paid',
    ],
  ])('shows %s', (_, shown, expected) => {
    expect(matOf(shown, today).join(' ')).toBe(expected);
  });
});

describe('Home', () => {
  const loan = (loanNumber: string, status: string, account: object | null = null) =>
    ({ loanNumber, status, account }) as unknown as Loan;
  const open = loan('LN-1', 'active', { state: 'open', dueSince: null });
  const late = loan('LN-2', 'field_visit', { state: 'overdue', dueSince: '2026-12-20' });
  const visited = loan('LN-5', 'field_visit', { state: 'open', dueSince: null });
  const newer = loan('LN-3', 'denied');
  const paid = loan('LN-4', 'completed', { state: 'completed', dueSince: null });

  it.each([
    ['the newest alone', [paid], ['LN-4']],
    ['the main loan beside a newer application', [newer, open], ['LN-3', 'LN-1']],
    ['what is late first, whatever its status', [newer, paid, late, open], ['LN-2', 'LN-3', 'LN-1']],
    ['what is open by its account, whatever its status', [newer, paid, visited], ['LN-3', 'LN-5']],
    ['nothing twice', [late], ['LN-2']],
    ['nothing', [], []],
  ])('shows %s', (_, loans, expected) => {
    expect(loansInSight(loans).map(({ loanNumber }) => loanNumber)).toEqual(expected);
  });
});
