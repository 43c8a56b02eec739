import { listLoans } from '#contract/api.ts';
import type { StaffLoan } from '#contract/staff-loan.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { type BasisPoints, basisPoints, percentText } from '#domain/rates.ts';
import { formatsOf, showPeso } from '#web/lib/format.ts';
import { loanStatusWord } from '#web/lib/loan-status.ts';
import type { StaffRow } from '#web/panel/lib/staff-action.ts';

const { date } = formatsOf('en');

/** The borrower, by phone if they have no name yet. */
export const borrowerName = ({ user }: Pick<StaffLoan, 'user'>): string => user.fullName || user.phone;

/** `HR-0001 of Ana Cruz, ₱50,000.00`, as the dialogs about a loan name it. */
export const loanLine = (loan: StaffLoan): string =>
  panel.loanStatus.of({
    loanNumber: loan.loanNumber,
    name: borrowerName(loan),
    amount: showPeso(loan.amount),
  });

/** A loan's row in the list, for actions that may find it gone. */
export const loanRow = (id: number): StaffRow => ({ list: listLoans, id, gone: panel.conflict.loanGone });

export const statusWord = (status: string): string => loanStatusWord(status, en.loanStatus);

/** How much was paid out and when; undefined until it is. */
export const releaseText = ({ releasedAt, releasedAmount }: StaffLoan): string | undefined =>
  releasedAt === null || releasedAmount === null
    ? undefined
    : panel.loanPanel.releasedText(showPeso(releasedAmount), date(releasedAt));

/** Whether the borrower has the money, as far as the ledger or the status can tell. */
export const isPaidOut = ({ releasedAt }: StaffLoan, status: string): boolean =>
  releasedAt !== null || loanStatusFacts(status).isOut === true;

/** A loan without a stored rate has the staff's fallback (§loan-rate). */
export const rateOf = ({ interestRate }: Pick<StaffLoan, 'interestRate'>): BasisPoints =>
  interestRate === null
    ? basisPoints(limits.loanRateStaffDefaultBasisPoints)
    : basisPoints(Math.round(interestRate * 100));

/** The rate for new terms; without a stored one it is the borrower's default (§editing-terms). */
export const pricingRate = (loan: Pick<StaffLoan, 'interestRate' | 'isRateAssumed'>): BasisPoints =>
  loan.isRateAssumed ? basisPoints(limits.loanRateBorrowerDefaultBasisPoints) : rateOf(loan);

export const rateText = (loan: Pick<StaffLoan, 'interestRate'>): string => percentText(rateOf(loan));
