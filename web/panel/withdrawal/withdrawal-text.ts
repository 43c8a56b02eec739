import type { StaffWithdrawal } from '#contract/staff-withdrawal.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import type { WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Tone } from '#web/ui/status-chip.tsx';

/** The member, by phone if they have no name yet. */
export const payeeName = ({ user }: Pick<StaffWithdrawal, 'user'>): string => user.fullName || user.phone;

export const withdrawalStatusTone: Record<WithdrawalStatus, Tone> = {
  pending: 'warn',
  approved: 'good',
  completed: 'neutral',
  rejected: 'bad',
};

export const withdrawalStatusWord = (status: WithdrawalStatus): string => en.withdrawal.statuses[status];

/** `···· 4321`, as lists show an account number. */
export const shortAccount = (account: string): string =>
  panel.withdrawals.endingIn(account.replace(/[\s-]/g, '').slice(-4));
