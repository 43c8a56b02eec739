import * as z from 'zod/mini';
import { complaintCategories, complaintStatuses } from '#domain/complaint.ts';
import {
  contactChannels,
  contactOutcomes,
  contactRefusals,
  keptContactChannels,
  promiseStates,
} from '#domain/contact.ts';
import { journalAccounts } from '#domain/journal.ts';
import { limits } from '#domain/limits.ts';
import { loanWorks } from '#domain/loan.ts';
import { paymentChannels } from '#domain/payment.ts';
import { buckets, loanEventKinds, loanStates } from '#domain/servicing.ts';
import { DayDrawerReply } from './drawer.ts';
import {
  day,
  each,
  momentReply,
  moneyReply,
  optional,
  pesosBetween,
  says,
  searchText,
  text,
} from './fields.ts';
import { oldNumber } from './member.ts';

/**
 * The steps before real money: the lender's file, one's own second step, the addresses that
 * staff come from, backups.
 */
export const setUpParts = ['lender', 'secondStep', 'allowedIps', 'backup', 'sms'] as const;

/**
 * The buckets by days past due. `other` holds loans that have none, but late charges or a refund to return.
 */
export const collectionBuckets = [...buckets.filter((bucket) => bucket !== 'current'), 'other'] as const;

export const CollectionsQuery = z.object({
  asOf: z.optional(day),
  bucket: optional(z.enum(collectionBuckets, says('bucketUnknown'))),
  /** Lists the written-off loans instead. */
  writtenOff: z.optional(z.literal('1', says('valueInvalid'))),
  /** Adds to each loan whether its borrower may be contacted now. */
  guard: z.optional(z.literal('1', says('valueInvalid'))),
});

/** An attempt to reach the borrower. */
export const attempt = {
  at: momentReply,
  channel: z.enum(keptContactChannels),
  outcome: z.enum(contactOutcomes),
};

const promise = z.object({ date: z.string(), amount: moneyReply, state: z.enum(promiseStates) });

/** A member who was erased has neither name nor phone. */
export const borrowerOfLoan = {
  loanId: z.number(),
  loanNumber: z.string(),
  userId: z.number(),
  fullName: z.nullable(z.string()),
  phone: z.nullable(z.string()),
};

/** The answer to whether staff may contact the borrower now; a refusal says why, and from when they may. */
const contactGuard = {
  may: z.boolean(),
  reason: z.optional(z.enum(contactRefusals)),
  next: z.optional(momentReply),
};

/**
 * A borrower to be asked to pay, and what was said last. `mayContact` is there for today
 * alone, if it was asked for.
 */
export const CollectionReply = z.object({
  ...borrowerOfLoan,
  state: z.enum(loanStates),
  daysPastDue: z.number(),
  bucket: z.enum([...buckets, 'other']),
  ...each(moneyReply, 'overdue', 'lateChargesOwed', 'dueNow', 'principalLeft'),
  lastPayment: z.nullable(z.object({ date: z.string(), amount: moneyReply })),
  lastContact: z.nullable(z.object({ ...attempt, by: z.string() })),
  promise: z.nullable(promise),
  /** The number of promises that were broken, or that staff replaced on or before their day though they were not kept. */
  brokenPromises: z.number(),
  mayContact: z.optional(z.object(contactGuard)),
});
export type Collection = z.output<typeof CollectionReply>;

/**
 * The borrower to call next: the first in the order of collections whom the contact guard allows. Without one, `from` says when
 * somebody may be called again; absent if nobody in arrears has a phone.
 */
export const NextCallReply = z.object({
  next: z.nullable(CollectionReply),
  from: contactGuard.next,
});

export const ContactForm = z.object({
  channel: z.enum(contactChannels, says('contactChannelUnknown')),
  outcome: z.enum(contactOutcomes, says('contactOutcomeUnknown')),
  note: optional(text({ max: limits.longTextMaxLength, message: says('textUnreadable') })),
  promise: z.optional(
    z.object({
      date: day,
      amount: pesosBetween([1, says('amountRequired')], [limits.balanceMaxCentavos, says('amountTooLarge')]),
    }),
  ),
  /** Staff made it although the guard says no. */
  made: z.optional(z.literal(true, says('actionUnknown'))),
});

export const ContactsReply = z.object({
  contacts: z.array(
    z.object({
      ...attempt,
      by: z.string(),
      note: z.string(),
      promise: z.nullable(promise),
      made: z.boolean(),
    }),
  ),
  ...contactGuard,
  /** A message in the app from the reader counts as an attempt too: it is sent only when the guard allows. */
  isMessageAttempt: z.optional(z.literal(true)),
});
export type Contacts = z.output<typeof ContactsReply>;

const message = text({ min: 3, max: limits.messageMaxLength, message: says('complaintMessage') });

export const ComplaintForm = z.object({
  category: z.enum(complaintCategories, says('complaintCategoryUnknown')),
  loanId: z.optional(z.int(says('valueInvalid'))),
  message,
});

export const ComplaintMessageForm = z.object({ message });

export const ComplaintUpdate = z.object({
  status: z.enum(['acknowledged', 'resolved'], says('complaintStatusUnknown')),
});

/** The borrower takes it back. */
export const OwnComplaintUpdate = z.object({ status: z.literal('withdrawn', says('actionUnknown')) });

export const ComplaintReply = z.object({
  id: z.number(),
  category: z.enum(complaintCategories),
  status: z.enum(complaintStatuses),
  loanId: z.nullable(z.number()),
  loanNumber: z.nullable(z.string()),
  createdAt: momentReply,
  acknowledgedAt: z.nullable(momentReply),
  resolvedAt: z.nullable(momentReply),
  withdrawnAt: z.nullable(momentReply),
  /** The days by which the law wants each done. */
  acknowledgeBy: z.string(),
  resolveBy: z.string(),
  messages: z.array(
    z.object({
      at: momentReply,
      isStaff: z.boolean(),
      /** Staff by name, to staff. */
      by: z.optional(z.string()),
      text: z.string(),
    }),
  ),
});
export type Complaint = z.output<typeof ComplaintReply>;

export const StaffComplaintReply = z.extend(ComplaintReply, {
  /** The next day by which something has to be done; null once nothing is left to do. */
  dueOn: z.nullable(z.string()),
  isOverdue: z.boolean(),
  user: z.object({ id: z.number(), fullName: z.nullable(z.string()), phone: z.nullable(z.string()) }),
  /** True if the reader may acknowledge, answer and resolve it. Staff who tried to reach the borrower may not while others may. */
  mayHandle: z.boolean(),
});
export type StaffComplaint = z.output<typeof StaffComplaintReply>;

export const ComplaintsQuery = z.object({
  status: optional(z.enum([...complaintStatuses, 'unresolved', 'all'], says('statusUnknown'))),
});

/** A sum of money, and of how many loans or payments it is. */
export const countedMoney = { count: z.number(), amount: moneyReply };
const ofLoans = z.object({ loans: z.number(), amount: moneyReply });
const ofPayments = z.object(countedMoney);

export const ReportQuery = z.object({ asOf: z.optional(day) });
export const DayQuery = z.object({ date: z.optional(day) });
export const JournalQuery = z.object({ from: z.optional(day), to: z.optional(day) });

/** The whole portfolio at the end of a day. `par`: principal of loans so many days past due, in percent of all that is out. */
export const PortfolioReply = z.object({
  asOf: z.string(),
  loans: z.number(),
  principalOut: moneyReply,
  dueToday: ofLoans,
  dueNext7Days: ofLoans,
  overdue: ofLoans,
  buckets: z.array(
    z.object({
      bucket: z.enum(buckets),
      loans: z.number(),
      principalLeft: moneyReply,
      overdue: moneyReply,
    }),
  ),
  par: z.object({ '1': z.string(), '30': z.string(), '90': z.string() }),
  writtenOff: ofLoans,
  pending: z.nullable(ofLoans),
  approved: z.nullable(ofLoans),
});
export type Portfolio = z.output<typeof PortfolioReply>;

/** A loan of the portfolio at the end of a day, with its part of the figures. */
export const PortfolioLoanReply = z.object({
  ...borrowerOfLoan,
  daysPastDue: z.number(),
  bucket: z.enum(buckets),
  ...each(moneyReply, 'principalLeft', 'overdue', 'dueToday', 'dueNext7Days'),
});
export type PortfolioLoan = z.output<typeof PortfolioLoanReply>;

/** The money that came in and went out on a day, by the server's clock, gross as it was printed. */
export const DayReply = z.object({
  date: z.string(),
  collected: z.array(
    z.object({
      channel: z.enum(paymentChannels),
      recordedBy: z.union([z.number(), z.literal('borrower')]),
      recordedByName: z.string(),
      confirmedBy: z.nullable(z.number()),
      confirmedByName: z.nullable(z.string()),
      ...countedMoney,
    }),
  ),
  ...each(moneyReply, 'total', 'principal', 'interest', 'lateCharges', 'credit'),
  ...each(ofPayments, 'fromWallet', 'takenOver', 'reversed', 'refunded', 'disbursed', 'withdrawals'),
  /** The drawers that were opened or closed on the day. */
  drawers: z.array(DayDrawerReply),
});
export type DayReport = z.output<typeof DayReply>;

export const JournalLineReply = z.object({
  date: z.string(),
  valueDate: z.string(),
  loanNumber: z.string(),
  sequence: z.number(),
  kind: z.enum(loanEventKinds),
  account: z.enum(journalAccounts),
  debit: moneyReply,
  credit: moneyReply,
});
export type JournalLine = z.output<typeof JournalLineReply>;

/**
 * The work that waits, the money that came in today, and the portfolio's figures, in
 * one request for each visit.
 */
export const TodayReply = z.object({
  /**
   * Each figure leads to its list. `toDecide`, `requests`, `paymentsToConfirm` and `complaints` count what this
   * person may decide; all but `requests` count everything for staff without a role for them.
   */
  waiting: z.object({
    ...each(z.number(), 'toDecide', 'toRelease', 'paymentsToConfirm', 'requests', 'withdrawalsToSend'),
    ...each(z.number(), 'codesAskedFor', 'brokenPromises', 'complaints', 'complaintsOverdue'),
    membersComplete: z.number(),
    /** Counts the last seven days. */
    messagesFailed: z.number(),
    phonesShared: z.number(),
  }),
  day: DayReply,
  portfolio: PortfolioReply,
  /**
   * The amounts that each person took in today without a second one, over all loans.
   * `confirmed` leaves cash out.
   */
  aloneToday: z.array(
    z.object({ staffId: z.number(), name: z.string(), ...each(moneyReply, 'confirmed', 'waived', 'cash') }),
  ),
  /** Channels whose gateway takes nothing, with the reason; a restored book that sends nothing is `book`. */
  pausedChannels: z.array(
    z.object({ channel: z.string(), since: momentReply, reason: z.nullable(z.string()) }),
  ),
  /** The drawers that are still open. */
  drawers: z.array(DayDrawerReply),
  /**
   * The steps that are not set up yet: all of them for the main admin, for others who may
   * approve their own second step.
   */
  toSetUp: z.array(z.enum(setUpParts)),
});
export type Today = z.output<typeof TodayReply>;

export const FindQuery = z.object({
  search: searchText({ min: 2, message: says('searchTooShort') }),
  /** Finds loans alone, of those that take a payment or may be released. */
  for: z.optional(z.enum(loanWorks, says('valueInvalid'))),
});

/** A few of each that fit: people by name, phone, email or old number, loans by either number, payments by receipt or reference. */
export const FoundReply = z.object({
  members: z.array(
    z.object({
      id: z.number(),
      fullName: z.string(),
      phone: z.string(),
      oldNumber,
      /** On all their loans together; null if none was released. */
      dueNow: z.nullable(moneyReply),
    }),
  ),
  loans: z.array(
    z.object({
      id: z.number(),
      loanNumber: z.string(),
      status: z.string(),
      amount: moneyReply,
      fullName: z.string(),
      oldNumber,
      /** Null unless the loan was released. */
      dueNow: z.nullable(moneyReply),
      /** Pays the loan off today; null if there is nothing to pay off. */
      payoff: z.nullable(moneyReply),
      daysPastDue: z.number(),
      /** Tells borrowers of one name apart. */
      borrowerPhone: z.string(),
      /** The number to call: the borrower's, in arrears while the contact guard allows a call. */
      phone: z.nullable(z.string()),
    }),
  ),
  payments: z.array(
    z.object({
      id: z.number(),
      loanId: z.number(),
      loanNumber: z.string(),
      receiptNumber: z.nullable(z.string()),
      reference: z.nullable(z.string()),
      amount: moneyReply,
    }),
  ),
});
export type Found = z.output<typeof FoundReply>;
