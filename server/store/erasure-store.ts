import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, notExists, or, sql } from 'drizzle-orm';
import { loanStatusesWith } from '#domain/loan.ts';
import { centavos } from '#domain/money.ts';
import { openWithdrawalStatuses } from '#domain/withdrawal.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { noCode } from './account-store.ts';
import { accountsAttaching } from './document-store.ts';
import { eraseEventTexts } from './loan-event-store.ts';
import { eraseMessagesOf } from './message-store.ts';
import {
  accounts,
  approvals,
  complaintMessages,
  complaints,
  contacts,
  files,
  idempotencyKeys,
  ledgerEntries,
  loanBorrowers,
  loanPositions,
  loans,
  notifications,
  payments,
  sessions,
  statementLines,
  withdrawals,
} from './schema.ts';
import { updateEachSealed } from './sealed-rows.ts';

/**
 * True if an account has ever borrowed, or its money has moved: then the law asks for its books to be kept.
 */
export async function hasBooks(reader: Reader, accountId: number): Promise<boolean> {
  const { rows } = await reader.execute<{ found: boolean }>(sql`
    select exists (select from ${loans} where account_id = ${accountId}::bigint)
        or exists (select from ${withdrawals} where account_id = ${accountId}::bigint)
        or exists (select from ${ledgerEntries} where account_id = ${accountId}::bigint) as found`);
  return rows[0]?.found === true;
}

/**
 * Reads what is not settled of an account's money: the withdrawals that wait, and the loans that may be out.
 */
export async function readUnsettled(reader: Reader, accountId: number) {
  const open = await reader
    .select({ number: withdrawals.withdrawalNumber })
    .from(withdrawals)
    .where(and(eq(withdrawals.accountId, accountId), inArray(withdrawals.status, openWithdrawalStatuses)))
    .orderBy(asc(withdrawals.id));
  const mayBeOut = or(
    inArray(loans.status, loanStatusesWith('isPayable')),
    isNotNull(loans.releasedAt),
    isNotNull(loanPositions.state),
  );
  const taken = await reader
    .select({
      id: loans.id,
      accountId: loans.accountId,
      number: loans.loanNumber,
      status: loans.status,
      createdAt: loans.createdAt,
      releasedAt: loans.releasedAt,
      accountState: loanPositions.state,
    })
    .from(loans)
    .leftJoin(loanPositions, eq(loanPositions.loanId, loans.id))
    .where(and(eq(loans.accountId, accountId), isNull(loans.deletedAt), mayBeOut))
    .orderBy(asc(loans.id));
  return { withdrawals: open, loans: taken };
}

export async function eraseLiveAccess(tx: Tx): Promise<void> {
  await tx.delete(sessions);
  await tx.delete(idempotencyKeys);
  // A backup of an earlier version has fewer columns.
  const { isOtpByText: _, ...noLiveCode } = noCode;
  await tx.update(accounts).set(noLiveCode).where(isNotNull(accounts.otpCodeSealed));
}

/** The files to delete with a person: those they uploaded and these ids, without what another account has attached. */
export async function readFilesToErase(
  reader: Reader,
  accountId: number,
  ids: readonly string[],
): Promise<string[]> {
  const proofs = reader
    .select({ id: payments.proofFileId })
    .from(payments)
    .where(eq(payments.accountId, accountId));
  const rows = await reader
    .select({ id: files.id })
    .from(files)
    .where(
      and(
        or(eq(files.accountId, accountId), inArray(files.id, [...ids]), inArray(files.id, proofs)),
        notExists(accountsAttaching(reader)),
      ),
    );
  return rows.map(({ id }) => id);
}

/** Erases personal data from the books, names, purposes, bank accounts, references and texts by staff, and all messages. */
export async function blankBooksOf(tx: Tx, accountId: number): Promise<void> {
  await tx.delete(notifications).where(eq(notifications.accountId, accountId));
  await eraseMessagesOf(tx, accountId);
  const own = await tx
    .update(loans)
    .set({ purpose: '' })
    .where(eq(loans.accountId, accountId))
    .returning({ id: loans.id });
  const ids = own.map(({ id }) => id);
  await tx.delete(loanBorrowers).where(inArray(loanBorrowers.loanId, ids));
  await eraseEventTexts(tx, ids);
  await updateEachSealed(tx, contacts, eq(contacts.accountId, accountId), { note: '' });
  const theirs = tx.select({ id: complaints.id }).from(complaints).where(eq(complaints.accountId, accountId));
  await updateEachSealed(tx, complaintMessages, inArray(complaintMessages.complaintId, theirs), { text: '' });
  const noBank = { bankName: '', bankAccountNumber: '', bankReference: null };
  await updateEachSealed(tx, withdrawals, eq(withdrawals.accountId, accountId), noBank);
  const noPayer = { reference: null, referenceKey: null, reason: '', note: null, proofFileId: null };
  await updateEachSealed(tx, payments, eq(payments.accountId, accountId), noPayer);
  await updateEachSealed(tx, statementLines, inArray(statementLines.loanId, ids), { reference: null });
  const noReason = { reason: '', payload: sql`${approvals.payload} - array['reason', 'reference', 'note']` };
  await updateEachSealed(tx, approvals, eq(approvals.accountId, accountId), noReason);
}

const nothing = centavos(0);
const isClosedMember = and(isNotNull(accounts.deletedAt), eq(accounts.isAdmin, false));

/** The loans of deleted members that may still be owed. */
export const readLoansLeftBehind = (reader: Reader) =>
  reader
    .select({ loan: loans })
    .from(loans)
    .innerJoin(accounts, eq(accounts.id, loans.accountId))
    .leftJoin(loanPositions, eq(loanPositions.loanId, loans.id))
    .where(
      and(
        isClosedMember,
        isNull(loans.deletedAt),
        or(
          inArray(loanPositions.state, ['open', 'written_off']),
          gt(loanPositions.creditCentavos, nothing),
          // Released by a version without loan accounts.
          and(isNotNull(loans.releasedAt), isNull(loanPositions.state)),
        ),
      ),
    )
    .orderBy(asc(loans.id));

/** Deleted members with money in the wallet, and these accounts; the last closed first. */
export const readClosedWithMoney = (reader: Reader, ids: readonly number[]) =>
  reader
    .select()
    .from(accounts)
    .where(and(isClosedMember, or(gt(accounts.balanceCentavos, nothing), inArray(accounts.id, [...ids]))))
    .orderBy(desc(accounts.deletedAt), desc(accounts.id));

/** Members deleted before a moment, without money moved since or withdrawals waiting. Skips locked rows. */
export async function lockClosedAccounts(tx: Tx, before: Date, limit: number) {
  const movedSince = tx
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.accountId, accounts.id), gt(ledgerEntries.createdAt, before)));
  const open = tx
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .where(and(eq(withdrawals.accountId, accounts.id), inArray(withdrawals.status, openWithdrawalStatuses)));
  return tx
    .select()
    .from(accounts)
    .where(
      and(
        isClosedMember,
        isNull(accounts.erasedAt),
        lte(accounts.deletedAt, before),
        notExists(movedSince),
        notExists(open),
      ),
    )
    .orderBy(asc(accounts.deletedAt))
    .limit(limit)
    .for('update', { skipLocked: true });
}
