import { FrozenQuote, type QuoteDocument } from '#contract/loan.ts';
import { type Centavos, parsePesos } from '#domain/money.ts';
import { fail } from '#server/failure.ts';
import { canonicalHash } from '#server/platform/canonical-json.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { findLoan, wasLoanApproved } from '#server/store/loan-store.ts';
import type { LoanTermsVersion } from '#server/store/loan-terms-store.ts';
import type { Caller } from './session-service.ts';

/**
 * The loan and its borrower; for everybody but them and staff it does not exist. `evenDeleted`: an agreed contract
 * stays readable after its loan is deleted.
 */
export async function findReadableLoan(
  handle: Reader,
  reader: Caller,
  loanId: number,
  { evenDeleted = false } = {},
) {
  const found = await findLoan(handle, loanId, evenDeleted);
  const isReadable = found && (reader.account.isAdmin || found.loan.accountId === reader.id);
  if (!isReadable || (found.loan.deletedAt && !(await wasLoanApproved(handle, found.loan))))
    fail('not_found');
  return found;
}

/** Throws if the figures do not match their hash: such figures are never shown as agreed. */
export function frozenQuoteOf(terms: LoanTermsVersion): QuoteDocument {
  if (canonicalHash(terms.quote) !== terms.hash) {
    throw new Error(`the terms of loan ${terms.loanId}, version ${terms.version}, do not match their hash`);
  }
  return FrozenQuote.parse(terms.quote);
}

export function frozenAmount(text: string): Centavos {
  const amount = parsePesos(text);
  if (amount === undefined) throw new Error('a frozen quote holds an amount that cannot be read');
  return amount;
}
