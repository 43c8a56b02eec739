import { FrozenQuote, type QuoteDocument } from '#contract/loan.ts';
import { type Centavos, parsePesos } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { findLoan, wasLoanApproved } from '#server/store/loan-store.ts';
import type { LoanTermsVersion } from '#server/store/loan-terms-store.ts';
import { hashOfQuote } from './quote-service.ts';
import type { Caller } from './session-service.ts';

/**
 * A loan that this reader may see, with its borrower. For all but its borrower and staff it is not there. `evenDeleted`: a
 * contract that was agreed to on both sides stays readable, whoever takes the loan out of the lists.
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

/** What was frozen, or a fault: figures that do not match their hash are shown to nobody as agreed. */
export function frozenQuoteOf(terms: LoanTermsVersion): QuoteDocument {
  if (hashOfQuote(terms.quote) !== terms.hash) {
    throw new Error(`the terms of loan ${terms.loanId}, version ${terms.version}, do not match their hash`);
  }
  return FrozenQuote.parse(terms.quote);
}

/** An amount of a frozen quote, which was written by `pesosText`. */
export function frozenAmount(text: string): Centavos {
  const amount = parsePesos(text);
  if (amount === undefined) throw new Error('a frozen quote holds an amount that cannot be read');
  return amount;
}

/** The number under which a version of a contract is filed: `LN-2026-000123-v2`. */
export const documentNumberOf = (loanNumber: string, version: number): string => `${loanNumber}-v${version}`;

/** A file's name in a header. A number from books taken over may hold anything; a header may not. */
export const attachmentName = (name: string): string => name.replace(/[^\w.-]/g, '_');
