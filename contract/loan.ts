import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import {
  momentReply,
  moneyReply,
  monthlyRateReply,
  pesosBetween,
  ratePercentReply,
  says,
  text,
  wholeNumber,
} from './fields.ts';

const loanAmount = pesosBetween({
  min: limits.loanAmountMinCentavos,
  minMessage: says('minimumLoan'),
  max: limits.loanAmountMaxCentavos,
  maxMessage: says('maximumLoan'),
});

const loanTermMonths = wholeNumber({
  min: limits.loanTermMinMonths,
  minMessage: says('minimumTerm'),
  wholeMessage: says('termWholeMonths'),
  max: limits.loanTermMaxMonths,
  maxMessage: says('maximumTerm'),
});

/** What a borrower applies with (spec section 5). */
export const LoanApplication = z.object({
  amount: loanAmount,
  purpose: text({
    min: limits.purposeMinLength,
    max: limits.longTextMaxLength,
    message: says('purposeRequired'),
  }),
  termMonths: loanTermMonths,
});

/** What a quote is asked with: the cost depends on nothing else. */
export const QuoteRequest = z.object({ amount: loanAmount, termMonths: loanTermMonths });

export const ScheduleRow = z.object({
  number: z.number(),
  dueDate: z.string(),
  amount: moneyReply,
  status: z.string(),
});

/** What a loan costs, all of it, before anyone signs (contract section 7; RA 3765, SEC MC 3/2022). */
export const QuoteReply = z.object({
  amount: moneyReply,
  termMonths: z.number(),
  interestRate: monthlyRateReply,
  monthlyPayment: moneyReply,
  totalPayment: moneyReply,
  costOfCredit: moneyReply,
  upfrontCharges: moneyReply,
  netProceeds: moneyReply,
  effectiveMonthlyRate: ratePercentReply,
  simpleAnnualRate: ratePercentReply,
  effectiveAnnualRate: ratePercentReply,
  firstDueDate: z.string(),
  lastDueDate: z.string(),
  schedule: z.array(ScheduleRow),
  lateChargeRate: monthlyRateReply,
});
export type QuoteDocument = z.output<typeof QuoteReply>;

export const LoanReply = z.object({
  id: z.number(),
  userId: z.number(),
  loanNumber: z.string(),
  amount: moneyReply,
  termMonths: z.number(),
  interestRate: z.nullable(monthlyRateReply),
  monthlyPayment: moneyReply,
  purpose: z.string(),
  status: z.string(),
  createdAt: momentReply,
  updatedAt: momentReply,
});
export type Loan = z.output<typeof LoanReply>;

/** The contract a borrower agreed to: the quote frozen with the loan, its version and its hash. */
export const ContractReply = z.object({
  loanNumber: z.string(),
  documentNumber: z.string(),
  version: z.number(),
  issuedAt: momentReply,
  hash: z.string(),
  isSample: z.boolean(),
  lender: z.object({ name: z.string(), registrationNumber: z.string(), address: z.string() }),
  borrower: z.object({ fullName: z.string(), phone: z.string(), address: z.nullable(z.string()) }),
  purpose: z.string(),
  status: z.string(),
  quote: QuoteReply,
  terms: z.array(z.string()),
});
export type Contract = z.output<typeof ContractReply>;
