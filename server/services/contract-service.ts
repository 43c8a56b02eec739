import type { output } from 'zod/mini';
import { servicingPolicy, servicingTerms, termSentences } from '#contract/contract-terms.ts';
import { ContractBorrower, ContractLender, type ContractQuery, type LoanAgreement } from '#contract/loan.ts';
import { manilaDate, parseManilaDate } from '#domain/calendar.ts';
import { type Centavos, formatPeso } from '#domain/money.ts';
import { shownPercent } from '#domain/rates.ts';
import { foldEvents, settlementsAhead } from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { canonicalHash } from '#server/platform/canonical-json.ts';
import {
  type Paper,
  writeBanner,
  writeFactColumns,
  writeFigures,
  writeLabelled,
  writeList,
  writeNote,
  writeSignatures,
  writeStrip,
  writeTableInColumns,
} from '#server/platform/pdf-paper.ts';
import { newSalt } from '#server/platform/randomness.ts';
import { readChangesBeforeAgreement } from '#server/store/access-change-store.ts';
import { findAccount } from '#server/store/account-store.ts';
import { type Loan, lockLoan } from '#server/store/loan-store.ts';
import {
  findLender,
  findNewestTerms,
  insertAcceptance,
  insertLoanTerms,
  type LoanAcceptance,
  type LoanBorrower,
  type LoanTermsVersion,
  type NewLoanTerms,
  readAcceptancesOf,
  readBorrowersOf,
  readTermsOf,
} from '#server/store/loan-terms-store.ts';
import { audit, auditLook } from './audit-service.ts';
import {
  cancelledNotice,
  deferralNote,
  documentNumberOf,
  type PaperWords,
  paperWords,
  pdfAnswer,
  writeSampleNotice,
  writeSmallPrint,
} from './lender-paper.ts';
import { frozenAmount, frozenQuoteOf } from './quote-service.ts';
import { findServicedLoan, type ServicedLoan } from './serviced-loan.ts';
import { type Act, type Caller, lockOwnAccount } from './session-service.ts';

export type ContractChoice = output<typeof ContractQuery>;

export type ContractView = Awaited<ReturnType<typeof readContract>>;

/**
 * Adds a version to a loan's contract, with borrower and lender as they are today. A version that only changes the
 * dates of an agreed one (`dates`) keeps its parties and servicing, if it has them. The caller holds the loan's lock.
 */
export async function issueTerms(
  { deps, tx }: Act,
  loan: Pick<Loan, 'id' | 'accountId'>,
  version: Pick<NewLoanTerms, 'version' | 'quote' | 'hash' | 'issuedBy'> & { dates?: LoanTermsVersion },
): Promise<void> {
  const { dates, ...terms } = version;
  const kept = dates?.agreement;
  const borrowers = await readBorrowersOf(tx, [loan.id]);
  const named = kept && borrowers.find((one) => one.version === dates?.version);
  // A deleted borrower keeps the name of the last version.
  const lastNamed = borrowers.toSorted((one, other) => one.version - other.version).at(-1);
  const found = named ?? (await findAccount(tx, loan.accountId)) ?? lastNamed ?? fail('not_found');
  const lender =
    (kept && (await findLender(tx, kept.lenderHash))) ?? ContractLender.parse(deps.config.lender);
  const agreed = newAgreement(terms.hash, lender, found, kept?.servicing);
  await insertLoanTerms(
    tx,
    { ...terms, ...agreed.columns, loanId: loan.id, issuedAt: deps.clock.now() },
    { hash: agreed.columns.agreement.lenderHash, facts: lender },
    agreed.borrower,
  );
}

/**
 * Returns the facts that a new version fixes in addition to its quote, and its borrower
 * with the salt of the hash.
 */
export function newAgreement(
  quoteHash: string,
  lender: ContractLender,
  named: output<typeof ContractBorrower>,
  servicing = servicingPolicy,
) {
  const borrower = { ...ContractBorrower.parse(named), salt: newSalt() };
  const agreement: LoanAgreement = {
    lenderHash: canonicalHash(lender),
    servicing,
    borrowerHash: hashOfBorrower(borrower),
  };
  return { columns: { agreement, agreementHash: hashOfAgreement(quoteHash, agreement) }, borrower };
}

export const hashOfAgreement = (quoteHash: string, agreement: LoanAgreement) =>
  canonicalHash({ quoteHash, ...agreement });

export const hashOfBorrower = ({ salt, ...facts }: Omit<LoanBorrower, 'loanId' | 'version'>) =>
  canonicalHash({ ...ContractBorrower.parse(facts), salt });

/** Throws if it does not match its hash: such an agreement is never shown. */
function agreementOf({ loanId, version, hash, agreement, agreementHash }: LoanTermsVersion) {
  if (!agreement || !agreementHash) return null;
  if (hashOfAgreement(hash, agreement) !== agreementHash) {
    throw new Error(`the agreement of loan ${loanId}, version ${version}, does not match its hash`);
  }
  return { ...agreement, hash: agreementHash };
}

/** The contract with all its versions. A view by staff is logged. */
export async function readContract(deps: Deps, caller: Caller, loanId: number, choice: ContractChoice) {
  const { loan, account, all, acceptances, borrowers, changes, serviced } = await deps.database.snapshot(
    async (reader) => ({
      ...(await findServicedLoan(reader, caller, loanId, { evenDeleted: true })),
      all: await readTermsOf(reader, loanId),
      acceptances: await readAcceptancesOf(reader, [loanId]),
      borrowers: await readBorrowersOf(reader, [loanId]),
      changes: caller.account.isAdmin ? await readChangesBeforeAgreement(reader, [loanId]) : [],
    }),
  );
  const versions = all.map((terms, index) => ({
    ...viewVersion(loan.loanNumber, terms, all[index - 1]),
    agreedAt: agreedAtOf(agreedBefore(all, index), account.id, acceptances),
  }));
  const wanted = choice.version ?? versions[0]?.version;
  const chosen = versions.find(({ version }) => version === wanted);
  const terms = all.find(({ version }) => version === wanted);
  if (!chosen || !terms) fail('not_found');
  const { quote, version } = chosen;
  if (caller.account.isAdmin) {
    await auditLook(deps, caller, { action: 'contract_opened', on: { loan: loanId } });
  }
  const startDate = parseManilaDate(quote.disbursedOn ?? '') ?? manilaDate(loan.createdAt);
  const { language, document, terms: sentences } = paperWords(choice.lang);
  const agreement = agreementOf(terms);
  const named = borrowers.find((one) => one.version === version);
  if (agreement && named && hashOfBorrower(named) !== agreement.borrowerHash) {
    throw new Error(`the borrower of loan ${loanId}, version ${version}, does not match the agreement`);
  }
  const lender = agreement
    ? await deps.database.read((reader) => findLender(reader, agreement.lenderHash))
    : ContractLender.parse(deps.config.lender);
  if (!lender || (agreement && canonicalHash(lender) !== agreement.lenderHash)) {
    throw new Error(`the lender of loan ${loanId}, version ${version}, does not match the agreement`);
  }
  const policy = quote.servicing ?? agreement?.servicing ?? null;
  return {
    ...chosen,
    loanNumber: loan.loanNumber,
    language,
    governs: document.governs,
    startDate,
    isSample: lender.isSample,
    lender,
    borrower: ContractBorrower.parse(named ?? account),
    agreement: agreement && { ...agreement, salt: named?.salt ?? null },
    purpose: loan.purpose,
    status: loan.status,
    terms: termSentences(sentences, quote, { startDate, language, policy }),
    settlements: policy ? settlementsAhead(servicingTerms(quote, startDate, policy)) : [],
    // An earlier version stays unchanged.
    ...changesOf(serviced, chosen.replacedAt === null),
    ...(chosen.replacedAt === null && changes.length > 0 && { changesBeforeAgreement: changes }),
    versions,
  };
}

/** Returns how the agreed due dates changed since the disbursement. */
function changesOf({ terms, events }: ServicedLoan, isInForce: boolean) {
  const fold = terms && isInForce ? foldEvents(terms, events) : undefined;
  const moved = fold?.rows.filter(({ dueDate, agreedDueDate }) => dueDate !== agreedDueDate) ?? [];
  return {
    events: isInForce ? events : [],
    ...(fold && moved.length > 0 && { deferral: { months: fold.deferredMonths, dueDates: moved } }),
    ...(fold?.cancelledOn && { cancelledOn: fold.cancelledOn }),
  };
}

/** A disbursement changes only the dates of the version before. */
function agreedBefore(newestFirst: readonly LoanTermsVersion[], index: number): LoanTermsVersion {
  const [version, before] = newestFirst.slice(index);
  if (!version) throw new Error('there is no such version');
  return before && 'disbursedOn' in version.quote ? agreedBefore(newestFirst, index + 1) : version;
}

/** When the borrower applied for a version, or accepted it; null if neither. */
export function agreedAtOf(
  { loanId, version, issuedBy, issuedAt }: LoanTermsVersion,
  borrowerId: number,
  acceptances: readonly LoanAcceptance[],
): Date | null {
  if (issuedBy === borrowerId) return issuedAt;
  const accepted = acceptances.find((one) => one.loanId === loanId && one.version === version);
  return accepted?.acceptedAt ?? null;
}

/** `quote_changed` if the version on the borrower's screen is not the newest. Accepting again changes nothing. */
export async function acceptContract(act: Act, loanId: number, version: number) {
  const { deps, tx } = act;
  const loan = await lockLoan(tx, loanId);
  const { id } = await lockOwnAccount(act);
  if (loan?.accountId !== id) fail('not_found');
  const terms = (await findNewestTerms(tx, loanId)) ?? fail('not_found');
  if (terms.version !== version) fail('quote_changed');
  frozenQuoteOf(terms);
  const { hash } = terms;
  const agreedAt = agreedAtOf(terms, id, await readAcceptancesOf(tx, [loanId]));
  if (agreedAt) return { version, hash, acceptedAt: agreedAt };
  const acceptedAt = deps.clock.now();
  await insertAcceptance(tx, { loanId, version, hash, acceptedAt });
  const changes = await readChangesBeforeAgreement(tx, [loanId]);
  const changedBy = [...new Set(changes.map(({ actorId }) => actorId))];
  const after = { version, hash, ...(changedBy.length > 0 && { accessChangedBy: changedBy }) };
  await audit(act, 'loan_terms_accepted', { loan: loanId }, { after });
  return { version, hash, acceptedAt };
}

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
 * The contract as a PDF of one to three pages, to print and sign. The same version always gives the same bytes, until
 * it is replaced or accepted, its due dates are deferred or its release is cancelled.
 */
export async function readContractPdf(deps: Deps, caller: Caller, loanId: number, choice: ContractChoice) {
  const contract = await readContract(deps, caller, loanId, choice);
  const { lender, borrower, documentNumber, agreement, agreedAt, issuedAt, hash } = contract;
  const words = paperWords(choice.lang);
  const { document, company, papers, dayOf } = words;
  // The logo is today's: an earlier lender's contract must not show it.
  const logo = lender.name === deps.config.lender.name ? deps.paperLogo : undefined;
  const { title, signatures } = document;
  const letterhead = { lender, words, title, documentNumber, created: issuedAt, logo };
  return pdfAnswer(letterhead, [documentNumber], (paper) => {
    writeSmallPrint(paper, document.law);
    writeSmallPrint(paper, document.governs);
    writeSmallPrint(paper, company.studyFirst, true);
    paper.y += 7;
    writeStrip(paper, [
      [document.facts.documentNumber, documentNumber],
      [document.facts.loanNumber, contract.loanNumber],
      [document.facts.version, document.versionOf(contract.version)],
      [document.facts.issued, dayOf(issuedAt)],
    ]);
    if (contract.replacedAt) {
      const date = dayOf(contract.replacedAt);
      writeBanner(paper, document.replacedNotice({ version: contract.version + 1, date }));
    }
    if (!agreedAt) writeBanner(paper, document.notAgreedNotice);
    const cancelled = cancelledNotice(contract.events, words);
    if (cancelled) writeBanner(paper, cancelled);
    writeSampleNotice(paper, letterhead);
    writeFactColumns(paper, document.parties.heading, partiesOf(contract, words));
    if (!agreement) writeNote(paper, papers.partiesToday);
    writeLabelled(paper, document.parties.purpose, contract.purpose);
    const heads = [document.cost.item, document.cost.figure] as const;
    writeFigures(paper, document.cost.heading, heads, figuresOf(contract, words));
    writeNote(paper, document.effectiveRateNote);
    writeList(paper, document.terms.heading, contract.terms);
    writeDates(paper, contract, words);
    const { heading, consent, signature, signatureOfOfficer, date } = signatures;
    writeSignatures(paper, {
      heading,
      consent,
      signers: [
        { role: document.parties.borrower, name: borrower.fullName, lines: [signature, date] },
        { role: signatures.lender, name: lender.name, lines: [signatureOfOfficer, date] },
      ],
    });
    if (agreedAt && agreedAt > issuedAt) writeNote(paper, document.acceptedNote(dayOf(agreedAt)));
    writeNote(paper, agreement ? document.fingerprints(hash, agreement.hash) : document.fingerprint(hash));
  });
}

function partiesOf({ lender, borrower }: ContractView, words: PaperWords) {
  const { parties } = words.document;
  const authority = lender.certificateOfAuthorityNumber;
  return [
    {
      heading: parties.lender,
      rows: [
        [parties.name, lender.name],
        [parties.registrationNumber, lender.registrationNumber],
        ...(authority ? [[parties.authorityNumber, authority] as const] : []),
        [parties.registered, dateIn(words, lender.registrationDate)],
        [parties.status, lender.status],
        [parties.address, lender.address],
        [parties.phone, lender.supportPhone],
        [parties.email, lender.supportEmail],
      ],
    },
    {
      heading: parties.borrower,
      rows: [
        [parties.name, borrower.fullName],
        [parties.address, borrower.address ?? parties.notGiven],
        [parties.phone, borrower.phone],
        [parties.email, borrower.email ?? parties.notGiven],
      ],
    },
  ] as const;
}

function figuresOf({ quote }: ContractView, words: PaperWords) {
  const { cost } = words.document;
  const percentOf = (percent: string) => cost.percent(shownPercent(percent));
  const due = cost.between(dateIn(words, quote.firstDueDate), dateIn(words, quote.lastDueDate));
  return [
    { label: cost.amountFinanced, figure: pesosOf(quote.amount), isMain: true },
    { label: cost.upfrontCharges, figure: pesosOf(quote.upfrontCharges) },
    { label: cost.netProceeds, figure: pesosOf(quote.netProceeds), isMain: true },
    { label: cost.financeCharge, figure: pesosOf(quote.costOfCredit), isMain: true },
    { label: cost.totalPayment, figure: pesosOf(quote.totalPayment) },
    { label: cost.instalment(quote.termMonths), figure: pesosOf(quote.monthlyPayment) },
    { label: cost.firstAndLast, figure: due },
    { label: cost.nominalRate, figure: cost.perMonth(String(quote.interestRate)) },
    { label: cost.effectiveMonthlyRate, figure: percentOf(quote.effectiveMonthlyRate), isMain: true },
    { label: cost.simpleAnnualRate, figure: percentOf(quote.simpleAnnualRate) },
    { label: cost.effectiveAnnualRate, figure: percentOf(quote.effectiveAnnualRate), isMain: true },
    { label: cost.lateCharge, figure: cost.perMonth(String(quote.lateChargeRate)) },
  ];
}

/** Writes the cost of settling, the agreed due dates, and those after a deferral. */
function writeDates(paper: Paper, contract: ContractView, words: PaperWords): void {
  const { quote, deferral, settlements } = contract;
  const { schedule, deferral: deferred, settlements: settling } = words.document;
  type Dated = { number: number; date: string; amount: Centavos };
  const write = (heading: string, amountHead: string, dated: Dated[], summary?: string) =>
    writeTableInColumns(paper, heading, {
      header: [schedule.number, schedule.dueDate, amountHead],
      rows: dated.map(({ number, date, amount }) => [
        String(number),
        dateIn(words, date),
        formatPeso(amount),
      ]),
      summary,
    });
  if (settlements.length > 0) {
    const dated = settlements.map((one) => ({ ...one, number: one.afterInstalment }));
    write(settling.heading, settling.amount, dated);
    writeNote(paper, settling.note);
  }
  const agreed = quote.schedule.map(({ number, dueDate: date, amount }) => ({
    number,
    date,
    amount: frozenAmount(amount),
  }));
  const total = schedule.total(quote.termMonths, pesosOf(quote.totalPayment));
  write(schedule.heading, schedule.amount, agreed, total);
  const startDate = words.day(contract.startDate);
  if (!contract.cancelledOn)
    writeNote(paper, words.terms.dates({ startDate, isDisbursed: quote.disbursedOn !== undefined }));
  if (!deferral) return;
  const moved = deferral.dueDates.map((row) => ({ ...row, date: row.dueDate }));
  write(deferred.heading, schedule.amount, moved);
  writeNote(paper, deferralNote(contract.events, words) ?? '');
}

function dateIn({ day }: PaperWords, text: string): string {
  const date = parseManilaDate(text);
  return date === undefined ? text : day(date);
}

const pesosOf = (text: string) => formatPeso(frozenAmount(text));
