import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { limits } from '#domain/limits.ts';
import type { LoanStepKind } from '#domain/servicing.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { firstOf } from './packed-columns.ts';
import { accounts, approvals, loans, payments, presentFormat } from './schema.ts';
import { insertSealed, updateEachSealed } from './sealed-rows.ts';

export type Approval = typeof approvals.$inferSelect;

export const insertApproval = (tx: Tx, approval: typeof approvals.$inferInsert): Promise<Approval> =>
  insertSealed(tx, approvals, { ...approval, format: presentFormat });

export const findApproval = (reader: Reader, id: number): Promise<Approval | undefined> =>
  firstOf(reader.select().from(approvals).where(eq(approvals.id, id)));

/** Locked until the transaction ends: of two decisions at once the second sees the first. */
export const lockApproval = (tx: Tx, id: number): Promise<Approval | undefined> =>
  firstOf(tx.select().from(approvals).where(eq(approvals.id, id)).for('no key update'));

const itsPayment = sql`(${approvals.payload} ->> 'paymentId')::bigint`;

type Decision = Required<Pick<Approval, 'reason'>> & {
  [Column in 'decision' | 'decidedBy' | 'decidedAt']: NonNullable<Approval[Column]>;
};

const isOpenOf = (about: SQL | undefined) => and(isNull(approvals.decision), about);

export const readOpenApprovals = (reader: Reader, loanId: number): Promise<Approval[]> =>
  reader
    .select()
    .from(approvals)
    .where(isOpenOf(eq(approvals.loanId, loanId)));

export type OfRequests =
  | { id: number }
  | { loanId: number }
  | { accountId: number }
  | { paymentId: number; kind?: LoanStepKind };

function isOf(of: OfRequests): SQL | undefined {
  if ('id' in of) return eq(approvals.id, of.id);
  if ('loanId' in of) return eq(approvals.loanId, of.loanId);
  if ('accountId' in of) return eq(approvals.accountId, of.accountId);
  const { paymentId, kind } = of;
  return and(eq(itsPayment, paymentId), kind === undefined ? undefined : eq(approvals.kind, kind));
}

/** Closes the open ones. The caller holds the locks of their loans. */
export const closeApprovals = (tx: Tx, of: OfRequests, decision: Decision): Promise<Approval[]> =>
  updateEachSealed(tx, approvals, isOpenOf(isOf(of)), decision);

/** Reads requests with their loans and payments, newest first: the open ones, or the newest of all. */
export function readApprovals(
  reader: Reader,
  { isOpen, before }: { isOpen: boolean; before?: number | undefined },
) {
  return reader
    .select({
      approval: approvals,
      loanNumber: loans.loanNumber,
      member: {
        id: accounts.id,
        fullName: accounts.fullName,
        phone: accounts.phone,
        isAdmin: accounts.isAdmin,
        email: accounts.email,
        bankAccountNumber: accounts.bankAccountNumber,
      },
      payment: payments,
    })
    .from(approvals)
    .innerJoin(loans, eq(loans.id, approvals.loanId))
    .innerJoin(accounts, eq(accounts.id, loans.accountId))
    .leftJoin(payments, eq(payments.id, itsPayment))
    .where(
      and(
        isOpen ? isNull(approvals.decision) : undefined,
        before === undefined ? undefined : lt(approvals.id, before),
      ),
    )
    .orderBy(isOpen ? sql`${approvals.id} desc nulls last` : desc(approvals.id))
    .limit(limits.ownListMaxRows + 1);
}
