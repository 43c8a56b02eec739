import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import { applicationOutcomes, normaliseLoanStatus } from '#domain/loan.ts';
import { storedLoanStates } from '#domain/servicing.ts';
import { ExpectedLoan } from './edit-conflict.ts';
import {
  changesSome,
  day,
  idInQuery,
  moneyReply,
  month,
  optional,
  parsed,
  pesosBetween,
  says,
  text,
  wholeNumber,
} from './fields.ts';
import { LoanRecord } from './loan.ts';
import { EmbeddedUser, listQuery, oldNumber } from './member.ts';

export const StaffLoanReply = z.extend(LoanRecord, {
  user: z.extend(EmbeddedUser, { monthlySalary: z.nullable(moneyReply), isVerified: z.boolean() }),
  /** A released loan's position today, without late charges. */
  account: z.nullable(
    z.object({
      state: z.enum(storedLoanStates),
      daysPastDue: z.number(),
      oldestDueOn: z.nullable(z.string()),
      principalLeft: moneyReply,
    }),
  ),
  /** Set if no rate is stored: `interestRate` is then the staff's default, and new terms use the borrower's. */
  isRateAssumed: z.optional(z.literal(true)),
  /** Present if staff issued the newest terms and the borrower has not accepted them. */
  isUnagreed: z.optional(z.literal(true)),
  /** Present on a loan not released yet if staff changed the borrower's password or phone shortly before the terms were agreed to. */
  isAgreedAfterChange: z.optional(z.literal(true)),
  oldNumber,
});
export type StaffLoan = z.output<typeof StaffLoanReply>;

/** A status as staff write it, parsed to its stored form: lower-case with `_` for spaces (§loan-status). */
const statusWord = parsed(normaliseLoanStatus, says('loanStatusForm'));

export const LoansQuery = z.extend(listQuery(statusWord, 'loanStatusForm'), {
  /** Loans at least so many days past due. */
  pastDue: z.optional(idInQuery),
  /** Loans with an unpaid instalment that is due between these days. */
  dueFrom: z.optional(day),
  dueTo: z.optional(day),
  /** The loans of one member. */
  userId: z.optional(idInQuery),
  /** The applications that the month's report counts, and among them those of one outcome. */
  appliedIn: z.optional(month),
  outcome: z.optional(z.enum(applicationOutcomes, says('valueInvalid'))),
});

export const staffLoanAmount = pesosBetween(
  [1, says('staffLoanAmountRange')],
  [limits.staffLoanAmountMaxCentavos, says('staffLoanAmountRange')],
);

export const staffLoanTermMonths = wholeNumber(
  says('termWholeMonths'),
  [limits.loanTermMinMonths, says('staffTermRange')],
  [limits.staffLoanTermMaxMonths, says('staffTermRange')],
);

/**
 * A new status, new terms, or both. `reason` belongs to a status: the borrower reads it, and the log leaves it out.
 */
export const LoanUpdate = z
  .object({
    status: z.optional(statusWord),
    reason: optional(text({ max: limits.messageMaxLength, message: says('reasonUnreadable') })),
    amount: z.optional(staffLoanAmount),
    termMonths: z.optional(staffLoanTermMonths),
    expected: z.optional(ExpectedLoan),
  })
  .check(
    changesSome('status', 'amount', 'termMonths'),
    z.refine(({ status, reason }) => reason === undefined || status !== undefined, {
      error: says('reasonUnreadable'),
      path: ['reason'],
    }),
  );
