import { FrozenQuote, type QuoteDocument } from '#contract/loan.ts';
import { contractDocument } from '#contract/wording/contract-document.ts';
import { contractDocumentFil } from '#contract/wording/contract-document-fil.ts';
import { en } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { type DateLanguage, type ManilaDate, manilaDate, parseManilaDate } from '#domain/calendar.ts';
import { type Centavos, parsePesos } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { findLoan, wasLoanApproved } from '#server/store/loan-store.ts';
import type { LoanTermsVersion } from '#server/store/loan-terms-store.ts';
import { hashOfQuote } from './quote-service.ts';
import type { Caller } from './session-service.ts';

/**
 * The loan and its borrower, for the borrower and for staff; for anybody else it does not exist. `evenDeleted`: a
 * contract that both sides agreed to stays readable after its loan is deleted.
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
  if (hashOfQuote(terms.quote) !== terms.hash) {
    throw new Error(`the terms of loan ${terms.loanId}, version ${terms.version}, do not match their hash`);
  }
  return FrozenQuote.parse(terms.quote);
}

/** The day that a contract's due dates count from. */
export function startDateOf(
  { disbursedOn }: Pick<QuoteDocument, 'disbursedOn'>,
  loan: { createdAt: Date },
): ManilaDate {
  return (disbursedOn && parseManilaDate(disbursedOn)) || manilaDate(loan.createdAt);
}

export function frozenAmount(text: string): Centavos {
  const amount = parsePesos(text);
  if (amount === undefined) throw new Error('a frozen quote holds an amount that cannot be read');
  return amount;
}

/** The number under which a version of a contract is filed: `LN-2026-000123-v2`. */
export const documentNumberOf = (loanNumber: string, version: number): string => `${loanNumber}-v${version}`;

/** Loan numbers from elsewhere may hold characters that a header may not. */
export const attachmentName = (name: string): string => name.replace(/[^\w.-]/g, '_');

const inLanguage = {
  en: {
    document: contractDocument,
    company: en.lender,
    terms: en.contractText,
    rowStatuses: en.papers.rowStatuses,
  },
  fil: {
    document: contractDocumentFil,
    company: fil.lender,
    terms: fil.contractText,
    rowStatuses: fil.papers.rowStatuses,
  },
};

/** A sentence that one language lacks does not compile. */
export const paperWords = (language: DateLanguage) => inLanguage[language];
