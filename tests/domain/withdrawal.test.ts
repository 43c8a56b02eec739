import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordNumber } from '#domain/record-number.ts';
import {
  type BankDetails,
  bankMatchesProfile,
  canMoveWithdrawal,
  firstWithdrawalStatus,
  isFinalWithdrawal,
  withdrawalStatuses,
  withdrawalTransitions,
} from '#domain/withdrawal.ts';

const profile: BankDetails = { bankName: 'Sample Bank', bankAccountNumber: '001234567890' };
const now = new Date('2026-11-20T08:00:00.000Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

describe('withdrawal transitions', () => {
  const allowed = [
    'pending approved',
    'pending completed',
    'pending rejected',
    'approved completed',
    'approved rejected',
  ];
  const pairs = withdrawalStatuses.flatMap((from) => withdrawalStatuses.map((to) => [from, to] as const));

  it.each(pairs)('%s to %s', (from, to) => {
    expect(canMoveWithdrawal(from, to)).toBe(allowed.includes(`${from} ${to}`));
  });

  it('ends at completed and rejected only', () => {
    expect(withdrawalStatuses.filter(isFinalWithdrawal)).toEqual(['completed', 'rejected']);
  });

  it('is closed, and any walk along it ends after two moves at most', () => {
    fc.assert(
      fc.property(fc.constantFrom(...withdrawalStatuses), fc.infiniteStream(fc.nat()), (start, choices) => {
        let status = start;
        let moves = 0;
        while (!isFinalWithdrawal(status)) {
          const next = withdrawalTransitions[status];
          const chosen = next[(choices.next().value ?? 0) % next.length];
          expect(withdrawalStatuses).toContain(chosen);
          if (chosen === undefined) return;
          expect(canMoveWithdrawal(status, chosen)).toBe(true);
          status = chosen;
          moves += 1;
        }
        expect(moves).toBeLessThanOrEqual(2);
      }),
    );
  });
});

describe('bankMatchesProfile', () => {
  it.each([
    ['Sample Bank', '001234567890'],
    ['  sample BANK ', '001234567890'],
    ['Sample  Bank', '0012 3456 7890'],
    ['Sample Bank', '0012-3456-7890'],
    ['Sample Bank', ' 001234567890 '],
  ])('knows %j, %j', (bankName, bankAccountNumber) => {
    expect(bankMatchesProfile({ bankName, bankAccountNumber }, profile)).toBe(true);
  });

  it.each([
    ['Sample Bank', '001234567891'],
    ['Sample Bank', '1234567890'],
    ['Other Bank', '001234567890'],
    ['SampleBank', '001234567890'],
    ['', '001234567890'],
    ['Sample Bank', ' - '],
    [null, '001234567890'],
    ['Sample Bank', undefined],
  ])('does not know %j, %j', (bankName, bankAccountNumber) => {
    expect(bankMatchesProfile({ bankName, bankAccountNumber }, profile)).toBe(false);
  });

  it('takes two missing accounts for no match', () => {
    const nothing = { bankName: null, bankAccountNumber: null };
    expect(bankMatchesProfile(nothing, nothing)).toBe(false);
    expect(bankMatchesProfile({ bankName: ' ', bankAccountNumber: '-' }, nothing)).toBe(false);
  });

  it('goes both ways', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'A', '1', ' ', '-'), maxLength: 4 });
    const details = fc.record({ bankName: text, bankAccountNumber: text });
    fc.assert(
      fc.property(details, details, (left, right) => {
        expect(bankMatchesProfile(left, right)).toBe(bankMatchesProfile(right, left));
      }),
    );
  });
});

describe('firstWithdrawalStatus', () => {
  it.each([
    ['no change by staff', null, 'approved'],
    ['no change known', undefined, 'approved'],
    ['a change 49 hours ago', hoursAgo(49), 'approved'],
    ['a change exactly 48 hours ago', hoursAgo(48), 'approved'],
    ['a change a millisecond less ago', new Date(hoursAgo(48).getTime() + 1), 'pending'],
    ['a change just now', now, 'pending'],
    ['a change ahead of this clock', hoursAgo(-1), 'pending'],
    ['a change at an unknown time', new Date(Number.NaN), 'pending'],
  ] as const)('the own account and %s', (_, lastStaffChangeAt, expected) => {
    expect(firstWithdrawalStatus({ requested: profile, profile, lastStaffChangeAt, now })).toBe(expected);
  });

  it('another account is for staff to look at, whatever else holds', () => {
    const requested = { ...profile, bankAccountNumber: '009999999999' };
    for (const lastStaffChangeAt of [null, hoursAgo(1000)]) {
      expect(firstWithdrawalStatus({ requested, profile, lastStaffChangeAt, now })).toBe('pending');
    }
  });
});

describe('withdrawalNumber', () => {
  it('is WD, the year and six digits', () => {
    expect(recordNumber('WD', 2026, 123)).toBe('WD-2026-000123');
  });
});
