import type { QuoteDocument } from '#contract/loan.ts';
import { type DateLanguage, formatManilaDate, type ManilaDate } from '#domain/calendar.ts';
import { formatPeso } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { lockLoan } from '#server/store/loan-store.ts';
import {
  findNewestTerms,
  insertAcceptance,
  type LoanAcceptance,
  type LoanTermsVersion,
  readAcceptancesOf,
  readTermsOf,
} from '#server/store/loan-terms-store.ts';
import { audit, auditLook } from './audit-service.ts';
import {
  attachmentName,
  documentNumberOf,
  findReadableLoan,
  frozenAmount,
  frozenQuoteOf,
  paperWords,
  startDateOf,
} from './loan-papers.ts';
import type { Caller } from './session-service.ts';
import { lockOwnAccount } from './session-service.ts';

/** The newest version by default. */
export type ContractChoice = { lang?: DateLanguage | undefined; version?: number | undefined };

export type ContractView = Awaited<ReturnType<typeof readContract>>;

/**
 * The contract as agreed, with all its versions; only the sentences depend on the language. A look by staff is logged.
 */
export async function readContract(deps: Deps, reader: Caller, loanId: number, choice: ContractChoice) {
  const { loan, account } = await findReadableLoan(deps, reader, loanId, { evenDeleted: true });
  const { all, acceptances } = await deps.database.read(async (handle) => ({
    all: await readTermsOf(handle, loanId),
    acceptances: await readAcceptancesOf(handle, [loanId]),
  }));
  const versions = all.map((terms, index) => ({
    ...viewVersion(loan.loanNumber, terms, all[index - 1]),
    agreedAt: agreedAtOf(agreedBefore(all, index), account.id, acceptances),
  }));
  const wanted = choice.version ?? versions[0]?.version;
  const chosen = versions.find(({ version }) => version === wanted);
  if (!chosen) fail('not_found');
  const { quote, version, documentNumber, issuedAt, replacedAt, agreedAt, hash } = chosen;
  if (reader.account.isAdmin) {
    await auditLook(deps, reader, { action: 'contract_opened', on: { loan: loanId } });
  }
  const startDate = startDateOf(quote, loan);
  const language = choice.lang ?? 'en';
  const { lender } = deps.config;
  return {
    loanNumber: loan.loanNumber,
    documentNumber,
    version,
    issuedAt,
    replacedAt,
    agreedAt,
    language,
    governs: paperWords(language).document.governs,
    startDate,
    hash,
    isSample: lender.isSample,
    lender,
    borrower: {
      fullName: account.fullName,
      phone: account.phone,
      email: account.email,
      address: account.address,
    },
    purpose: loan.purpose,
    status: loan.status,
    quote,
    terms: termsOf(quote, startDate, language),
    versions,
  };
}

/** Of a version that a disbursement made, which dates anew what was agreed, the one before; else the version itself. */
function agreedBefore(newestFirst: readonly LoanTermsVersion[], index: number): LoanTermsVersion {
  const [version, before] = newestFirst.slice(index);
  if (!version) throw new Error('there is no such version');
  return before && 'disbursedOn' in version.quote ? agreedBefore(newestFirst, index + 1) : version;
}

/** When the borrower agreed to a version, by applying for it or by accepting what staff issued; null if neither. */
export function agreedAtOf(
  { loanId, version, issuedBy, issuedAt }: LoanTermsVersion,
  borrowerId: number,
  acceptances: readonly LoanAcceptance[],
): Date | null {
  if (issuedBy === borrowerId) return issuedAt;
  const accepted = acceptances.find((one) => one.loanId === loanId && one.version === version);
  return accepted?.acceptedAt ?? null;
}

/**
 * Records that the borrower agrees to the newest version, by its hash; `quote_changed` if the one on their screen is
 * older. Accepting again changes nothing.
 */
export async function acceptContract(deps: Deps, caller: Caller, loanId: number, version: number) {
  return deps.database.transaction(async (tx) => {
    const { id } = await lockOwnAccount(tx, caller);
    const loan = await lockLoan(tx, loanId);
    if (loan?.accountId !== id) fail('not_found');
    const terms = await findNewestTerms(tx, loanId);
    if (!terms) fail('not_found');
    if (terms.version !== version) fail('quote_changed');
    frozenQuoteOf(terms);
    const { hash } = terms;
    const agreedAt = agreedAtOf(terms, id, await readAcceptancesOf(tx, [loanId]));
    if (agreedAt) return { version, hash, acceptedAt: agreedAt };
    const acceptedAt = deps.clock.now();
    await insertAcceptance(tx, { loanId, version, hash, acceptedAt });
    await audit(deps, tx, caller, {
      action: 'loan_terms_accepted',
      on: { loan: loanId },
      after: { version, hash },
    });
    return { version, hash, acceptedAt };
  });
}

/** One version in short, with its quote; `successor` is the version that came after it. */
function viewVersion(loanNumber: string, terms: LoanTermsVersion, successor: LoanTermsVersion | undefined) {
  const quote = frozenQuoteOf(terms);
  return {
    version: terms.version,
    documentNumber: documentNumberOf(loanNumber, terms.version),
    issuedAt: terms.issuedAt,
    replacedAt: successor?.issuedAt ?? null,
    hash: terms.hash,
    amount: quote.amount,
    termMonths: quote.termMonths,
    monthlyPayment: quote.monthlyPayment,
    quote,
  };
}

/**
 * The same as a PDF. What draws it is loaded at the first call: it would add a fifth of a second to every start of the
 * server.
 */
export async function readContractPdf(deps: Deps, reader: Caller, loanId: number, choice: ContractChoice) {
  const contract = await readContract(deps, reader, loanId, choice);
  const { drawContract } = await import('./contract-pdf.ts');
  const mark = contract.language === 'en' ? '' : `-${contract.language}`;
  const name = attachmentName(`${contract.documentNumber}${mark}.pdf`);
  return {
    contentType: 'application/pdf',
    body: await drawContract(contract, deps.paperLogo),
    headers: {
      'content-disposition': `inline; filename="${name}"`,
      'content-language': paperWords(contract.language).document.languageTag,
    },
  };
}

function termsOf(quote: QuoteDocument, startDate: ManilaDate, language: DateLanguage): string[] {
  const words = paperWords(language).terms;
  return [
    words.instalments({
      count: String(quote.termMonths),
      amount: formatPeso(frozenAmount(quote.monthlyPayment)),
    }),
    words.firstPayment({ startDate: formatManilaDate(startDate, language) }),
    words.lateCharge({ percent: String(quote.lateChargeRate) }),
    words.freePrepayment,
    words.noFees,
  ];
}
