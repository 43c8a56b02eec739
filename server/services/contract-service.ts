import { FrozenQuote, type QuoteDocument } from '#contract/loan.ts';
import { en } from '#contract/wording/en.ts';
import { formatManilaDate, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { type Centavos, centavos, formatPeso, parsePesos } from '#domain/money.ts';
import { instalmentSchedule } from '#domain/quote.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import type { Account } from '#server/store/account-store.ts';
import { findLoan, type Loan } from '#server/store/loan-store.ts';
import { findNewestTerms, type LoanTermsVersion } from '#server/store/loan-terms-store.ts';
import { hashOfQuote } from './quote-service.ts';

type Reader = Pick<Account, 'id' | 'isAdmin'>;

/**
 * The instalments of a loan's newest terms: inputs of `ScheduleRow`. Its borrower and staff may read it; for anybody
 * else the loan is not there.
 */
export async function readSchedule(deps: Deps, reader: Reader, loanId: number) {
  const { loan, terms } = await findReadable(deps, reader, loanId);
  if (!terms) return scheduleOfLoan(loan);
  return frozenQuoteOf(terms).schedule.map((row) => ({ ...row, amount: amountOf(row.amount) }));
}

/** A loan taken over from other books has no quote of ours: its own figures make the schedule. */
function scheduleOfLoan(loan: Loan) {
  const rows = instalmentSchedule({
    monthlyPaymentCentavos: centavos(loan.monthlyPaymentCentavos),
    termMonths: loan.termMonths,
    startDate: manilaDate(loan.createdAt),
  });
  return rows.map(({ number, dueDate, amountCentavos }) => ({
    number,
    dueDate,
    amount: amountCentavos,
    status: 'pending',
  }));
}

export type ContractView = Awaited<ReturnType<typeof readContract>>;

/** The contract with the quote that was agreed to, newest version: input of `ContractReply`. */
export async function readContract(deps: Deps, reader: Reader, loanId: number) {
  const { loan, account, terms } = await findReadable(deps, reader, loanId);
  if (!terms) fail('not_found');
  const quote = frozenQuoteOf(terms);
  const startDate = manilaDate(loan.createdAt);
  const { lender } = deps.config;
  return {
    loanNumber: loan.loanNumber,
    documentNumber: `${loan.loanNumber}-v${terms.version}`,
    version: terms.version,
    issuedAt: terms.issuedAt,
    startDate,
    hash: terms.hash,
    isSample: lender.isSample,
    lender: {
      name: lender.name,
      registrationNumber: lender.registrationNumber,
      registrationDate: lender.registrationDate,
      status: lender.status,
      address: lender.address,
      supportPhone: lender.supportPhone,
      supportEmail: lender.supportEmail,
    },
    borrower: {
      fullName: account.fullName,
      phone: account.phone,
      email: account.email,
      address: account.address,
    },
    purpose: loan.purpose,
    status: loan.status,
    quote,
    terms: termsOf(quote, startDate),
  };
}

/**
 * The same contract as a PDF to print and sign. What draws it is loaded at the first call: it would add a fifth of a
 * second to every start of the server.
 */
export async function readContractPdf(deps: Deps, reader: Reader, loanId: number) {
  const contract = await readContract(deps, reader, loanId);
  const { drawContract } = await import('./contract-pdf.ts');
  return {
    contentType: 'application/pdf',
    body: await drawContract(contract),
    headers: { 'content-disposition': `inline; filename="${fileNameOf(contract.documentNumber)}"` },
  };
}

/** A number from books taken over may hold anything; a header may not. */
const fileNameOf = (documentNumber: string) => `${documentNumber.replace(/[^\w.-]/g, '_')}.pdf`;

function termsOf(quote: QuoteDocument, startDate: ManilaDate): string[] {
  const { contractText } = en;
  return [
    contractText.instalments({
      count: String(quote.termMonths),
      amount: formatPeso(amountOf(quote.monthlyPayment)),
    }),
    contractText.firstPayment({ startDate: formatManilaDate(startDate) }),
    contractText.lateCharge({ percent: String(quote.lateChargeRate) }),
    contractText.freePrepayment,
    contractText.noFees,
  ];
}

async function findReadable(deps: Deps, reader: Reader, loanId: number) {
  const found = await deps.database.read((handle) => findLoan(handle, loanId));
  const isReadable = found && (reader.isAdmin || found.loan.accountId === reader.id);
  if (!isReadable) fail('not_found');
  const terms = await deps.database.read((handle) => findNewestTerms(handle, loanId));
  return { ...found, terms };
}

/** What was frozen, or a fault: figures that do not match their hash are shown to nobody as a contract. */
function frozenQuoteOf(terms: LoanTermsVersion): QuoteDocument {
  if (hashOfQuote(terms.quote) !== terms.hash) {
    throw new Error(`the terms of loan ${terms.loanId}, version ${terms.version}, do not match their hash`);
  }
  return FrozenQuote.parse(terms.quote);
}

/** An amount of a frozen quote, which was written by `pesosText`. */
function amountOf(text: string): Centavos {
  const amount = parsePesos(text);
  if (amount === undefined) throw new Error('a frozen quote holds an amount that cannot be read');
  return amount;
}
