import { limits } from './limits.ts';
import { plainNumber } from './text.ts';

/** Account states (§account-status): `pending` is registered but not reviewed, `suspended` is locked out. */
export const memberStatuses = ['active', 'pending', 'suspended'] as const;

export type MemberStatus = (typeof memberStatuses)[number];

/** Every member of staff has all roles until the main admin withholds one. */
export const staffRoles = ['encoder', 'cashier', 'collector', 'approver'] as const;

export type StaffRole = (typeof staffRoles)[number];

export function rolesOf(
  account: Parameters<typeof isMainAdmin>[0] & { withheldRoles: readonly StaffRole[] | null },
): StaffRole[] {
  return staffRoles.filter((role) => isMainAdmin(account) || !account.withheldRoles?.includes(role));
}

/** Notices of changed access: shown after the next sign-in until the owner closes them. */
export const accessNotices = [
  'password_set',
  'phone_changed',
  'phone_confirmed',
  'bank_details_changed',
  'otp_set',
  'withdrawals_held',
] as const;

/** The notice that staff get when a colleague changes a second step. */
export const staffNotice = 'second_step_changed';

export const isAccessNotice = (type: string): boolean =>
  [...accessNotices, staffNotice].some((known) => known === type);

/** The forms whose submission gives consent; each shows its own consent sentence above the button. */
export const consentPurposes = ['register', 'profile', 'documents', 'application'] as const;

export type ConsentPurpose = (typeof consentPurposes)[number];

const SHOWN_DIGITS = 4;

/** The wire's `accountStatus` (§account-status): pending blocks nothing. */
export function accountStatus(status: MemberStatus): 'active' | 'suspended' {
  return status === 'suspended' ? 'suspended' : 'active';
}

/** Returns where Activate/Deactivate leads: active → suspended, anything else → active (§account-status). */
export function toggledStatus(status: MemberStatus): 'active' | 'suspended' {
  return status === 'active' ? 'suspended' : 'active';
}

/** An admin whose phone is 'admin' or whose id is 3 (§main-admin). */
export function isMainAdmin(account: { id: number; phone: string; isAdmin: boolean }): boolean {
  return account.isAdmin && (account.id === limits.mainAdminId || account.phone === limits.mainAdminPhone);
}

/**
 * Groups of four counted from the end, so the last four stay together: '12345678901' → '123 4567 8901'. Spaces and
 * dashes are dropped.
 */
export function groupAccountNumber(accountNumber: string): string {
  return bareAccountNumber(accountNumber).replace(/(?!^)(?=(?:.{4})+$)/gsu, ' ');
}

/**
 * Everything but the last four hidden: '••• •••• 8901'. Four characters or fewer, which validation never lets in, are
 * all hidden.
 */
export function maskAccountNumber(accountNumber: string): string {
  const characters = [...bareAccountNumber(accountNumber)];
  const hiddenCount = characters.length > SHOWN_DIGITS ? characters.length - SHOWN_DIGITS : characters.length;
  return groupAccountNumber('•'.repeat(hiddenCount) + characters.slice(hiddenCount).join(''));
}

/** The form in which account numbers are compared: without spaces and dashes (§text). */
export function bareAccountNumber(accountNumber: string): string {
  return plainNumber(accountNumber).replace(/[\s\p{Dash_Punctuation}]/gu, '');
}
