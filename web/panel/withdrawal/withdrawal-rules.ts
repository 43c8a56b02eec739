import type { CsvColumn } from '#contract/csv.ts';
import type { StaffWithdrawal } from '#contract/member.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import type { WithdrawalStatus } from '#domain/withdrawal.ts';
import { formatsOf } from '#web/lib/format.ts';
import { phoneSpellings } from '#web/panel/lib/phone-spellings.ts';
import type { ListRules } from '#web/panel/lib/shown-rows.ts';
import type { Tone } from '#web/ui/status-chip.tsx';

/** Whose withdrawal it is, in words. */
export const payeeName = ({ user }: Pick<StaffWithdrawal, 'user'>): string => user.fullName || user.phone;

export const withdrawalStatusTone: Record<WithdrawalStatus, Tone> = {
  pending: 'warn',
  approved: 'good',
  completed: 'neutral',
  rejected: 'bad',
};

export const withdrawalStatusWord = (status: WithdrawalStatus): string => en.withdrawal.statuses[status];

const lastDigits = (account: string) => account.replace(/[\s-]/g, '').slice(-4);

/** An account number as far as a list shows it. */
export const shortAccount = (account: string): string => panel.withdrawals.endingIn(lastDigits(account));

/** The choice that narrows the list to what one person did alone, beside the statuses. */
export const releasedAloneChoice = { value: 'alone', label: panel.withdrawals.releasedAloneFilter };

export const withdrawalRules: ListRules<StaffWithdrawal> = {
  searchText: ({ withdrawalNumber, user, bankName }) =>
    [withdrawalNumber, user.fullName, phoneSpellings(user.phone), user.email, bankName].join('\n'),
  statusOf: ({ status }) => status,
  alsoFits: ({ isReleasedAlone }, choice) => choice === releasedAloneChoice.value && isReleasedAlone === true,
  sortValues: {
    member: payeeName,
    number: ({ withdrawalNumber }) => withdrawalNumber,
    amount: ({ amount }) => Number(amount),
    bank: ({ bankName }) => bankName,
    status: ({ status }) => status,
    requested: ({ createdAt }) => createdAt,
    processed: ({ processedAt }) => processedAt ?? '',
  },
};

const { columns: heads } = panel.withdrawals;
const { dateTime } = formatsOf('en');

/** What an export carries: account numbers as in the list, all but the last four digits left out. */
export const withdrawalCsv: readonly CsvColumn<StaffWithdrawal>[] = [
  { head: heads.number, value: ({ withdrawalNumber }) => withdrawalNumber },
  { head: heads.member, value: payeeName },
  { head: heads.phone, value: ({ user }) => user.phone },
  { head: heads.amount, value: ({ amount }) => amount },
  { head: heads.bank, value: ({ bankName }) => bankName },
  { head: heads.account, value: ({ bankAccountNumber }) => shortAccount(bankAccountNumber) },
  { head: heads.status, value: ({ status }) => withdrawalStatusWord(status) },
  { head: heads.requested, value: ({ createdAt }) => dateTime(createdAt) },
  { head: heads.processed, value: ({ processedAt }) => processedAt && dateTime(processedAt) },
];
