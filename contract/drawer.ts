import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import { day, momentReply, moneyReply, optional, pesosBetween, says, text } from './fields.ts';

const cash = pesosBetween([0, says('cashInDrawer')], [limits.balanceMaxCentavos, says('amountTooLarge')]);

export const DrawerForm = z.object({ float: cash });

/** A difference wants a reason. */
export const DrawerCloseForm = z.object({
  counted: cash,
  reason: optional(text({ min: 3, max: limits.longTextMaxLength, message: says('reasonRequired') })),
});

const tally = z.object({ count: z.number(), amount: moneyReply });

/** `expected` is the float with the cash that came in, less what went out. */
const drawer = {
  id: z.number(),
  openedAt: momentReply,
  /** The person whose drawer it is. */
  by: z.string(),
  float: moneyReply,
  cashIn: tally,
  cashOut: tally,
  expected: moneyReply,
};

export const DrawerReply = z.object(drawer);

export const CurrentDrawerReply = z.object({ drawer: z.nullable(DrawerReply) });

export const DrawerCloseReply = z.object({
  expected: moneyReply,
  counted: moneyReply,
  difference: moneyReply,
});

/** `counted`, `difference` and `reason` are null while it is open. */
export const DayDrawerReply = z.object({
  ...drawer,
  closedAt: z.nullable(momentReply),
  /** Present if somebody else closed it. */
  closedBy: z.optional(z.string()),
  counted: z.nullable(moneyReply),
  difference: z.nullable(moneyReply),
  reason: z.nullable(z.string()),
});

export const DrawersQuery = z.object({ date: z.optional(day) });
