import * as z from 'zod/mini';
import type { ManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import {
  channelMaxCentavos,
  decidedPaymentStatuses,
  isPlainReferenceKey,
  needsReference,
  type PaymentChannel,
  paymentChannels,
  paymentStatuses,
  referenceKey,
} from '#domain/payment.ts';
import {
  approvalOutcomes,
  buckets,
  loanEventChannels,
  loanEventKinds,
  loanStates,
  loanStepKinds,
} from '#domain/servicing.ts';
import {
  anyNumberText,
  day,
  each,
  IdParams,
  idInQuery,
  language,
  momentReply,
  moneyReply,
  month,
  numberText,
  optional,
  PageQuery,
  pesosBetween,
  says,
  searchText,
  text,
} from './fields.ts';
import { changesBeforeAgreement, ScheduleRow, servicingRules } from './loan.ts';
import { UserReply } from './profile.ts';

const amount = pesosBetween([1, says('amountRequired')], [limits.balanceMaxCentavos, says('amountTooLarge')]);

const reason = text({ min: 3, max: limits.longTextMaxLength, message: says('reasonRequired') });
const reference = optional(anyNumberText({ message: says('referenceRequired') }));

export const DisbursementForm = z.object({
  channel: z.enum(['wallet', 'direct', 'recorded'], says('channelUnknown')),
  date: z.optional(day),
  reference,
});

export const ReasonForm = z.object({ reason });

/** Normalised, so that a payment is recognised however its reference was typed, and counts once. */
const paymentReference = optional(
  numberText({ message: says('referenceRequired') }).check(
    z.refine((typed) => isPlainReferenceKey(referenceKey(typed)), says('referenceLetters')),
    z.refine((typed) => referenceKey(typed).length >= limits.referenceMinLength, says('referenceTooShort')),
  ),
);

/** The payment is meant to settle the loan, even with fewer than two instalments to come. */
const settlement = z.optional(z.boolean());

const payment = {
  amount,
  channel: z.enum(paymentChannels, says('channelUnknown')),
  reference: paymentReference,
  valueDate: z.optional(day),
  settlement,
  reason: optional(reason),
  proofUrl: optional(z.string()),
};

type Paid = { amount: number; channel: PaymentChannel; reference?: string | undefined };

/** Rules that compare fields. They are asked once all fields are valid or, with `whenWell`, once those compared are. */
export const rulesOfChannel = (whenWell?: (...fields: string[]) => (found: z.core.ParsePayload) => boolean) =>
  [
    z.refine<Paid>(({ channel, reference: given }) => given !== undefined || !needsReference(channel), {
      ...(whenWell && { when: whenWell('channel', 'reference') }),
      error: says('referenceRequired'),
      path: ['reference'],
    }),
    z.refine<Paid>(({ channel, amount: paid }) => paid <= channelMaxCentavos(channel), {
      ...(whenWell && { when: whenWell('channel', 'amount') }),
      error: says('instapayMax'),
      path: ['amount'],
    }),
  ] as const;

export const PaymentForm = z.object(payment).check(...rulesOfChannel());

/**
 * A payment that a borrower sent elsewhere, or makes from the wallet. The latter counts at once and has
 * neither day nor reference.
 */
export const OwnPaymentForm = z
  .object({
    amount,
    reference: paymentReference,
    settlement,
    proofUrl: payment.proofUrl,
    channel: z.enum(paymentChannels, says('channelUnknown')),
    paidOn: z.optional(day),
  })
  .check(
    ...rulesOfChannel(),
    z.refine(({ channel, paidOn }) => channel === 'wallet' || paidOn !== undefined, {
      error: says('paidOnRequired'),
      path: ['paidOn'],
    }),
  );

/** A payment from the wallet. */
export const OwnPaymentPreviewForm = z.object({ amount, settlement });

export const OwnPaymentParams = z.extend(IdParams, { paymentId: IdParams.shape.id });

const updated = {
  valueDate: z.optional(day),
  /** The sum that came in, if it differs from what the borrower wrote. */
  amount: z.optional(amount),
};

/** `reason` is for staff, `note` for the borrower. */
export const PaymentUpdate = z.object({
  ...updated,
  status: z.enum(decidedPaymentStatuses, says('paymentStatusUnknown')),
  reason: optional(reason),
  note: optional(text({ min: 3, max: limits.longTextMaxLength, message: says('reasonRequired') })),
  /** True if cash that is reversed was handed back: it leaves a drawer (§drawer). */
  cashReturned: z.optional(z.boolean()),
});

export const LoanActionForm = z.object({
  kind: z.enum(['waiver', 'deferral', 'write_off', 'refund', 'reversal'], says('actionUnknown')),
  /** Asked of a waiver or refund. */
  amount: z.optional(amount),
  /** Asked of a deferral. */
  months: z.optional(
    z
      .int(says('deferralMonths'))
      .check(z.gte(1, says('deferralMonths')), z.lte(limits.deferralMaxMonths, says('deferralMonths'))),
  ),
  reverses: z.optional(z.int(says('notReversible'))),
  valueDate: z.optional(day),
  reason,
});

/** A step to preview. It needs no reason yet. */
export const LoanPreviewForm = z.discriminatedUnion(
  'step',
  [
    z.extend(DisbursementForm, { step: z.literal('disbursement') }),
    z.object({ step: z.literal('cancellation') }),
    z.object({ ...payment, step: z.literal('payment') }).check(...rulesOfChannel()),
    z.object({
      step: z.literal('payment_update'),
      paymentId: z.int(says('actionUnknown')),
      status: z.enum(['confirmed', 'reversed'], says('paymentStatusUnknown')),
      ...updated,
    }),
    z.extend(z.omit(LoanActionForm, { reason: true }), { step: z.literal('action') }),
    z.object({ step: z.literal('approval'), approvalId: z.int(says('actionUnknown')) }),
  ],
  says('actionUnknown'),
);

export const ApprovalDecision = z.object({
  decision: z.enum(['approved', 'rejected', 'withdrawn'], says('decisionUnknown')),
  reason: optional(reason),
});

export const AccountQuery = z.object({ asOf: z.optional(day) });
export const StatementQuery = z.object({ lang: language, from: z.optional(day), to: z.optional(day) });
export const ReceiptParams = z.extend(IdParams, { number: z.string() });
export const SettlementQuery = z.object({ date: z.optional(day) });

export const SettlementReply = z.object({
  date: z.string(),
  amount: moneyReply,
  rebate: moneyReply,
  comparison: z.object({ noRebate: moneyReply, ruleOf78: moneyReply, proRataByDays: moneyReply }),
});

const accountFigures = z.object({
  state: z.enum(loanStates),
  ...each(moneyReply, 'principalLeft', 'interestLeft', 'due', 'overdue', 'lateChargesAccrued'),
  ...each(moneyReply, 'lateChargesPaid', 'lateChargesWaived', 'lateChargesOwed', 'refundToReturn', 'dueNow'),
  daysPastDue: z.number(),
  bucket: z.enum(buckets),
  nextDueDate: z.nullable(z.string()),
  nextDueAmount: moneyReply,
  credit: moneyReply,
  settledOn: z.nullable(z.string()),
  rebate: moneyReply,
  writeOffAmount: moneyReply,
});

const instalment = z.extend(ScheduleRow, {
  ...each(moneyReply, 'interest', 'principal', 'paid', 'left', 'lateCharge'),
});

const receiptOf = <Money extends z.ZodMiniType>(money: Money) =>
  z.object({
    ofEvent: z.number(),
    date: z.string(),
    ...each(money, 'amount', 'interest', 'principal', 'lateCharges', 'credit'),
    instalments: z.record(z.string(), money),
    settles: z.boolean(),
  });

export const receipt = receiptOf(moneyReply);
const printedReceipt = receiptOf(z.string());

/** The other facts of a receipt, as of the day it was numbered. Amounts in pesos. */
type ReceiptIssue = {
  date: ManilaDate;
  /** The lender's office that took the money, and its address. */
  place: string;
  recordedBy: string | null;
  /** Null if the person who recorded it confirmed it. */
  confirmedBy: string | null;
  /** The total left to pay, and its parts. */
  left: string;
  lateCharges: string;
  toReturn: string;
  dueNow: string;
  toWallet: string;
  next: { date: ManilaDate; amount: string } | null;
};

/** A stored receipt. Receipts of earlier versions have no `issue`. */
export type PrintedReceipt = z.output<typeof printedReceipt> & { issue?: ReceiptIssue };

export const LoanEventReply = z.object({
  sequence: z.number(),
  kind: z.enum(loanEventKinds),
  date: z.string(),
  amount: z.nullable(moneyReply),
  months: z.nullable(z.number()),
  channel: z.nullable(z.enum(loanEventChannels)),
  paymentId: z.nullable(z.number()),
  createdAt: momentReply,
});

export const PaymentReply = z.object({
  id: z.number(),
  loanId: z.number(),
  amount: moneyReply,
  channel: z.enum(paymentChannels),
  reference: z.nullable(z.string()),
  valueDate: z.string(),
  settlement: z.boolean(),
  reason: z.string(),
  /** Staff's words to the borrower about it. */
  note: z.nullable(z.string()),
  /** The sum that the borrower wrote, if staff counted another. */
  sentAmount: z.nullable(moneyReply),
  proofUrl: z.nullable(z.string()),
  status: z.enum(paymentStatuses),
  receiptNumber: z.nullable(z.string()),
  application: z.nullable(printedReceipt),
  recordedBy: z.number(),
  confirmedBy: z.nullable(z.number()),
  createdAt: momentReply,
  updatedAt: momentReply,
});
export type Payment = z.output<typeof PaymentReply>;

export const OwnPaymentReply = z.omit(PaymentReply, { recordedBy: true, confirmedBy: true, reason: true });

/** Staff only: the loans with another payment that has its reference, while it is undecided. */
const doubleOn = z.optional(z.array(z.string()));

/** Staff only: cash of the same amount on the loan, of about the same day, while a borrower's slip is undecided. */
const sameCash = z.optional(
  z.array(z.object({ receiptNumber: z.nullable(z.string()), valueDate: z.string() })),
);

/** A loan's position at the end of a day. Only staff see who recorded events, and their reasons. */
export const LoanAccountReply = z.object({
  asOf: z.string(),
  loanId: z.number(),
  loanNumber: z.string(),
  /** Due dates count from this day; null until the loan is disbursed. */
  disbursedOn: z.nullable(z.string()),
  /** The day on which the loan was closed, as its certificate says; null while it is open. */
  closedOn: z.nullable(z.string()),
  /** The contract's rules, in percent and days. */
  servicing: z.omit(servicingRules, { settlementMethod: true }),
  account: accountFigures,
  instalments: z.array(instalment),
  receipts: z.array(receipt),
  /** Why instalments have a late charge: each period in which one was unpaid. */
  lateCharges: z.array(
    z.object({
      number: z.number(),
      dueDate: z.string(),
      /** The last day on which full payment would have been free of a charge. */
      graceEnd: z.string(),
      charge: moneyReply,
      cap: moneyReply,
      spans: z.array(z.object({ from: z.string(), to: z.string(), unpaid: moneyReply, charge: moneyReply })),
    }),
  ),
  settlement: z.optional(SettlementReply),
  /** Receipts as printed, reversed ones included, and payments waiting for confirmation; newest first. */
  payments: z.array(
    z.extend(z.omit(PaymentReply, { loanId: true, settlement: true, confirmedBy: true, updatedAt: true }), {
      /** Staff only, as for events. */
      reason: z.optional(z.string()),
      proofUrl: z.optional(z.nullable(z.string())),
      by: z.optional(z.string()),
      recordedBy: z.optional(z.number()),
      doubleOn,
      sameCash,
    }),
  ),
  /**
   * The payments that the borrower has sent and staff have not decided, or rejected in the
   * last weeks; newest first.
   */
  submitted: z.array(
    z.extend(z.pick(PaymentReply, { id: true, amount: true, channel: true, reference: true, status: true }), {
      paidOn: z.string(),
      /** Why it was rejected. */
      note: z.optional(z.string()),
    }),
  ),
  events: z.array(
    z.extend(LoanEventReply, {
      auto: z.boolean(),
      reverses: z.nullable(z.number()),
      isReversed: z.boolean(),
      /** Staff only. */
      reason: z.optional(z.string()),
      by: z.optional(z.string()),
      approvedBy: z.optional(z.string()),
      isAlone: z.optional(z.boolean()),
      reference: z.optional(z.nullable(z.string())),
    }),
  ),
  /** Staff only: the loan, its borrower, and how many requests about it are open. */
  loan: z.optional(
    z.object({
      status: z.string(),
      /** Why it has this status, as the borrower read it; null without a reason. */
      reason: z.nullable(z.string()),
      /** The employee who gave it this status, and when; null if it never had another one. */
      decided: z.nullable(z.object({ by: z.string(), at: momentReply })),
      /** Every denial of the loan, newest first, also once it has another status. Erasing the person erases the reasons. */
      denials: z.array(z.object({ by: z.string(), at: momentReply, reason: z.nullable(z.string()) })),
      /** Facts that staff check before an approval; present only while the application is undecided. */
      checks: z.optional(
        z.object({
          isActivated: z.boolean(),
          isVerified: z.boolean(),
          /** The reference person has the borrower's own number. */
          isOwnReference: z.boolean(),
          /** Numbers of the borrower's other applications without a decision, and of their loans in arrears. */
          undecided: z.array(z.string()),
          overdue: z.array(z.string()),
        }),
      ),
      amount: moneyReply,
      termMonths: z.number(),
      monthlyPayment: moneyReply,
      waiting: z.number(),
      changesBeforeAgreement: z.optional(changesBeforeAgreement),
      user: z.pick(UserReply, { id: true, fullName: true, phone: true, balance: true, status: true }),
    }),
  ),
});
export type LoanAccount = z.output<typeof LoanAccountReply>;

const standing = z.object({
  account: accountFigures,
  instalments: z.array(instalment),
  walletBalance: moneyReply,
});

/** Each credit to the wallet since the loan was approved. A release would add to them. */
const walletCredits = z.array(
  z.object({ type: z.string(), amount: moneyReply, actorName: z.string(), at: momentReply }),
);

/** Warnings that a release and a request for one both carry. */
const seenOfRelease = {
  walletCredits: z.optional(walletCredits),
  changesBeforeAgreement: z.optional(changesBeforeAgreement),
};

export const LoanPreviewReply = z.object({
  /** The value date it would have. */
  date: z.string(),
  /** The decision that has to come first; null if the step is done at once. */
  waitsFor: z.nullable(z.enum(['approval', 'confirmation'])),
  /** The step takes two people, and there is only one. */
  isAlone: z.boolean(),
  before: standing,
  after: standing,
  /** The allocation of a payment. */
  receipt: z.optional(receipt),
  ...seenOfRelease,
});
export type LoanPreview = z.output<typeof LoanPreviewReply>;

export const ApprovalReply = z.object({
  id: z.number(),
  loanId: z.number(),
  kind: z.enum(loanStepKinds),
  payload: z.looseObject({
    amount: z.optional(z.string()),
    channel: z.optional(z.enum(loanEventChannels)),
    months: z.optional(z.number()),
    valueDate: z.optional(z.string()),
    date: z.optional(z.string()),
    reference: z.optional(z.nullable(z.string())),
    reason: z.optional(z.string()),
  }),
  askedBy: z.number(),
  askedAt: momentReply,
  decision: z.nullable(z.enum(approvalOutcomes)),
  decidedBy: z.nullable(z.number()),
  decidedAt: z.nullable(momentReply),
  reason: z.string(),
});

const member = z.pick(UserReply, { id: true, fullName: true, email: true, phone: true });

/** The reply, with status 202, if a second person has to decide first. */
export const AwaitingReply = z.object({ approval: ApprovalReply });

const orAwaiting = <Done extends z.ZodMiniType>(done: Done) => z.union([AwaitingReply, done]);

export const PaymentDoneReply = orAwaiting(PaymentReply);
export const StaffPaymentReply = z.extend(PaymentReply, {
  loanNumber: z.string(),
  user: member,
  recordedByName: z.string(),
  confirmedByName: z.nullable(z.string()),
  doubleOn,
  sameCash,
});
export type StaffPayment = z.output<typeof StaffPaymentReply>;

export const LoanAccountDoneReply = orAwaiting(LoanAccountReply);

export const StaffApprovalReply = z.extend(ApprovalReply, {
  loanNumber: z.string(),
  user: z.omit(member, { email: true }),
  askedByName: z.string(),
  decidedByName: z.nullable(z.string()),
  payment: z.optional(PaymentReply),
  ...seenOfRelease,
  /** True if the reader may decide the request; `whyNot` says why not while it is open. */
  mayDecide: z.boolean(),
  whyNot: z.optional(z.enum(['own_request', 'role_missing'])),
});
export type StaffApproval = z.output<typeof StaffApprovalReply>;

/** `from` and `to` are value dates. */
export const PaymentsQuery = z.object({
  search: z.optional(searchText({ message: says('textTooLong') })),
  status: optional(z.enum([...paymentStatuses, 'all'], says('statusUnknown'))),
  channel: optional(z.enum([...paymentChannels, 'all'], says('channelUnknown'))),
  from: z.optional(day),
  to: z.optional(day),
  receivedOn: z.optional(day),
  /** The month in which they got their receipt numbers. */
  receivedIn: z.optional(month),
  /** The month, by value date, of payments on loans that were written off before. */
  recoveredIn: z.optional(month),
  /** The recorder: an account, or `borrower` for payments that borrowers reported. */
  by: z.optional(z.union([z.literal('borrower'), idInQuery], says('valueInvalid'))),
});

export const ApprovalsQuery = z.extend(PageQuery, {
  status: optional(z.enum(['open', 'all'], says('statusUnknown'))),
});
