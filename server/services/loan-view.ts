import { limits } from '#domain/limits.ts';
import { centavos } from '#domain/money.ts';
import { type BasisPoints, basisPoints } from '#domain/rates.ts';
import type { SecretBox } from '#server/platform/secret-box.ts';
import type { Loan } from '#server/store/loan-store.ts';
import { type EmbeddedMember, viewEmbeddedMember } from './embedded-member-view.ts';

/** The rate a borrower's figures are computed with: the stored one, or the default (contract section 4, Rate). */
export function rateOf(loan: Pick<Loan, 'monthlyRateBasisPoints'>): BasisPoints {
  return basisPoints(loan.monthlyRateBasisPoints ?? limits.loanRateBorrowerDefaultBasisPoints);
}

/** A loan as its borrower sees it: input of `LoanReply`. */
export function viewLoan(loan: Loan) {
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
    createdAt: loan.createdAt,
    updatedAt: loan.updatedAt,
  };
}

/** A loan as staff see it, with its member: input of `StaffLoanReply`. Without `secrets` the code stays hidden. */
export function viewStaffLoan(
  { loan, member }: { loan: Loan; member: EmbeddedMember },
  now: Date,
  secrets?: SecretBox,
) {
  return {
    ...viewLoan(loan),
    interestRate: loan.monthlyRateBasisPoints ?? limits.loanRateStaffDefaultBasisPoints,
    user: viewEmbeddedMember(member, now, secrets),
  };
}
