import * as z from 'zod/mini';
import { servicingPolicy, servicingTerms } from '#contract/contract-terms.ts';
import type { DisbursementForm } from '#contract/servicing.ts';
import { records } from '#contract/wording/server-words.ts';
import { addMonths, formatManilaDate, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { formatPeso, pesosText } from '#domain/money.ts';
import { fail, refuseField } from '#server/failure.ts';
import { canonicalHash } from '#server/platform/canonical-json.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { readChangesBeforeAgreement } from '#server/store/access-change-store.ts';
import { type Account, findAccount, lockAccount } from '#server/store/account-store.ts';
import { readCreditsSinceApproval, wasReleasedByHand } from '#server/store/ledger-store.ts';
import { changeLoan } from '#server/store/loan-store.ts';
import { areTermsUnagreed } from '#server/store/loan-terms-store.ts';
import { hasWaitingPayment } from '#server/store/payment-store.ts';
import { issueTerms } from './contract-service.ts';
import { closeRequests } from './four-eyes.ts';
import { type Author, marksOf } from './loan-event.ts';
import { recordEvent } from './loan-event-record.ts';
import { effectOf } from './loan-event-trial.ts';
import { type LoanStep, taskFields } from './loan-step.ts';
import { tellBorrower } from './notice-service.ts';
import {
  agreedQuote,
  auditLoan,
  type LoanContext,
  type LoanWork,
  requireDisbursed,
  type ServicedLoan,
  valueDateOf,
} from './serviced-loan.ts';

const DisbursementTask = z.object({
  channel: z.enum(['wallet', 'direct', 'recorded']),
  date: taskFields.day,
  reference: z.optional(z.string()),
  amountCentavos: taskFields.amount,
});
type DisbursementTask = z.output<typeof DisbursementTask>;

/**
 * Pays out an approved loan, or takes over one that was paid out before: the only way to release a loan. Its terms are
 * frozen again with the due dates counted from that day.
 */
export const disbursement: LoanStep<z.output<typeof DisbursementForm>, DisbursementTask, ServicedLoan> = {
  kind: 'disbursement',
  role: 'encoder',
  task: DisbursementTask,
  amountOf: ({ serviced }) => serviced.loan.amountCentavos,
  plan({ deps, serviced }, { channel, date: given, reference }) {
    const today = manilaDate(deps.clock.now());
    const date = given ?? today;
    if (date > today) refuseField('date', 'dateInFuture');
    if (channel === 'wallet' && date !== today) refuseField('date', 'walletPaysToday');
    if (channel === 'direct' && !reference) refuseField('reference', 'referenceRequired');
    return { channel, date, reference, amountCentavos: serviced.loan.amountCentavos };
  },
  async draft(work, { channel, date, reference }) {
    await requireDisbursable(work, channel);
    const { deps, serviced } = work;
    const cancelled = serviced.eventRows.findLast(({ kind }) => kind === 'cancellation');
    return {
      kind: 'disbursement',
      // A request of yesterday reaches the wallet on the day it is approved.
      valueDate: channel === 'wallet' ? manilaDate(deps.clock.now()) : date,
      channel,
      reference,
      undoes: cancelled?.sequence ?? 0,
    };
  },
  barred: changersOf,
  async fingerprints({ deps, reader, serviced: { loan } }) {
    const account = (await findAccount(reader, loan.accountId)) ?? fail('not_found');
    const { fullName, phone, bankName, bankAccountNumber } = account;
    const facts = JSON.stringify([fullName, phone, bankName, bankAccountNumber]);
    return { borrowerFingerprint: deps.secrets.fingerprint(facts, 'borrower-seen') };
  },
  needsSecondPerson: () => true,
  async record(work, { task, author, draft }) {
    const { deps, tx, serviced } = work;
    const { channel, reference } = task;
    const { loan } = serviced;
    // Prevents deletion and suspension of the account until the end.
    const account = (await lockAccount(tx, loan.accountId)) ?? fail('not_found');
    if (channel === 'wallet') requireNotSuspended(account);
    const date = draft.valueDate;
    const terms = await freezeTermsFrom(work, date, author);
    serviced.terms = terms;
    // Once more, on the terms that are frozen now.
    await recordEvent(work, author, effectOf(deps, { ...serviced, terms }, draft, { hasWallet: false }));
    const amount = terms.amountCentavos;
    const at = deps.clock.now();
    serviced.loan = await changeLoan(tx, loan.id, {
      status: 'active',
      updatedAt: at,
      ...(channel === 'wallet' && { releasedAt: at, releasedCentavos: amount }),
    });
    const after = { channel, reference, date, amount: pesosText(amount), ...marksOf(author) };
    await auditLoan(work, 'loan_disbursed', after, { status: loan.status });
    await tellBorrower(work, loan.accountId, 'loan_disbursed', {
      loanNumber: loan.loanNumber,
      amount: formatPeso(amount),
      channel,
      date: formatManilaDate(date),
      firstDueDate: formatManilaDate(addMonths(date, limits.firstInstalmentAfterMonths)),
      monthlyPayment: formatPeso(terms.monthlyPaymentCentavos),
      contractOf: String(loan.id),
    });
    return serviced;
  },
};

/** Staff who changed the borrower's password or phone shortly before the terms were accepted may have accepted them (§accepting-a-contract). */
async function changersOf({ reader, serviced: { loan } }: LoanContext) {
  const changes = await readChangesBeforeAgreement(reader, [loan.id]);
  return { barred: changes.map(({ actorId }) => actorId), refusal: { message: records.ownChangeAccepted } };
}

/** The warnings for the person who decides each of these releases. */
export async function readReleaseWarnings(reader: Reader, loanIds: readonly number[]) {
  const credits = await readCreditsSinceApproval(reader, loanIds);
  const changes = await readChangesBeforeAgreement(reader, loanIds);
  return (id: number) => ({
    walletCredits: credits.filter(({ loanId }) => loanId === id),
    changesBeforeAgreement: changes.filter(({ loanId }) => loanId === id),
  });
}

/** Fails with the first reason not to pay the loan out, except roles. */
async function requireDisbursable({ reader, serviced }: LoanContext, channel: DisbursementTask['channel']) {
  const { loan, stored } = serviced;
  // First, so that the answer does not reveal a deleted borrower's loan.
  const account = (await findAccount(reader, loan.accountId)) ?? fail('not_found');
  if (stored && stored.state !== 'cancelled') fail('already_disbursed');
  if (!loanStatusFacts(loan.status).isPayable) fail('loan_not_approved');
  if (await areTermsUnagreed(reader, loan.id)) fail('terms_not_agreed');
  if (channel !== 'recorded' && (await wasReleasedByHand(reader, loan))) fail('already_credited');
  if (channel === 'wallet') requireNotSuspended(account);
}

function requireNotSuspended({ status }: Account): void {
  if (status === 'suspended') fail('account_suspended', { status: 409, message: records.walletSuspended });
}

/**
 * A new version of the agreed quote, with its dates counted from the disbursement and with how the loan is serviced. A
 * loan taken over from other books gets the figures it has there.
 */
async function freezeTermsFrom(work: LoanWork, startDate: ManilaDate, author: Author) {
  const { loan } = work.serviced;
  const { quote: agreed, version, newest } = await agreedQuote(work.tx, loan);
  const dueDateOf = (number: number) => addMonths(startDate, limits.firstInstalmentAfterMonths + number - 1);
  const quote = {
    ...agreed,
    firstDueDate: dueDateOf(1),
    lastDueDate: dueDateOf(agreed.termMonths),
    schedule: agreed.schedule.map((row) => ({ ...row, dueDate: dueDateOf(row.number) })),
    servicing: newest?.agreement?.servicing ?? servicingPolicy,
    disbursedOn: startDate,
  };
  await issueTerms(work, loan, {
    version: version + 1,
    quote,
    hash: canonicalHash(quote),
    issuedBy: author.actorId,
    ...(newest && { dates: newest }),
  });
  return servicingTerms(quote, startDate);
}

/** Cancels a disbursement while the wallet still holds all of it; open requests on the loan become void. */
export const cancellation: LoanStep<{ reason: string }, { reason: string }, ServicedLoan> = {
  kind: 'cancellation',
  role: 'encoder',
  task: z.object({ reason: z.string() }),
  plan: (_, { reason }) => ({ reason }),
  async draft({ deps, reader, serviced }, { reason }) {
    const { loan, eventRows } = serviced;
    requireDisbursed(serviced);
    const disbursed = eventRows.findLast(({ kind }) => kind === 'disbursement');
    if (disbursed?.channel !== 'wallet') fail('not_in_wallet');
    const undone = new Set(eventRows.map(({ undoes }) => undoes));
    const isPaidOn = eventRows.some(
      ({ kind, sequence }) => kind === 'receipt' && sequence > disbursed.sequence && !undone.has(sequence),
    );
    if (isPaidOn) fail('has_payments');
    if (await hasWaitingPayment(reader, loan.id)) fail('payment_waiting');
    return {
      kind: 'cancellation',
      valueDate: valueDateOf(deps, serviced, undefined),
      undoes: disbursed.sequence,
      reason,
    };
  },
  needsSecondPerson: () => false,
  async record(work, trial) {
    const { deps, tx, serviced } = work;
    const { loan } = serviced;
    await recordEvent(work, trial.author, trial);
    const at = deps.clock.now();
    serviced.loan = await changeLoan(tx, loan.id, {
      releasedAt: null,
      releasedCentavos: null,
      updatedAt: at,
    });
    await closeRequests(work, { loanId: loan.id });
    await auditLoan(work, 'disbursement_cancelled', { amount: pesosText(loan.amountCentavos) });
    await tellBorrower(work, loan.accountId, 'disbursement_cancelled', {
      loanNumber: loan.loanNumber,
      amount: formatPeso(loan.amountCentavos),
      reason: trial.task.reason,
    });
    return serviced;
  },
};
