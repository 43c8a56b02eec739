import { describe, expect, it } from 'vitest';
import type { Member } from '#contract/member.ts';
import { createFormStore } from '#web/lib/form.ts';
import {
  emptyMember,
  filledFields,
  memberEditForm,
  NewMemberForm,
  typedFields,
  typedMember,
} from '#web/panel/member/member-form.ts';

/** A member who registered at home and told no more than name and phone. */
const justRegistered: Member = {
  id: 1001,
  phone: '09171234567',
  email: null,
  fullName: 'Maria Santos',
  address: null,
  countryOfWork: null,
  monthlySalary: null,
  referenceName: null,
  referencePhone: null,
  bankName: null,
  bankAccountNumber: null,
  status: 'pending',
} as Partial<Member> as Member;

/** The keys of what is wrong, by field. */
function wrong(schema: Parameters<typeof createFormStore>[0], typed: object) {
  const form = createFormStore<object>(schema, typed);
  form.submit();
  return form.errors();
}

describe('adding a member', () => {
  it('asks for every field of the profile, and for a password only if one is typed', () => {
    expect(wrong(NewMemberForm, emptyMember)).toEqual({
      phone: 'phoneRequired',
      fullName: 'fullNameRequired',
      address: 'addressRequired',
      countryOfWork: 'countryOfWorkRequired',
      monthlySalary: 'monthlySalaryRequired',
      referenceName: 'referenceNameRequired',
      referencePhone: 'referencePhoneRequired',
      bankName: 'bankNameRequired',
      bankAccountNumber: 'bankAccountNumberRequired',
    });
    expect(wrong(NewMemberForm, { ...emptyMember, password: 'short' })).toMatchObject({
      password: 'passwordTooShort',
    });
    expect(wrong(NewMemberForm, { ...emptyMember, status: 'gone' })).toMatchObject({
      status: 'memberStatusUnknown',
    });
  });

  it('empty fields are not sent', () => {
    expect(filledFields({ ...emptyMember, phone: '09171234567', fullName: 'Ana' })).toEqual({
      phone: '09171234567',
      fullName: 'Ana',
      status: 'active',
    });
  });
});

describe('editing a member', () => {
  const before = typedMember(justRegistered);

  it('fields that the member left empty may stay empty', () => {
    expect(wrong(memberEditForm(before), { ...before, phone: '09180000000' })).toEqual({});
  });

  it('typed values must be valid, and filled fields may not be emptied', () => {
    const typed = { ...before, fullName: '', address: 'too short', bankAccountNumber: '12' };
    expect(wrong(memberEditForm(before), typed)).toEqual({
      fullName: 'fullNameRequired',
      address: 'addressRequired',
      bankAccountNumber: 'bankAccountNumberRequired',
    });
  });

  it('a stored value that breaks a rule must be corrected, changed or not', () => {
    const stored = typedMember({ ...justRegistered, address: 'too short' });
    expect(wrong(memberEditForm(stored), stored)).toEqual({ address: 'addressRequired' });
  });

  it('a member’s values are held as they would be typed', () => {
    expect(typedFields({ monthlySalary: '40000.00', email: null, creditScore: 700 } as object)).toEqual({
      monthlySalary: '40000',
      email: '',
    });
  });

  it('a salary is shown as it would be typed', () => {
    const salary = (monthlySalary: string) => typedMember({ ...justRegistered, monthlySalary }).monthlySalary;
    expect([salary('35000.00'), salary('35000.50')]).toEqual(['35000', '35000.50']);
  });
});
