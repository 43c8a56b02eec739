import { FrozenQuote, type QuoteDocument } from '#contract/loan.ts';
import { type Centavos, parsePesos } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { canonicalHash } from '#server/platform/canonical-json.ts';
import { findLoan, wasLoanApproved } from '#server/store/loan-store.ts';
import type { LoanTermsVersion } from '#server/store/loan-terms-store.ts';
import type { Caller } from './session-service.ts';

/**
 * The loan and its borrower; for everybody but them and staff it does not exist. `evenDeleted`: an agreed contract
 * stays readable after its loan is deleted.
 */
export async function findReadableLoan(
  deps: Deps,
  reader: Caller,
  loanId: number,
  { evenDeleted = false } = {},
) {
  const found = await deps.database.read(async (handle) => {
    const row = await findLoan(handle, loanId, evenDeleted);
    return row?.loan.deletedAt && !(await wasLoanApproved(handle, row.loan)) ? undefined : row;
  });
  const isReadable = found && (reader.account.isAdmin || found.loan.accountId === reader.id);
  if (!isReadable) fail('not_found');
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
