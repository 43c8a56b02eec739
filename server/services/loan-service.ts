import type { QuoteDocument } from '#contract/loan.ts';
import { type DateLanguage, manilaDate, manilaYear } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { loanNumber } from '#domain/loan.ts';
import { type Centavos, pesosText } from '#domain/money.ts';
import { type Quote, quoteLoan } from '#domain/quote.ts';
import { percentText } from '#domain/rates.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { countUndecided, insertLoan, nextLoanSequence, readLoansOf } from '#server/store/loan-store.ts';
import { insertLoanTerms } from '#server/store/loan-terms-store.ts';
import { viewUser } from './account-view.ts';
import { audit } from './audit-service.ts';
import { recordConsent } from './consent-service.ts';
import { type ShortQuote, viewLoan } from './loan-view.ts';
import { lockOwnAccount } from './profile-service.ts';
import { freezeQuote, hashOfQuote } from './quote-service.ts';
import type { Caller } from './session-service.ts';
import { countToday } from './tries-service.ts';

export type LoanApplication = {
  amount: Centavos;
  purpose: string;
  termMonths: number;
  /** The quote that was on the borrower's screen. */
  agreedQuote?: QuoteDocument | undefined;
};

/**
 * Stores an application and, with it, the quote of this moment for good (§applying). Fails with `verification_required`
 * while personal details or documents are missing, with `too_many_open` while as many wait for staff as may, with
 * `too_many_requests` after a day's share, and with `quote_changed` when the quote is no longer the one that was agreed
 * to: a night or a new rate lay between. `language` is the form's, for what was agreed to by sending it. Answers the
 * input of `LoanReply`.
 */
export async function applyForLoan(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  application: LoanApplication,
  { address, language }: { address: string; language: DateLanguage | null },
) {
  const account = await lockOwnAccount(tx, caller);
  if (!viewUser(account).isVerified) fail('verification_required');

  const openMax = Math.ceil(limits.undecidedApplicationsMax * deps.config.rateLimitScale);
  if ((await countUndecided(tx, account.id)) >= openMax) fail('too_many_open');
  await countToday(deps, tx, 'application', account.id);

  const now = deps.clock.now();
  const quote = quoteLoan({
    amountCentavos: application.amount,
    monthlyRate: deps.config.loanMonthlyRate,
    termMonths: application.termMonths,
    startDate: manilaDate(now),
  });
  const frozen = freezeQuote(quote);
  const { agreedQuote } = application;
  if (agreedQuote && hashOfQuote(agreedQuote) !== frozen.hash) fail('quote_changed');
  const loan = await insertLoan(tx, {
    accountId: account.id,
    loanNumber: loanNumber(manilaYear(now), await nextLoanSequence(tx)),
    amountCentavos: quote.amountCentavos,
    termMonths: quote.termMonths,
    monthlyRateBasisPoints: quote.monthlyRate,
    monthlyPaymentCentavos: quote.monthlyPaymentCentavos,
    purpose: application.purpose,
    createdAt: now,
    updatedAt: now,
  });
  await insertLoanTerms(tx, {
    loanId: loan.id,
    version: 1,
    ...frozen,
    issuedBy: account.id,
    issuedAt: now,
  });
  await audit(
    deps,
    tx,
    { id: account.id, address },
    {
      action: 'loan_applied',
      target: { type: 'loan', id: loan.id },
      after: { loanNumber: loan.loanNumber, version: 1, ...auditedTerms(quote) },
    },
  );
  await recordConsent(deps, tx, account.id, 'application', language);
  const dueDates = quote.schedule.map(({ dueDate }) => dueDate);
  return viewLoan(loan, { version: 1, quote: frozen.quote, dueDates });
}

/** The terms of a loan as the audit log tells them. */
export function auditedTerms(quote: Quote) {
  return {
    amount: pesosText(quote.amountCentavos),
    termMonths: quote.termMonths,
    interestRate: percentText(quote.monthlyRate),
    monthlyPayment: pesosText(quote.monthlyPaymentCentavos),
  };
}

/** A borrower's loans, newest first: inputs of `LoanReply`. */
export async function listOwnLoans(deps: Deps, accountId: number) {
  const loans = await deps.database.read((reader) => readLoansOf(reader, accountId));
  return loans.map(({ loan, terms }) => viewLoan(loan, terms as ShortQuote | null));
}
