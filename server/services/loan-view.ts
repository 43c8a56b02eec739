import type { input } from 'zod/mini';
import type { LoanRecord, LoanReply, QuoteDocument } from '#contract/loan.ts';
import type { StaffLoanReply } from '#contract/staff-loan.ts';
import { manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { centavos } from '#domain/money.ts';
import { type Instalment, instalmentSchedule } from '#domain/quote.ts';
import { type BasisPoints, basisPoints } from '#domain/rates.ts';
import type { Deps } from '#server/deps.ts';
import type { Loan } from '#server/store/loan-store.ts';
import { type EmbeddedMember, viewEmbeddedMember } from './account-view.ts';

/** The rate a borrower's figures are computed with: the stored one, or the default (§loan-rate). */
export function rateOf(loan: Pick<Loan, 'monthlyRateBasisPoints'>): BasisPoints {
  return basisPoints(loan.monthlyRateBasisPoints ?? limits.loanRateBorrowerDefaultBasisPoints);
}

/** A frozen quote in short: its version, its figures and the days of its rows. */
export type ShortQuote = { version: number; quote: Omit<QuoteDocument, 'schedule'>; dueDates: string[] };

/** The instalments of a loan taken over from other books, which has no quote of ours: its own figures make them. */
export function ownInstalments(loan: Loan): Instalment[] {
  return instalmentSchedule({
    monthlyPaymentCentavos: centavos(loan.monthlyPaymentCentavos),
    termMonths: loan.termMonths,
    startDate: manilaDate(loan.createdAt),
  });
}

/** A loan as its borrower sees it, with the newest frozen quote if there is one: input of `LoanReply`. */
export function viewLoan(loan: Loan, terms: ShortQuote | null) {
  return {
    ...viewLoanRecord(loan),
    quote: terms && {
      version: terms.version,
      totalPayment: terms.quote.totalPayment,
      costOfCredit: terms.quote.costOfCredit,
      effectiveMonthlyRate: terms.quote.effectiveMonthlyRate,
      effectiveAnnualRate: terms.quote.effectiveAnnualRate,
    },
    dueDates: terms?.dueDates ?? ownInstalments(loan).map(({ dueDate }) => dueDate),
  } satisfies input<typeof LoanReply>;
}

/** A loan without whose it is and without its quote: input of `LoanRecord`. */
export function viewLoanRecord(loan: Loan) {
  return {
    id: loan.id,
    userId: loan.accountId,
    loanNumber: loan.loanNumber,
    amount: centavos(loan.amountCentavos),
    termMonths: loan.termMonths,
    interestRate: rateOf(loan),
    monthlyPayment: centavos(loan.monthlyPaymentCentavos),
    purpose: loan.purpose,
    status: loan.status,
    ...viewRelease(loan),
    createdAt: loan.createdAt,
    updatedAt: loan.updatedAt,
  } satisfies input<typeof LoanRecord>;
}

/** When a loan's money came, and how much of it. */
export function viewRelease({ releasedAt, releasedCentavos }: Loan) {
  return { releasedAt, releasedAmount: releasedCentavos === null ? null : centavos(releasedCentavos) };
}

/** A loan as staff see it, with its member: input of `StaffLoanReply`. */
export function viewStaffLoan(
  deps: Deps,
  { loan, member, isUnagreed }: { loan: Loan; member: EmbeddedMember; isUnagreed: boolean },
  showsCode = false,
) {
  return {
    ...viewLoanRecord(loan),
    ...(loan.monthlyRateBasisPoints === null && {
      interestRate: basisPoints(limits.loanRateStaffDefaultBasisPoints),
      isRateAssumed: true as const,
    }),
    ...(isUnagreed && { isUnagreed: true as const }),
    user: viewEmbeddedMember(deps, member, showsCode),
  } satisfies input<typeof StaffLoanReply>;
}
