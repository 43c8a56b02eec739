import { listLoans } from '#contract/api.ts';
import type { CsvColumn } from '#contract/csv.ts';
import type { StaffLoan } from '#contract/member.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { knownLoanStatuses } from '#domain/loan.ts';
import { type BasisPoints, basisPoints, percentText } from '#domain/rates.ts';
import { formatsOf, showPeso } from '#web/lib/format.ts';
import { loanStatusWord } from '#web/lib/loan-status.ts';
import { phoneSpellings } from '#web/panel/lib/phone-spellings.ts';
import type { ListRules } from '#web/panel/lib/shown-rows.ts';
import type { StaffRow } from '#web/panel/lib/staff-action.ts';

const { date, dateTime } = formatsOf('en');

/** Whom a loan belongs to, in words. */
export const borrowerName = ({ user }: Pick<StaffLoan, 'user'>): string => user.fullName || user.phone;

/** The row of a loan in the list, for what may find it gone. */
export const loanRow = (id: number): StaffRow => ({ list: listLoans, id, gone: panel.together.loanGone });

export const statusWord = (status: string): string => loanStatusWord(status, en.loanStatus);

/** When a loan's money was paid out, and how much: undefined until it is. */
export const releaseText = ({ releasedAt, releasedAmount }: StaffLoan): string | undefined =>
  releasedAt === null || releasedAmount === null
    ? undefined
    : panel.loanPanel.releasedText(showPeso(releasedAmount), date(releasedAt));

/** Whether its money is with the borrower, as far as the books or its status tell. */
export const isPaidOut = ({ releasedAt }: StaffLoan, status: string): boolean =>
  releasedAt !== null || status === 'active';

/** The rate of a loan; where none is stored the staff's fallback (§loan-rate). */
export const rateOf = ({ interestRate }: Pick<StaffLoan, 'interestRate'>): BasisPoints =>
  interestRate === null
    ? basisPoints(limits.loanRateStaffDefaultBasisPoints)
    : basisPoints(Math.round(interestRate * 100));

/** The rate that new terms are priced with; where none is stored it is the borrower's default (§loan-rate). */
export const pricingRate = (loan: Pick<StaffLoan, 'interestRate' | 'isRateAssumed'>): BasisPoints =>
  loan.isRateAssumed ? basisPoints(limits.loanRateBorrowerDefaultBasisPoints) : rateOf(loan);

export const rateText = (loan: Pick<StaffLoan, 'interestRate'>): string => percentText(rateOf(loan));

/** The choice that narrows the list to terms nobody agreed to, beside the statuses; no status can be called so. */
const unagreedChoice = { value: '!unagreed', label: panel.loans.unagreedFilter };

export const loanRules: ListRules<StaffLoan> = {
  searchText: ({ loanNumber, user, purpose, status }) =>
    [loanNumber, user.fullName, phoneSpellings(user.phone), user.email, purpose, statusWord(status)].join(
      '\n',
    ),
  statusOf: ({ status }) => status,
  alsoFits: ({ isUnagreed }, choice) => choice === unagreedChoice.value && isUnagreed === true,
  sortValues: {
    member: borrowerName,
    loan: ({ loanNumber }) => loanNumber,
    amount: ({ amount }) => Number(amount),
    term: ({ termMonths }) => termMonths,
    rate: (loan) => rateOf(loan),
    monthly: ({ monthlyPayment }) => Number(monthlyPayment),
    status: ({ status }) => statusWord(status),
    applied: ({ createdAt }) => createdAt,
  },
};

/** The statuses that the list can be narrowed to: the known ones, and whatever custom ones are in it. */
export function statusChoices(loans: readonly StaffLoan[] | undefined): { value: string; label: string }[] {
  const values = new Set<string>(knownLoanStatuses);
  for (const { status } of loans ?? []) values.add(status);
  return [...[...values].map((value) => ({ value, label: statusWord(value) })), unagreedChoice];
}

const { columns: heads } = panel.loans;
export const loanCsv: readonly CsvColumn<StaffLoan>[] = [
  { head: heads.loan, value: ({ loanNumber }) => loanNumber },
  { head: heads.member, value: borrowerName },
  { head: heads.phone, value: ({ user }) => user.phone },
  { head: heads.amount, value: ({ amount }) => amount },
  { head: heads.term, value: ({ termMonths }) => termMonths },
  { head: heads.rate, value: rateText },
  { head: heads.monthly, value: ({ monthlyPayment }) => monthlyPayment },
  { head: heads.status, value: ({ status }) => statusWord(status) },
  { head: heads.purpose, value: ({ purpose }) => purpose },
  { head: heads.applied, value: ({ createdAt }) => dateTime(createdAt) },
];
