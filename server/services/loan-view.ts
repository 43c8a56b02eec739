import type { input } from 'zod/mini';
import type { LoanRecord, LoanReply, QuoteDocument } from '#contract/loan.ts';
import type { StaffLoanReply } from '#contract/staff-loan.ts';
import { manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { loanStatusFacts, rateOf } from '#domain/loan.ts';
import { type Instalment, instalmentSchedule } from '#domain/quote.ts';
import { basisPoints } from '#domain/rates.ts';
import { daysPastDue } from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { readChangesBeforeAgreement } from '#server/store/access-change-store.ts';
import type { ListedLoan, Loan } from '#server/store/loan-store.ts';
import { viewEmbeddedMember } from './account-view.ts';
import type { standingOf } from './serviced-loan.ts';

export type ShortQuote = { version: number; quote: Omit<QuoteDocument, 'schedule'>; dueDates: string[] };

/** The instalments of a loan taken over from other books, which has no frozen quote. */
export function ownInstalments(loan: Loan): Instalment[] {
  return instalmentSchedule({
    monthlyPaymentCentavos: loan.monthlyPaymentCentavos,
    termMonths: loan.termMonths,
    startDate: manilaDate(loan.createdAt),
  });
}

type LoanFacts = {
  standing?: ReturnType<typeof standingOf>;
  isUnagreed?: boolean;
  denied?: { at: Date; reason: string | null };
};

export function viewLoan(
  loan: Loan,
  terms: ShortQuote | null,
  { standing, isUnagreed, denied }: LoanFacts = {},
): input<typeof LoanReply> {
  return Object.assign(viewLoanRecord(loan), {
    quote: terms && { ...terms.quote, version: terms.version },
    dueDates: standing?.dueDates ?? terms?.dueDates ?? ownInstalments(loan).map(({ dueDate }) => dueDate),
    account: standing?.account ?? null,
    ...(isUnagreed && { isUnagreed: true as const }),
    ...(denied && { denied }),
  });
}

/** Field by field: copying whole rows took a quarter of a long list's time. */
export function viewLoanRecord(loan: Loan): input<typeof LoanRecord> {
  return {
    id: loan.id,
    userId: loan.accountId,
    loanNumber: loan.loanNumber,
    amount: loan.amountCentavos,
    termMonths: loan.termMonths,
    interestRate: rateOf(loan),
    monthlyPayment: loan.monthlyPaymentCentavos,
    purpose: loan.purpose,
    status: loan.status,
    releasedAt: loan.releasedAt,
    releasedAmount: loan.releasedCentavos,
    createdAt: loan.createdAt,
    updatedAt: loan.updatedAt,
  };
}

type MarkedLoan = ListedLoan & { isAgreedAfterChange: boolean };

/** Marks those not released whose terms were agreed to soon after staff changed how the borrower signs in (§accepting-a-contract). */
export async function markAgreedAfterChange(
  reader: Reader,
  rows: readonly ListedLoan[],
): Promise<MarkedLoan[]> {
  const waiting = rows.filter(
    ({ loan, position }) =>
      !loanStatusFacts(loan.status).isTurnedDown && (position === null || position.state === 'cancelled'),
  );
  const changes = await readChangesBeforeAgreement(
    reader,
    waiting.map(({ loan }) => loan.id),
  );
  const marked = new Set(changes.map(({ loanId }) => loanId));
  return rows.map((row) => ({ ...row, isAgreedAfterChange: marked.has(row.loan.id) }));
}

export function viewStaffLoan(
  deps: Deps,
  { loan, member, isVerified, isUnagreed, isAgreedAfterChange, position }: MarkedLoan,
  showsCode = false,
) {
  const today = manilaDate(deps.clock.now());
  const isOpen = position?.state === 'open' || position?.state === 'written_off';
  return Object.assign(viewLoanRecord(loan), {
    ...(loan.monthlyRateBasisPoints === null && {
      interestRate: basisPoints(limits.loanRateStaffDefaultBasisPoints),
      isRateAssumed: true as const,
    }),
    ...(isUnagreed && { isUnagreed: true as const }),
    ...(isAgreedAfterChange && { isAgreedAfterChange: true as const }),
    ...(loan.oldNumber !== null && { oldNumber: loan.oldNumber }),
    user: Object.assign(viewEmbeddedMember(deps, member, showsCode), {
      monthlySalary: member.monthlySalaryCentavos,
      isVerified,
    }),
    account: position && {
      state: position.state,
      oldestDueOn: position.oldestDueOn,
      daysPastDue: isOpen ? daysPastDue(position.oldestDueOn, today) : 0,
      principalLeft: position.principalLeftCentavos,
    },
  }) satisfies input<typeof StaffLoanReply>;
}
