import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { limits } from '#domain/limits.ts';
import type { LoanStepKind } from '#domain/servicing.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { firstOf } from './packed-columns.ts';
import { insertSealed, updateEachSealed, updateSealed } from './row-seal-store.ts';
import { accounts, approvals, loans, payments } from './schema.ts';

export type Approval = typeof approvals.$inferSelect;

export const insertApproval = (tx: Tx, approval: typeof approvals.$inferInsert): Promise<Approval> =>
  insertSealed(tx, approvals, approval);

export const findApproval = (handle: Reader, id: number): Promise<Approval | undefined> =>
  firstOf(handle.select().from(approvals).where(eq(approvals.id, id)));

/** An approval locked until the transaction ends: of two decisions at once the second sees the first. */
export const lockApproval = (tx: Tx, id: number): Promise<Approval | undefined> =>
  firstOf(tx.select().from(approvals).where(eq(approvals.id, id)).for('no key update'));

const itsPayment = sql`(${approvals.payload} ->> 'paymentId')::bigint`;

type Decision = Required<Pick<Approval, 'reason'>> & {
  [Column in 'decision' | 'decidedBy' | 'decidedAt']: NonNullable<Approval[Column]>;
};

export const decideApproval = (tx: Tx, id: number, decision: Decision): Promise<Approval> =>
  updateSealed(tx, approvals, id, decision);

const isOpenOf = (about: SQL | undefined) => and(isNull(approvals.decision), about);

export const readOpenApprovals = (handle: Reader, loanId: number): Promise<Approval[]> =>
  handle
    .select()
    .from(approvals)
    .where(isOpenOf(eq(approvals.loanId, loanId)));

/** Closes the open requests of a loan, a borrower or a payment: void, if nothing else. The caller holds the lock of their loans. */
export async function closeApprovals(
  tx: Tx,
  of: { loanId: number } | { accountId: number } | { paymentId: number; kind?: LoanStepKind },
  {
    decision = 'outdated',
    reason = '',
    ...by
  }: Pick<Decision, 'decidedBy' | 'decidedAt'> & Partial<Decision>,
): Promise<void> {
  const about =
    'loanId' in of
      ? eq(approvals.loanId, of.loanId)
      : 'accountId' in of
        ? eq(approvals.accountId, of.accountId)
        : and(eq(itsPayment, of.paymentId), of.kind === undefined ? undefined : eq(approvals.kind, of.kind));
  await updateEachSealed(tx, approvals, isOpenOf(about), { ...by, decision, reason });
}

/** Approvals with their loans and payments, newest first: those that wait for a decision, or the newest of all. */
export function readApprovals(
  handle: Reader,
  { isOpen, loanId, before }: { isOpen?: boolean; loanId?: number; before?: number | undefined },
) {
  return handle
    .select({
      approval: approvals,
      loanNumber: loans.loanNumber,
      member: { id: accounts.id, fullName: accounts.fullName, phone: accounts.phone },
      payment: payments,
    })
    .from(approvals)
    .innerJoin(loans, eq(loans.id, approvals.loanId))
    .innerJoin(accounts, eq(accounts.id, loans.accountId))
    .leftJoin(payments, eq(payments.id, itsPayment))
    .where(
      and(
        isOpen ? isNull(approvals.decision) : undefined,
        loanId === undefined ? undefined : eq(approvals.loanId, loanId),
        before === undefined ? undefined : lt(approvals.id, before),
      ),
    )
    .orderBy(isOpen ? sql`${approvals.id} desc nulls last` : desc(approvals.id))
    .limit(limits.ownListMaxRows + 1);
}
