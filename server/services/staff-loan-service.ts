import type { output } from 'zod/mini';
import type { LoanUpdate } from '#contract/member.ts';
import { manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { isMainAdmin } from '#domain/member.ts';
import { type Centavos, centavos, formatPeso, pesosText } from '#domain/money.ts';
import { quoteLoan } from '#domain/quote.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import type { Tx } from '#server/platform/database/database.ts';
import {
  changeLoan,
  findLoan,
  type Loan,
  lockLoan,
  readLoanPage,
  wasLoanApproved,
} from '#server/store/loan-store.ts';
import { areTermsUnagreed, findNewestTerms, insertLoanTerms } from '#server/store/loan-terms-store.ts';
import { type Actor, audit } from './audit-service.ts';
import { requireLoanUnchanged } from './edited-meanwhile.ts';
import { auditedTerms } from './loan-service.ts';
import { rateOf, readableStatus, viewStaffLoan } from './loan-view.ts';
import { noteCodes, type StaffReader } from './member-list-service.ts';
import { tellBorrower, textHash } from './notice-service.ts';
import { freezeQuote } from './quote-service.ts';

/**
 * Every loan with its member, newest first, page by page: inputs of `StaffLoanReply`. One-time codes are in it only
 * when the whole answer is short and `mayShowSecrets` (§secrets-in-answers).
 */
export async function* listLoans(
  deps: Deps,
  actor: Actor,
  filter: { search?: string | undefined; status?: string | undefined },
  mayShowSecrets: boolean,
) {
  const search = filter.search?.toLowerCase() || undefined;
  const status = filter.status === 'all' ? undefined : filter.status || undefined;
  const limit = limits.listPageRows;
  let before: number | undefined;
  for (;;) {
    const page = { search, status, before, limit };
    const rows = await deps.database.read((reader) => readLoanPage(reader, page));
    // The first page is longer than the longest answer with secrets, so it tells how long the answer is.
    const isShortAnswer = before === undefined && rows.length <= limits.secretRowsMax;
    const showsCode = mayShowSecrets && isShortAnswer;
    const views = rows.map((row) => viewStaffLoan(deps, row, showsCode));
    await noteCodes(
      deps,
      actor,
      views.map(({ user }) => user),
    );
    yield views;
    before = rows.at(-1)?.loan.id;
    if (rows.length < limit) return;
  }
}

/** As the schema has read it. */
type LoanEdit = output<typeof LoanUpdate>;

/**
 * Changes a loan's status, its amount and term, or both (§loan-status, §editing-terms). New terms are a new version of
 * the contract from the loan's own first day on, in force at once and not agreed to until the borrower accepts it; they
 * are told of both, and of nothing when nothing changed and no reason is given. No money moves, whatever the status.
 * Fails with `not_found`, `edited_meanwhile` and `too_many_versions`. Answers the input of `StaffLoanReply`, without the
 * member's code: the answer is kept for retries, and a code is not to be kept in the open.
 */
export async function updateLoan(deps: Deps, tx: Tx, actor: Actor, id: number, update: LoanEdit) {
  const loan = await lockLoan(tx, id);
  if (!loan) fail('not_found');
  requireLoanUnchanged(loan, update, update.expected);
  const { status, reason } = update;
  // A reason for the status it has already, which somebody else may have set a moment ago, is not lost either.
  if (status !== undefined && (status !== loan.status || reason !== undefined)) {
    await changeStatus(deps, tx, actor, loan, { status, reason });
  }
  const amountCentavos = update.amount ?? centavos(loan.amountCentavos);
  const termMonths = update.termMonths ?? loan.termMonths;
  if (amountCentavos !== loan.amountCentavos || termMonths !== loan.termMonths) {
    await changeTerms(deps, tx, actor, loan, { amountCentavos, termMonths });
  }
  const changed = await findLoan(tx, id);
  if (!changed) throw new Error('a locked loan vanished');
  const isUnagreed = await areTermsUnagreed(tx, id);
  return viewStaffLoan(deps, { loan: changed.loan, member: changed.account, isUnagreed });
}

/**
 * What staff write of the reason is about a person: it stands in the message alone, which is erased with them; the log
 * has its hash.
 */
async function changeStatus(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  loan: Loan,
  { status, reason }: { status: string; reason: string | undefined },
): Promise<void> {
  await changeLoan(tx, loan.id, { status, updatedAt: deps.clock.now() });
  await audit(deps, tx, actor, {
    action: 'loan_status_changed',
    target: { type: 'loan', id: loan.id },
    before: { status: loan.status },
    after: {
      status,
      ...(reason !== undefined && { changed: ['reason'], reasonHash: textHash(deps, reason) }),
    },
  });
  await tellBorrower(deps, tx, loan.accountId, 'loan_status_changed', {
    loanNumber: loan.loanNumber,
    status: readableStatus(status),
    statusCode: status,
    ...(reason !== undefined && { reason }),
  });
}

async function changeTerms(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  loan: Loan,
  terms: { amountCentavos: Centavos; termMonths: number },
): Promise<void> {
  const now = deps.clock.now();
  // A loan taken over without a rate has one from now on: the one its new contract is made with.
  const monthlyRate = rateOf(loan);
  const quote = quoteLoan({ ...terms, monthlyRate, startDate: manilaDate(loan.createdAt) });
  const { monthlyPaymentCentavos } = quote;
  const newest = await findNewestTerms(tx, loan.id);
  const version = (newest?.version ?? 0) + 1;
  if (version > limits.contractVersionsMax) fail('too_many_versions');
  await changeLoan(tx, loan.id, {
    ...terms,
    monthlyRateBasisPoints: monthlyRate,
    monthlyPaymentCentavos,
    updatedAt: now,
  });
  await insertLoanTerms(tx, {
    loanId: loan.id,
    version,
    ...freezeQuote(quote),
    issuedBy: issuerOf(actor),
    issuedAt: now,
  });
  await audit(deps, tx, actor, {
    action: 'loan_terms_changed',
    target: { type: 'loan', id: loan.id },
    before: {
      amount: pesosText(centavos(loan.amountCentavos)),
      termMonths: loan.termMonths,
      monthlyPayment: pesosText(centavos(loan.monthlyPaymentCentavos)),
      version: newest?.version ?? null,
    },
    after: { ...auditedTerms(quote), version },
  });
  await tellBorrower(deps, tx, loan.accountId, 'loan_terms_changed', {
    loanNumber: loan.loanNumber,
    amount: formatPeso(quote.amountCentavos),
    termMonths: String(quote.termMonths),
    monthlyPayment: formatPeso(monthlyPaymentCentavos),
    contractOf: String(loan.id),
  });
}

/**
 * Takes a loan out of every list and tells the borrower. Its terms and what was written about it stay
 * (§deleting-a-loan). Fails with `not_found`, and with `main_admin_only` once it was approved: then a borrower has a
 * contract.
 */
export async function deleteLoan(deps: Deps, { caller, address }: StaffReader, id: number): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const loan = await lockLoan(tx, id);
    if (!loan) fail('not_found');
    const wasApproved = await wasLoanApproved(tx, loan);
    if (wasApproved && !isMainAdmin(caller.account)) fail('main_admin_only');
    const actor = { id: caller.account.id, address };
    const now = deps.clock.now();
    await changeLoan(tx, id, { deletedAt: now, updatedAt: now });
    await audit(deps, tx, actor, {
      action: 'loan_deleted',
      target: { type: 'loan', id },
      before: {
        loanNumber: loan.loanNumber,
        status: loan.status,
        amount: pesosText(centavos(loan.amountCentavos)),
        termMonths: loan.termMonths,
      },
    });
    await tellBorrower(deps, tx, loan.accountId, 'loan_deleted', {
      loanNumber: loan.loanNumber,
      ...(wasApproved && { contractOf: String(id) }),
    });
  });
}

function issuerOf({ id }: Actor): number {
  if (id === null) throw new Error('new terms of a loan have an issuer');
  return id;
}
