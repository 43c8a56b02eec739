import * as z from 'zod/mini';
import { parseManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { paymentChannels, paymentStatuses } from '#domain/servicing.ts';
import { momentReply, moneyReply, optional, pesosBetween, says, text } from './fields.ts';

/** A day in Manila as `YYYY-MM-DD`. */
const day = z.pipe(
  z.string(says('dateUnreadable')),
  z.transform((value, context) => {
    const date = parseManilaDate(value);
    if (date) return date;
    context.issues.push({ code: 'custom', message: says('dateUnreadable'), input: value });
    return z.NEVER;
  }),
);

const amount = pesosBetween({
  min: 1,
  minMessage: says('amountRequired'),
  max: limits.balanceMaxCentavos,
  maxMessage: says('amountTooLarge'),
});

const reason = text({ min: 3, max: limits.longTextMaxLength, message: says('reasonRequired') });
const reference = optional(text({ max: limits.shortTextMaxLength, message: says('referenceRequired') }));

export const DisbursementForm = z.object({
  channel: z.enum(['wallet', 'direct', 'recorded'], says('channelUnknown')),
  date: z.optional(day),
  reference,
});

export const ReasonForm = z.object({ reason });

/** Money paid on a loan, as staff write it down. */
export const PaymentForm = z.object({
  amount,
  channel: z.enum(
    paymentChannels.filter((channel) => channel !== 'provider' && channel !== 'restructure'),
    says('channelUnknown'),
  ),
  reference,
  valueDate: z.optional(day),
  /** Meant to settle the loan, also with fewer than two instalments to come. */
  settlement: z.optional(z.boolean()),
  reason: optional(reason),
  proofUrl: optional(z.string()),
});

export const PaymentUpdate = z.object({
  status: z.enum(['confirmed', 'rejected', 'reversed'], says('paymentStatusUnknown')),
  valueDate: z.optional(day),
  reason: optional(reason),
});

export const LoanActionForm = z.object({
  kind: z.enum(['waiver', 'deferral', 'write_off', 'refund', 'reversal'], says('actionUnknown')),
  /** Of a waiver or refund. */
  amount: z.optional(amount),
  /** Of a deferral. */
  months: z.optional(
    z
      .int(says('deferralMonths'))
      .check(z.gte(1, says('deferralMonths')), z.lte(limits.deferralMaxMonths, says('deferralMonths'))),
  ),
  /** The sequence of the event that a reversal takes back. */
  reverses: z.optional(z.int(says('notReversible'))),
  valueDate: z.optional(day),
  reason,
});

export const ApprovalDecision = z.object({
  decision: z.enum(['approved', 'rejected'], says('decisionUnknown')),
  reason: optional(reason),
});

export const AccountQuery = z.object({ asOf: z.optional(day) });
export const SettlementQuery = z.object({ date: z.optional(day) });

export const SettlementReply = z.object({
  date: z.string(),
  amount: moneyReply,
  rebate: moneyReply,
  comparison: z.object({ noRebate: moneyReply, ruleOf78: moneyReply, proRataByDays: moneyReply }),
});

/** Where a loan stands at the end of a day. Staff see also who recorded what, and why. */
export const LoanAccountReply = z.object({
  asOf: z.string(),
  loanId: z.number(),
  loanNumber: z.string(),
  /** The day that the due dates count from; null until it is disbursed. */
  disbursedOn: z.nullable(z.string()),
  account: z.object({
    state: z.string(),
    principalLeft: moneyReply,
    interestLeft: moneyReply,
    due: moneyReply,
    overdue: moneyReply,
    lateChargesAccrued: moneyReply,
    lateChargesPaid: moneyReply,
    lateChargesWaived: moneyReply,
    lateChargesOwed: moneyReply,
    refundToReturn: moneyReply,
    dueNow: moneyReply,
    daysPastDue: z.number(),
    bucket: z.string(),
    nextDueDate: z.nullable(z.string()),
    nextDueAmount: moneyReply,
    credit: moneyReply,
    settledOn: z.nullable(z.string()),
    rebate: moneyReply,
    writeOffAmount: moneyReply,
  }),
  instalments: z.array(
    z.object({
      number: z.number(),
      dueDate: z.string(),
      amount: moneyReply,
      interest: moneyReply,
      principal: moneyReply,
      paid: moneyReply,
      left: moneyReply,
      lateCharge: moneyReply,
      status: z.string(),
    }),
  ),
  receipts: z.array(
    z.object({
      ofEvent: z.number(),
      date: z.string(),
      amount: moneyReply,
      interest: moneyReply,
      principal: moneyReply,
      lateCharges: moneyReply,
      credit: moneyReply,
      instalments: z.record(z.string(), moneyReply),
      settles: z.boolean(),
    }),
  ),
  settlement: z.optional(SettlementReply),
  /** Receipts as they were printed, reversed ones too, and what waits to be confirmed; newest first. */
  payments: z.array(
    z.object({
      id: z.number(),
      amount: moneyReply,
      channel: z.string(),
      reference: z.nullable(z.string()),
      valueDate: z.string(),
      status: z.string(),
      receiptNumber: z.nullable(z.string()),
      application: z.nullable(z.record(z.string(), z.unknown())),
      createdAt: momentReply,
    }),
  ),
  events: z.array(
    z.object({
      sequence: z.number(),
      kind: z.string(),
      date: z.string(),
      amount: z.nullable(moneyReply),
      months: z.nullable(z.number()),
      channel: z.nullable(z.string()),
      auto: z.boolean(),
      reverses: z.nullable(z.number()),
      /** Whether a later event took it back. */
      isReversed: z.boolean(),
      paymentId: z.nullable(z.number()),
      createdAt: momentReply,
      /** To staff alone. */
      reason: z.optional(z.string()),
      by: z.optional(z.string()),
      approvedBy: z.optional(z.string()),
      isAlone: z.optional(z.boolean()),
    }),
  ),
});
export type LoanAccount = z.output<typeof LoanAccountReply>;

const paymentFields = {
  id: z.number(),
  loanId: z.number(),
  amount: moneyReply,
  channel: z.string(),
  reference: z.nullable(z.string()),
  valueDate: z.string(),
  settlement: z.boolean(),
  reason: z.string(),
  proofUrl: z.nullable(z.string()),
  status: z.string(),
  receiptNumber: z.nullable(z.string()),
  application: z.nullable(z.record(z.string(), z.unknown())),
  recordedBy: z.number(),
  confirmedBy: z.nullable(z.number()),
  createdAt: momentReply,
  updatedAt: momentReply,
};

const approvalFields = {
  id: z.number(),
  loanId: z.number(),
  kind: z.string(),
  /** What is to be done, amounts in pesos. */
  payload: z.record(z.string(), z.unknown()),
  askedBy: z.number(),
  askedAt: momentReply,
  decision: z.nullable(z.string()),
  decidedBy: z.nullable(z.number()),
  decidedAt: z.nullable(momentReply),
  reason: z.string(),
};

const member = z.object({
  id: z.number(),
  fullName: z.string(),
  email: z.nullable(z.string()),
  phone: z.string(),
});

/** The answer where a second person has to decide first: 202. */
export const AwaitingReply = z.object({ approval: z.object(approvalFields) });

/** Either what was done, or what waits. */
// @__NO_SIDE_EFFECTS__
const orAwaiting = <Done extends z.ZodMiniType>(done: Done) => z.union([AwaitingReply, done]);

export const PaymentReply = z.object(paymentFields);
export type Payment = z.output<typeof PaymentReply>;
export const PaymentDoneReply = orAwaiting(PaymentReply);
export const StaffPaymentReply = z.object({ ...paymentFields, loanNumber: z.string(), user: member });

/** The account after what was done to it. */
export const LoanAccountDoneReply = orAwaiting(LoanAccountReply);

export const ApprovalReply = z.object(approvalFields);
export const StaffApprovalReply = z.object({
  ...approvalFields,
  loanNumber: z.string(),
  user: z.object({ id: z.number(), fullName: z.string() }),
});

export const PaymentsQuery = z.object({
  search: z.optional(z.string()),
  status: optional(z.enum([...paymentStatuses, 'all'], says('statusUnknown'))),
  channel: optional(z.enum([...paymentChannels, 'all'], says('channelUnknown'))),
  from: z.optional(day),
  to: z.optional(day),
});

export const ApprovalsQuery = z.object({ status: optional(z.enum(['open', 'all'], says('statusUnknown'))) });
