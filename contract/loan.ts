import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import type { Quote } from '#domain/quote.ts';
import { instalmentStates, loanStates } from '#domain/servicing.ts';
import {
  each,
  id,
  language,
  momentReply,
  moneyReply,
  monthlyRateReply,
  pesosBetween,
  ratePercentReply,
  says,
  text,
  wholeNumber,
} from './fields.ts';

const loanAmount = pesosBetween(
  [limits.loanAmountMinCentavos, says('minimumLoan')],
  [limits.loanAmountMaxCentavos, says('maximumLoan')],
);

const loanTermMonths = wholeNumber(
  says('termWholeMonths'),
  [limits.loanTermMinMonths, says('minimumTerm')],
  [limits.loanTermMaxMonths, says('maximumTerm')],
);

/** All that the cost of a loan depends on. */
export const QuoteRequest = z.object({ amount: loanAmount, termMonths: loanTermMonths });

/** One instalment of a payment schedule. `dueDate` is `YYYY-MM-DD`, a day in Manila. */
const scheduleRowOf = <Money extends z.ZodMiniType>(money: Money) =>
  z.object({ number: z.number(), dueDate: z.string(), amount: money, status: z.enum(instalmentStates) });

export const ScheduleRow = scheduleRowOf(moneyReply);

/** Every figure of a quote. Written from domain values on the wire; stored and read again as text. */
const quoteOf = <Money extends z.ZodMiniType, Rate extends z.ZodMiniType, Percent extends z.ZodMiniType>(
  money: Money,
  rate: Rate,
  percent: Percent,
) =>
  z.object({
    amount: money,
    termMonths: z.number(),
    interestRate: rate,
    ...each(money, 'monthlyPayment', 'totalPayment', 'costOfCredit', 'upfrontCharges', 'netProceeds'),
    effectiveMonthlyRate: percent,
    simpleAnnualRate: percent,
    effectiveAnnualRate: percent,
    firstDueDate: z.string(),
    lastDueDate: z.string(),
    schedule: z.array(scheduleRowOf(money)),
    lateChargeRate: rate,
  });

/** The cost of a loan, before anybody signs (§quote; RA 3765, SEC MC 3/2022). */
export const QuoteReply = quoteOf(moneyReply, monthlyRateReply, ratePercentReply);
export type QuoteDocument = z.output<typeof FrozenQuote>;

/** `hash` identifies these figures in the application that agrees to them. */
export const HashedQuote = z.extend(QuoteReply, { hash: z.string() });

/** Input of `QuoteReply`. Nothing has been paid yet, so every row is pending. */
export function viewQuote(quote: Quote) {
  return {
    amount: quote.amountCentavos,
    termMonths: quote.termMonths,
    interestRate: quote.monthlyRate,
    monthlyPayment: quote.monthlyPaymentCentavos,
    totalPayment: quote.totalPaymentCentavos,
    costOfCredit: quote.costOfCreditCentavos,
    upfrontCharges: quote.upfrontChargesCentavos,
    netProceeds: quote.netProceedsCentavos,
    effectiveMonthlyRate: quote.effectiveMonthlyRatePercent,
    simpleAnnualRate: quote.simpleAnnualRatePercent,
    effectiveAnnualRate: quote.effectiveAnnualRatePercent,
    firstDueDate: quote.firstDueDate,
    lastDueDate: quote.lastDueDate,
    schedule: quote.schedule.map(({ amountCentavos: amount, ...row }) => ({
      ...row,
      amount,
      status: 'pending' as const,
    })),
    lateChargeRate: quote.lateChargeRate,
  };
}

/** The rules by which a disbursed loan is serviced: percentages, days, and the method of early settlement. */
export const servicingRules = z.object({
  ...each(z.number(), 'lateChargeRate', 'graceDays', 'lateChargeCapPercent', 'coolingOffDays'),
  settlementMethod: z.literal('present_value'),
});
export type ServicingPolicy = z.output<typeof servicingRules>;

/** The quote as frozen, never recomputed. `servicing` and `disbursedOn` are set from the disbursement on. */
export const FrozenQuote = z.extend(quoteOf(z.string(), z.number(), z.string()), {
  servicing: z.optional(servicingRules),
  /** Due dates count from this day; before the disbursement they count from the application. */
  disbursedOn: z.optional(z.string()),
});

/** The borrower's own words. */
export const loanPurpose = text({
  min: limits.purposeMinLength,
  max: limits.longTextMaxLength,
  message: says('purposeRequired'),
});

/**
 * An application (§applying). `agreedQuoteHash` is the hash of the quote on the screen; if another quote would be
 * frozen, the application fails with `quote_changed`.
 */
export const LoanApplication = z.object({
  amount: loanAmount,
  purpose: loanPurpose,
  termMonths: loanTermMonths,
  agreedQuoteHash: z.optional(z.string().check(z.maxLength(limits.shortTextMaxLength))),
});

export const LoanRecord = z.object({
  id: z.number(),
  userId: z.number(),
  loanNumber: z.string(),
  amount: moneyReply,
  termMonths: z.number(),
  interestRate: z.nullable(monthlyRateReply),
  monthlyPayment: moneyReply,
  purpose: z.string(),
  status: z.string(),
  /** When money first reached the wallet, and how much did so far. Null until then, whatever the status says. */
  releasedAt: z.nullable(momentReply),
  releasedAmount: z.nullable(moneyReply),
  createdAt: momentReply,
  updatedAt: momentReply,
});

/** A disbursed loan's account today, in short. */
export const LoanStanding = z.object({
  state: z.enum(loanStates),
  disbursedOn: z.string(),
  paid: moneyReply,
  /** Unpaid instalments, late charges, and a refund to return. */
  leftToPay: moneyReply,
  dueNow: moneyReply,
  /** Parts of what is due now. */
  lateChargesOwed: moneyReply,
  refundToReturn: moneyReply,
  dueSince: z.nullable(z.string()),
  nextDueDate: z.nullable(z.string()),
  nextDueAmount: moneyReply,
});

/**
 * A loan as its borrower sees it. `quote` is the newest frozen quote in short, null for a loan taken over from other
 * books. `account` is null until it is disbursed.
 */
export const LoanReply = z.extend(LoanRecord, {
  quote: z.nullable(
    z.object({
      version: z.number(),
      ...each(z.string(), 'totalPayment', 'costOfCredit', 'effectiveMonthlyRate', 'effectiveAnnualRate'),
    }),
  ),
  dueDates: z.array(z.string()),
  account: z.nullable(LoanStanding),
  /** Present if staff changed the terms and the borrower has not accepted them. */
  isUnagreed: z.optional(z.literal(true)),
  /** Present once staff have turned it down: when, and why if they said so. */
  denied: z.optional(z.object({ at: momentReply, reason: z.nullable(z.string()) })),
});
export type Loan = z.output<typeof LoanReply>;

/** `version`: the newest by default. */
export const ContractQuery = z.object({ lang: language, version: z.optional(id) });

export const ContractLender = z.object({
  isSample: z.boolean(),
  name: z.string(),
  tradeName: z.optional(z.string()),
  registrationNumber: z.string(),
  certificateOfAuthorityNumber: z.optional(z.string()),
  ...each(z.string(), 'registrationDate', 'status', 'address', 'supportPhone', 'supportEmail'),
});
export type ContractLender = z.output<typeof ContractLender>;

export const ContractBorrower = z.object({
  fullName: z.string(),
  phone: z.string(),
  email: z.nullable(z.string()),
  address: z.nullable(z.string()),
});

const contractVersion = z.object({
  version: z.number(),
  documentNumber: z.string(),
  issuedAt: momentReply,
  replacedAt: z.nullable(momentReply),
  agreedAt: z.nullable(momentReply),
  hash: z.string(),
});

/** The facts that a version fixes in addition to its quote; see `ContractReply`. */
export type LoanAgreement = Omit<NonNullable<Contract['agreement']>, 'hash' | 'salt'>;

/** The staff who changed the borrower's password or phone in the 30 days before the terms were agreed to. */
export const changesBeforeAgreement = z.array(
  z.object({
    what: z.enum(['password', 'phone']),
    actorId: z.number(),
    actorName: z.string(),
    at: momentReply,
  }),
);

/**
 * The contract a borrower agreed to. `hash` is the SHA-256 (hexadecimal) of `quote` as JSON with the keys of every
 * object in alphabetical order and no spaces, so anybody can check the figures. `agreement.hash` is the same of `{
 * quoteHash, lenderHash, servicing, borrowerHash }`: `lenderHash` is the hash of the lender's facts with `isSample`,
 * `borrowerHash` that of the borrower's with `salt`. Versions issued before these were fixed have no `agreement` and
 * name both parties as they are today. Due dates count from `startDate`. `versions` are newest first. `replacedAt` is
 * null for the one in force; `agreedAt` is null until the borrower applied for the version or accepted it.
 */
export const ContractReply = z.extend(contractVersion, {
  loanNumber: z.string(),
  language: z.enum(['en', 'fil']),
  governs: z.string(),
  startDate: z.string(),
  isSample: z.boolean(),
  lender: z.omit(ContractLender, { isSample: true }),
  borrower: ContractBorrower,
  agreement: z.nullable(
    z.object({
      hash: z.string(),
      servicing: servicingRules,
      lenderHash: z.string(),
      borrowerHash: z.string(),
      /** Null once the borrower is erased. */
      salt: z.nullable(z.string()),
    }),
  ),
  settlements: z.array(z.object({ afterInstalment: z.number(), date: z.string(), amount: moneyReply })),
  /** The number of months by which instalments were deferred, and their new due dates. */
  deferral: z.optional(
    z.object({
      months: z.number(),
      dueDates: z.array(z.object({ number: z.number(), dueDate: z.string(), amount: moneyReply })),
    }),
  ),
  cancelledOn: z.optional(z.string()),
  /** Staff only, of the version in force. */
  changesBeforeAgreement: z.optional(changesBeforeAgreement),
  purpose: z.string(),
  status: z.string(),
  quote: FrozenQuote,
  terms: z.array(z.string()),
  versions: z.array(
    z.extend(contractVersion, {
      amount: z.string(),
      termMonths: z.number(),
      monthlyPayment: z.string(),
    }),
  ),
});
export type Contract = z.output<typeof ContractReply>;

export const ContractAcceptance = z.object({
  version: z.int(says('versionUnknown')).check(z.gte(1, says('versionUnknown'))),
});

export const ContractAcceptanceReply = z.object({
  version: z.number(),
  hash: z.string(),
  acceptedAt: momentReply,
});
