import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import { paymentChannels } from '#domain/payment.ts';
import { borrowerOfLoan, countedMoney } from './collection.ts';
import { each, moneyReply, month, parsed, says } from './fields.ts';

/** So many months, weeks or days; a picture has no room for more. */
const countUpTo = (most: number) =>
  parsed((text) => {
    const count = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0;
    return count >= 1 && count <= most ? count : undefined;
  }, says('valueInvalid'));

export const MonthQuery = z.object({ month: z.optional(month) });
export const TrendQuery = z.object({ months: z.optional(countUpTo(limits.trendMonthsMax)) });
export const CollectedQuery = z.object({ days: z.optional(countUpTo(limits.collectedDaysMax)) });
export const ExpectedQuery = z.object({ weeks: z.optional(countUpTo(limits.expectedWeeksMax)) });

const principalMoved = each(moneyReply, 'start', 'released', 'cancelled', 'received', 'writtenOff', 'end');
const bridge = each(moneyReply, 'journal', 'datedEarlier', 'recordedLater', 'reallocated');

/**
 * A month by value dates, as it is known now: start + released − cancelled − received − written off = end, to the centavo. The bridge
 * leads from the journal to it: journal − dated earlier + recorded later + reallocated = end − start.
 */
export const MonthReply = z.object({
  month: z.string(),
  /** The day at whose end the month is shown: its last, or today. */
  asOf: z.string(),
  principal: z.object(principalMoved),
  /** `closed`: neither principal nor anything due is left; a loan that opens again counts −1. */
  loans: z.object(each(z.number(), 'start', 'released', 'cancelled', 'closed', 'writtenOff', 'end')),
  bridge: z.object(bridge),
  /** The journal decides, so the day of recording does. */
  income: z.object(each(moneyReply, 'interest', 'lateCharges')),
  /** Payments on loans that were written off, whole. */
  recovered: z.object(countedMoney),
  /** The sums are those of the day reports of the month. */
  collected: z.array(z.object({ channel: z.enum(paymentChannels), ...countedMoney })),
  /** The report counts those that borrowers made in the month, and the outcome that each has by now. */
  applications: z.object({
    ...each(z.number(), 'received', 'approved', 'denied', 'released'),
    medianDaysToDecision: z.nullable(z.string()),
  }),
});
export type Month = z.output<typeof MonthReply>;

/** A loan with its part of a month's figures. */
export const MonthLoanReply = z.object({ ...borrowerOfLoan, ...principalMoved, ...bridge });
export type MonthLoan = z.output<typeof MonthLoanReply>;

/** A month by value dates: `principalOut` and `par30` at its end, what fell due in it so far, and the payments of it that count. */
export const TrendReply = z.object({
  month: z.string(),
  principalOut: moneyReply,
  par30: z.string(),
  ...each(moneyReply, 'due', 'collected'),
});
export type Trend = readonly z.output<typeof TrendReply>[];

/** A day with what was collected on it, as its day report has it. */
export const CollectedReply = z.object({ date: z.string(), ...countedMoney });

/** A week has the rest of the instalments that open loans have in it; overdue ones are in none. */
export const ExpectedReply = z.object({ from: z.string(), to: z.string(), amount: moneyReply });
export type Expected = readonly z.output<typeof ExpectedReply>[];
