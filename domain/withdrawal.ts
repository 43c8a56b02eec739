import { limits } from './limits.ts';
import { bareAccountNumber } from './member.ts';
import { plainText } from './text.ts';

export const withdrawalStatuses = ['pending', 'approved', 'completed', 'rejected'] as const;

export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

/** Allowed transitions (§withdrawal-transitions). Completed and rejected are final. */
export const withdrawalTransitions: Readonly<Record<WithdrawalStatus, readonly WithdrawalStatus[]>> = {
  pending: ['approved', 'completed', 'rejected'],
  approved: ['completed', 'rejected'],
  completed: [],
  rejected: [],
};

export type BankDetails = {
  bankName: string | null | undefined;
  bankAccountNumber: string | null | undefined;
};

const HOUR_MS = 60 * 60 * 1000;

export const openWithdrawalStatuses = withdrawalStatuses.filter((status) => !isFinalWithdrawal(status));

export function canMoveWithdrawal(from: WithdrawalStatus, to: WithdrawalStatus): boolean {
  return withdrawalTransitions[from].includes(to);
}

export function isFinalWithdrawal(status: WithdrawalStatus): boolean {
  return withdrawalTransitions[status].length === 0;
}

/**
 * True if the money goes to the profile's bank account. Bank names ignore case and extra spaces, account
 * numbers ignore spaces and dashes; missing or blank details never match.
 */
export function bankMatchesProfile(requested: BankDetails, profile: BankDetails): boolean {
  const requestedName = comparableBankName(requested.bankName);
  const requestedAccount = bareAccountNumber(requested.bankAccountNumber ?? '');
  if (requestedName === '' || requestedAccount === '') return false;
  return (
    requestedName === comparableBankName(profile.bankName) &&
    requestedAccount === bareAccountNumber(profile.bankAccountNumber ?? '')
  );
}

export const accessParts = ['phone', 'password', 'bank', 'code', 'balance'] as const;

export type AccessPart = (typeof accessParts)[number];

/** Staff who changed access after this moment cannot release the account's held withdrawals. */
export const accessChangesSince = (now: Date): Date =>
  new Date(now.getTime() - limits.accessChangeDays * 24 * HOUR_MS);

/** A change of the bank details of an account that had ever been verified holds its withdrawals until so long after it. */
export const bankChangesSince = (now: Date): Date =>
  new Date(now.getTime() - limits.staffChangeHoldHours * HOUR_MS);

/**
 * The initial status of a withdrawal (§first-status): approved if it goes to the profile's bank account and staff
 * changed neither that nor phone or password within the hold; otherwise pending, for staff to review.
 * `lastStaffChangeAt` is the latest such change; one in the future holds too. `isHeldLonger`: staff issued a password
 * and the bank details changed within the same weeks. `isBankNew`: the borrower changed the bank account since the
 * wallet's last credit. `isBankMoved`: anybody did within the hold, after the account had been verified, whenever the credit
 * came: a phone found open just before a release is enough for that.
 */
export function firstWithdrawalStatus(request: {
  requested: BankDetails;
  profile: BankDetails;
  lastStaffChangeAt: Date | null | undefined;
  isHeldLonger?: boolean;
  isBankNew?: boolean;
  isBankMoved?: boolean;
  now: Date;
}): 'approved' | 'pending' {
  if (request.isHeldLonger || request.isBankNew || request.isBankMoved) return 'pending';
  if (!bankMatchesProfile(request.requested, request.profile)) return 'pending';
  if (!request.lastStaffChangeAt) return 'approved';
  const sinceChangeMs = request.now.getTime() - request.lastStaffChangeAt.getTime();
  // The comparison lets an invalid date (NaN) hold the money instead of releasing it.
  return sinceChangeMs >= limits.staffChangeHoldHours * HOUR_MS ? 'approved' : 'pending';
}

function comparableBankName(name: string | null | undefined): string {
  return plainText(name ?? '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase();
}
