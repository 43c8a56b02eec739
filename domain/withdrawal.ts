import { limits } from './limits.ts';
import { recordNumber } from './record-number.ts';

/** The states of a withdrawal request (spec section 4). */
export const withdrawalStatuses = ['pending', 'approved', 'completed', 'rejected'] as const;

export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

/** Where a withdrawal may move from each status (contract section 5). Nothing leads out of a final one. */
export const withdrawalTransitions: Readonly<Record<WithdrawalStatus, readonly WithdrawalStatus[]>> = {
  pending: ['approved', 'completed', 'rejected'],
  approved: ['completed', 'rejected'],
  completed: [],
  rejected: [],
};

/** A bank account as somebody typed it; null where the profile has none. */
export type BankDetails = {
  bankName: string | null | undefined;
  bankAccountNumber: string | null | undefined;
};

const HOUR_MS = 60 * 60 * 1000;

/** Whether a withdrawal may move from one status to another; never to the one it already has. */
export function canMoveWithdrawal(from: WithdrawalStatus, to: WithdrawalStatus): boolean {
  return withdrawalTransitions[from].includes(to);
}

/** Whether a status is the end: completed or rejected. */
export function isFinalWithdrawal(status: WithdrawalStatus): boolean {
  return withdrawalTransitions[status].length === 0;
}

/**
 * Whether money would go to the bank account in the profile. Names compare without case and outer or doubled
 * spaces, account numbers without spaces and dashes; a missing or blank one matches nothing.
 */
export function bankMatchesProfile(requested: BankDetails, profile: BankDetails): boolean {
  const requestedName = comparableBankName(requested.bankName);
  const requestedAccount = comparableAccountNumber(requested.bankAccountNumber);
  if (requestedName === '' || requestedAccount === '') return false;
  return (
    requestedName === comparableBankName(profile.bankName) &&
    requestedAccount === comparableAccountNumber(profile.bankAccountNumber)
  );
}

/** What lets somebody at an account's money. */
export type AccessPart = 'password' | 'bank' | 'code' | 'balance';

/** Since when a change of access stands in the way of who made it. */
export const accessChangesSince = (now: Date): Date =>
  new Date(now.getTime() - limits.accessChangeDays * 24 * HOUR_MS);

/**
 * The status a new withdrawal starts with (contract section 5): approved when it goes to the profile's bank account
 * and staff changed neither that nor the password within the hold, otherwise pending, so that staff look at it.
 * `lastStaffChangeAt` is the latest such change, null when there was none; one that lies ahead of `now` holds too.
 * `isHeldLonger`: both were changed within the same weeks, by whomever.
 */
export function firstWithdrawalStatus(request: {
  requested: BankDetails;
  profile: BankDetails;
  lastStaffChangeAt: Date | null | undefined;
  isHeldLonger?: boolean;
  now: Date;
}): 'approved' | 'pending' {
  if (request.isHeldLonger || !bankMatchesProfile(request.requested, request.profile)) return 'pending';
  if (!request.lastStaffChangeAt) return 'approved';
  const sinceChangeMs = request.now.getTime() - request.lastStaffChangeAt.getTime();
  // Written so that an invalid date (NaN) holds the money rather than letting it go.
  return sinceChangeMs >= limits.staffChangeHoldHours * HOUR_MS ? 'approved' : 'pending';
}

/** The number a borrower and staff know a withdrawal by: `WD-2026-000123`. `year` is Manila's. */
export function withdrawalNumber(year: number, sequence: number): string {
  return recordNumber('WD', year, sequence);
}

function comparableBankName(name: string | null | undefined): string {
  return (name ?? '').normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

function comparableAccountNumber(accountNumber: string | null | undefined): string {
  return (accountNumber ?? '').replace(/[\s\p{Dash_Punctuation}]/gu, '');
}
