import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountStatus,
  groupAccountNumber,
  isMainAdmin,
  maskAccountNumber,
  memberStatuses,
  toggledStatus,
} from '#domain/member.ts';
import {
  demandedPieces,
  isVerified,
  missingForVerification,
  missingPieces,
  profilePieces,
} from '#domain/profile.ts';

const complete = {
  fullName: 'Maria Santos',
  address: 'Cabanatuan, Nueva Ecija',
  monthlySalary: '25000.00',
  bankName: 'Sample Bank',
  bankAccountNumber: '001234567890',
  idFrontUrl: '/api/files/a',
  idBackUrl: '/api/files/b',
  selfieUrl: '/api/files/c',
  referenceName: null,
};

describe('status', () => {
  it('toggles active to suspended and any other to active', () => {
    expect(memberStatuses).toEqual(['active', 'pending', 'suspended']);
    expect(memberStatuses.map(toggledStatus)).toEqual(['suspended', 'active', 'active']);
  });

  it('is shown to the borrower as suspended or active', () => {
    expect(memberStatuses.map(accountStatus)).toEqual(['active', 'active', 'suspended']);
  });
});

describe('verification', () => {
  it('asks for five personal fields and three documents', () => {
    expect(profilePieces).toEqual([
      'fullName',
      'address',
      'monthlySalary',
      'bankName',
      'bankAccountNumber',
      'idFrontUrl',
      'idBackUrl',
      'selfieUrl',
    ]);
    expect(missingForVerification({})).toEqual(profilePieces);
  });

  it('asks for less than the profile form', () => {
    expect(missingPieces({})).toEqual(demandedPieces);
    // Somebody who has just registered stands like this.
    expect(missingPieces({ fullName: 'Maria Santos' })).toHaveLength(10);
    const withoutSelfie = { ...complete, selfieUrl: null };
    expect(missingPieces(withoutSelfie)).toEqual([
      'countryOfWork',
      'referenceName',
      'referencePhone',
      'selfieUrl',
    ]);
    // Verification asks for less than the form (§verified-account); a verified account lacks nothing.
    expect(missingPieces(complete)).toEqual([]);
  });

  it('is satisfied by these alone, without the other profile fields', () => {
    expect(missingForVerification(complete)).toEqual([]);
    expect(isVerified(complete)).toBe(true);
  });

  it.each(['0.00', 0, 2_500_000])('counts the salary %j as present', (monthlySalary) => {
    expect(isVerified({ ...complete, monthlySalary })).toBe(true);
  });

  it('names exactly what is missing, whether null, absent or blank', () => {
    const absence = fc.constantFrom(null, undefined, '', '  ');
    fc.assert(
      fc.property(fc.subarray([...profilePieces]), absence, (missing, value) => {
        const profile = { ...complete, ...Object.fromEntries(missing.map((piece) => [piece, value])) };
        expect(missingForVerification(profile)).toEqual(missing);
        expect(isVerified(profile)).toBe(missing.length === 0);
      }),
    );
  });
});

describe('isMainAdmin', () => {
  it.each([
    [{ id: 3, phone: 'admin', isAdmin: true }, true],
    [{ id: 3, phone: '09171234567', isAdmin: true }, true],
    [{ id: 1001, phone: 'admin', isAdmin: true }, true],
    [{ id: 1001, phone: '09171234567', isAdmin: true }, false],
    [{ id: 3, phone: 'admin', isAdmin: false }, false],
    [{ id: 1001, phone: 'Admin', isAdmin: true }, false],
  ])('%j: %s', (account, expected) => {
    expect(isMainAdmin(account)).toBe(expected);
  });
});

describe('account numbers', () => {
  it.each([
    ['001234567890', '0012 3456 7890', '•••• •••• 7890'],
    ['12345678901', '123 4567 8901', '••• •••• 8901'],
    ['0012-3456 7890', '0012 3456 7890', '•••• •••• 7890'],
    ['12345', '1 2345', '• 2345'],
    ['1234', '1234', '••••'],
    ['', '', ''],
  ])('%j is %j, masked %j', (typed, grouped, masked) => {
    expect(groupAccountNumber(typed)).toBe(grouped);
    expect(maskAccountNumber(typed)).toBe(masked);
  });

  it('groups all digits and shows no more than the last four', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{1,34}$/), (number) => {
        const masked = maskAccountNumber(number);
        expect(groupAccountNumber(number).replaceAll(' ', '')).toBe(number);
        expect(masked.replace(/[ •]/g, '')).toBe(number.length > 4 ? number.slice(-4) : '');
        expect(masked).toHaveLength(groupAccountNumber(number).length);
      }),
    );
  });
});
