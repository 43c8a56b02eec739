import { paths } from '#contract/routes.ts';
import { addDays, type ManilaDate } from '#domain/calendar.ts';
import { addressOf } from '#web/lib/call.ts';

const loans = (query: Record<string, string>) => addressOf(paths.borrowing, {}, query);

/** Where the loans behind each figure of today's portfolio are listed. */
export const loansBehind = (day: ManilaDate) => ({
  dueToday: loans({ dueFrom: day, dueTo: day }),
  dueNext7Days: loans({ dueFrom: addDays(day, 1), dueTo: addDays(day, 7) }),
  principalOut: loans({ status: '!open' }),
  current: loans({ status: '!current' }),
  pending: loans({ status: 'pending' }),
  approved: loans({ status: '!release' }),
  ...{ par1: loans({ pastDue: '1' }), par30: loans({ pastDue: '31' }), par90: loans({ pastDue: '91' }) },
});
