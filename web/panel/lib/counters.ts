import type { Today } from '#contract/collection.ts';
import { paths } from '#contract/routes.ts';
import { addDays, type ManilaDate } from '#domain/calendar.ts';
import type { StaffRole } from '#domain/member.ts';
import { addressOf } from '#web/lib/call.ts';

export type Counter = {
  name: Exclude<keyof Today['waiting'], 'complaintsOverdue' | 'messagesFailed'>;
  path: string;
  /** The list's filter. */
  status?: string;
  roles: readonly StaffRole[];
  /** Shown only while there are some. */
  isRare?: true;
};

/** The work that waits (§today), with its list and the roles that do it. */
export const counters: readonly Counter[] = [
  { name: 'toDecide', path: paths.borrowing, status: 'pending', roles: ['approver', 'encoder'] },
  { name: 'toRelease', path: paths.borrowing, status: '!release', roles: ['encoder'] },
  { name: 'paymentsToConfirm', path: paths.payments, status: 'submitted', roles: ['approver', 'cashier'] },
  { name: 'requests', path: paths.approvals, roles: ['approver'] },
  { name: 'withdrawalsToSend', path: paths.withdrawals, status: 'tosend', roles: ['approver'] },
  { name: 'codesAskedFor', path: paths.members, status: 'waiting', roles: ['cashier'] },
  { name: 'brokenPromises', path: paths.collections, status: 'broken', roles: ['collector'] },
  { name: 'complaints', path: paths.complaints, roles: ['collector'] },
  { name: 'membersComplete', path: paths.members, status: 'complete', roles: ['approver'] },
  { name: 'phonesShared', path: paths.members, status: 'shared', roles: ['encoder'], isRare: true },
];

export const isWorkOf = (roles: readonly StaffRole[] | undefined, counter: Counter): boolean =>
  counter.roles.some((role) => roles?.includes(role));

const loans = (query: Record<string, string>) => addressOf(paths.borrowing, {}, query);

/** Returns where the loans behind each figure of today's portfolio are listed. */
export const loansBehind = (day: ManilaDate) => ({
  dueToday: loans({ dueFrom: day, dueTo: day }),
  dueNext7Days: loans({ dueFrom: addDays(day, 1), dueTo: addDays(day, 7) }),
  principalOut: loans({ status: '!open' }),
  current: loans({ status: '!current' }),
  pending: loans({ status: 'pending' }),
  approved: loans({ status: '!release' }),
  par1: loans({ pastDue: '1' }),
  par30: loans({ pastDue: '31' }),
  par90: loans({ pastDue: '91' }),
});
