import type { StaffPayment } from '#contract/servicing.ts';
import type { StaffLoan } from '#contract/staff-loan.ts';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { allocationOf, type ReceiptFigures } from '#domain/allocation.ts';
import { addWorkingDays, daysBetween, manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { formatPeso } from '#domain/money.ts';
import { bouncedReason, type PaymentStatus, paymentChannels } from '#domain/payment.ts';
import { type BasisPoints, basisPoints, percentText } from '#domain/rates.ts';
import type { LoanEventKind } from '#domain/servicing.ts';
import { lender, today } from '#web/lib/lender.ts';
import { loanStatusWord } from '#web/lib/loan-status.ts';
import { date, showPeso } from '#web/panel/lib/format.ts';
import { borrowerName } from '#web/panel/lib/list-view.ts';

/** `HR-0001 of Ana Cruz, ₱50,000.00`, as the dialogs about a loan name it. */
export const loanLine = (loan: StaffLoan): string =>
  panel.loanStatus.of({ ...loan, name: borrowerName(loan), amount: showPeso(loan.amount) });

export const statusWord = (status: string): string => loanStatusWord(status, home.loanStatus);

/** Says how much was paid out and when; undefined until it is. */
export const releaseText = ({ releasedAt, releasedAmount }: StaffLoan): string | undefined =>
  releasedAt === null || releasedAmount === null
    ? undefined
    : panel.loanStep.onDate(showPeso(releasedAmount), date(releasedAt));

/**
 * Returns the rate that staff's lists show. Without a stored rate it is the staff's default, not the
 * borrower's (§loan-rate).
 */
export const listedRateOf = ({ interestRate }: Pick<StaffLoan, 'interestRate'>): BasisPoints =>
  interestRate === null
    ? basisPoints(limits.loanRateStaffDefaultBasisPoints)
    : basisPoints(Math.round(interestRate * 100));

/** The rate for new terms; without a stored one it is the borrower's default (§editing-terms). */
export const pricingRate = (loan: Pick<StaffLoan, 'interestRate' | 'isRateAssumed'>): BasisPoints =>
  loan.isRateAssumed ? basisPoints(limits.loanRateBorrowerDefaultBasisPoints) : listedRateOf(loan);

export const rateText = (loan: Pick<StaffLoan, 'interestRate'>): string => percentText(listedRateOf(loan));

export const channelChoices = paymentChannels.map((value) => ({
  value,
  label: panel.servicing.channels[value],
}));

/**
 * The events that staff can cause. A disbursement and a receipt have other names here, and a
 * reversal says of what it is.
 */
export type LoanAction =
  | 'release'
  | 'payment'
  | Exclude<LoanEventKind, 'disbursement' | 'receipt' | 'reversal'>;

/** A step that staff take on a loan. Each is shown before it is taken (§previews). */
export type LoanStep =
  | { kind: LoanAction }
  | { kind: 'reversal'; reverses: number; what: string }
  | { kind: 'confirm' | 'reject' | 'reverse'; payment: StepPayment };

export type StepPayment = Pick<
  StaffPayment,
  'id' | 'amount' | 'channel' | 'valueDate' | 'reference' | 'doubleOn'
> &
  Partial<Pick<StaffPayment, 'proofUrl' | 'sameCash'>>;

const stepWords = { ...panel.loanStep, reject: panel.withdrawals.reject };

export const stepWord = (kind: LoanStep['kind']): string => stepWords[kind];

export const movesOf = (status: PaymentStatus): readonly ('confirm' | 'reject' | 'reverse')[] =>
  status === 'submitted' ? ['confirm', 'reject'] : status === 'confirmed' ? ['reverse'] : [];

/** The reason of a step as staff read it: a cheque that bounced has a word of its own. */
export const reasonText = (reason: string): string =>
  reason === bouncedReason ? panel.loanStep.bounced : reason;

/** Words where a payment went, part by part: as folded now, or as printed on its receipt. */
export function allocationLines(receipt: ReceiptFigures, withShares = false): string[] {
  const allocation = panel.allocation;
  const { toLoan, toOther, interest, principal } = allocationOf(receipt);
  const lines = [
    ...toLoan.map(({ to, rows, amount }) =>
      to === 'settlement' ? allocation.settles(formatPeso(amount)) : allocation[to](rows, formatPeso(amount)),
    ),
    ...(withShares
      ? [allocation.interest(formatPeso(interest)), allocation.principal(formatPeso(principal))]
      : []),
    ...toOther.map(({ to, amount }) => allocation[to](formatPeso(amount))),
  ];
  return lines.length > 0 ? lines : [allocation.nothing];
}

/** The instalment in whole percent of the salary; undefined without one. */
export function salaryShare({ monthlyPayment, user }: StaffLoan): number | undefined {
  const salary = Number(user.monthlySalary ?? 0);
  return salary > 0 ? Math.round((Number(monthlyPayment) / salary) * 100) : undefined;
}

/** Counts the days for which an application has waited for its answer. */
export const waitingDays = ({ createdAt }: StaffLoan): number =>
  daysBetween(manilaDate(new Date(createdAt)), today());

/** Waiting for longer than the lender promises. */
export function isDecisionLate({ status, createdAt }: StaffLoan): boolean {
  const { decisionDays } = lender();
  const since = manilaDate(new Date(createdAt));
  return status === 'pending' && decisionDays !== undefined && addWorkingDays(since, decisionDays) < today();
}

/** Late and not written off: what is chased. */
export const daysOverdue = ({ account }: StaffLoan): number =>
  account?.state === 'open' ? account.daysPastDue : 0;

/** A loan's state in a word: its account's once it is released, else its status. */
export function accountText(loan: StaffLoan): string {
  const days = daysOverdue(loan);
  if (days > 0) return panel.loans.overdueDays(days);
  return loan.account ? panel.servicing.states[loan.account.state] : statusWord(loan.status);
}
