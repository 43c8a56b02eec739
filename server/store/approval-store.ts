import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm';
import { limits } from '#domain/limits.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { firstOf } from './packed-columns.ts';
import { insertSealed, updateEachSealed, updateSealed } from './row-seal-store.ts';
import { accounts, approvals, loans, payments } from './schema.ts';

export type Approval = typeof approvals.$inferSelect;

export const insertApproval = (tx: Tx, approval: typeof approvals.$inferInsert): Promise<Approval> =>
  insertSealed(tx, approvals, approval);

/** An approval locked until the transaction ends: of two decisions at once the second sees the first. */
export const lockApproval = (tx: Tx, id: number): Promise<Approval | undefined> =>
  firstOf(tx.select().from(approvals).where(eq(approvals.id, id)).for('no key update'));

const itsPayment = sql`(${approvals.payload} ->> 'paymentId')::bigint`;

type Decision = {
  decision: 'approved' | 'rejected';
  decidedBy: number;
  decidedAt: Date;
  reason: string;
};

export const decideApproval = (tx: Tx, id: number, decision: Decision): Promise<Approval> =>
  updateSealed(tx, approvals, id, decision);

/** Approvals with their loans and payments, newest first: those that wait for a decision, or the newest of all. */
export function readApprovals(handle: Reader, { isOpen, loanId }: { isOpen?: boolean; loanId?: number }) {
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
      ),
    )
    .orderBy(desc(approvals.id))
    .limit(limits.ownListMaxRows);
}

/** Decides what waits for a payment, if anything does: it was confirmed or rejected itself. */
export async function closeApprovalOf(tx: Tx, paymentId: number, decision: Decision): Promise<void> {
  const isIts = and(
    isNull(approvals.decision),
    eq(approvals.kind, 'payment'),
    eq(itsPayment, paymentId),
    ne(approvals.askedBy, decision.decidedBy),
  );
  await updateEachSealed(tx, approvals, isIts, decision);
}
