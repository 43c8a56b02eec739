import { createHash } from 'node:crypto';
import { asc, eq, sql } from 'drizzle-orm';
import type { ManilaDate } from '#domain/calendar.ts';
import type { InstalmentPosition, LoanEventKind, StoredLoanState } from '#domain/servicing.ts';
import {
  onlyRow,
  prepared,
  type Reader,
  sendUnawaited,
  type Tx,
} from '#server/platform/database/database.ts';
import { noteSeals, sealFields } from './row-seal-store.ts';
import { loanEvents, loanPositions } from './schema.ts';

export type LoanEventRow = typeof loanEvents.$inferSelect;

/** A row of `loan_positions`: the loan as its events left it, and the end of their chain. */
export type LoanPositionRow = typeof loanPositions.$inferSelect;

/** What is to be recorded; its place in the chain is found when it is written. */
export type NewLoanEvent = {
  kind: LoanEventKind;
  valueDate: ManilaDate;
  amountCentavos?: number | undefined;
  months?: number | undefined;
  channel?: string | undefined;
  reference?: string | undefined;
  isSettlement?: boolean | undefined;
  isAuto?: boolean | undefined;
  paymentId?: number | undefined;
  undoes?: number | undefined;
  reason: string;
  actorId: number;
  approverId?: number | undefined;
  isAlone: boolean;
  createdAt: Date;
};

const eventsOf = prepared((handle) =>
  handle
    .select()
    .from(loanEvents)
    .where(eq(loanEvents.loanId, sql.placeholder('loanId')))
    .orderBy(asc(loanEvents.sequence)),
);
const positionOf = prepared((handle) =>
  handle
    .select()
    .from(loanPositions)
    .where(eq(loanPositions.loanId, sql.placeholder('loanId'))),
);

export const readLoanEvents = (handle: Reader, loanId: number): Promise<LoanEventRow[]> =>
  eventsOf(handle, { loanId });

export async function findLoanPosition(handle: Reader, loanId: number): Promise<LoanPositionRow | undefined> {
  const [row] = await positionOf(handle, { loanId });
  return row;
}

/** Adds an event behind the loan's others. The caller holds the lock of the loan. */
export async function insertLoanEvent(
  tx: Tx,
  loanId: number,
  previous: { sequence: number; hash: string },
  event: NewLoanEvent,
): Promise<LoanEventRow> {
  const row = {
    ...event,
    loanId,
    sequence: previous.sequence + 1,
    amountCentavos: event.amountCentavos ?? null,
    months: event.months ?? null,
    channel: event.channel ?? null,
    reference: event.reference ?? null,
    isSettlement: event.isSettlement ?? false,
    isAuto: event.isAuto ?? false,
    paymentId: event.paymentId ?? null,
    undoes: event.undoes ?? null,
    approverId: event.approverId ?? null,
    previousHash: previous.hash,
  };
  const whole = { ...row, hash: hashOfLoanEvent(row) };
  return onlyRow(await tx.insert(loanEvents).values(whole).returning());
}

/**
 * SHA-256, in lower-case hexadecimal, of the event's values as UTF-8 text with a line feed between them: previous hash
 * (empty for the first event), loan id, sequence, kind, value date, amount in centavos, months, channel, reference,
 * whether it settles, whether the server made it, payment, event taken back, actor, approver, whether one person did the work of
 * two, moment as `2026-11-20T05:57:26.123Z`, reason. What an event does not have is empty; true is 1 and false 0.
 */
export function hashOfLoanEvent(event: Omit<LoanEventRow, 'id' | 'hash'>): string {
  const values = [
    ...[event.previousHash, event.loanId, event.sequence, event.kind, event.valueDate],
    ...[event.amountCentavos, event.months, event.channel, event.reference],
    ...[Number(event.isSettlement), Number(event.isAuto), event.paymentId, event.undoes],
    ...[event.actorId, event.approverId, Number(event.isAlone), event.createdAt.toISOString(), event.reason],
  ];
  return createHash('sha256')
    .update(values.map((value) => value ?? '').join('\n'))
    .digest('hex');
}

/** Writes what the events come to. The caller holds the lock of the loan. */
export async function writeLoanPosition(
  tx: Tx,
  position: LoanPositionRow & { state: StoredLoanState },
  rows: readonly InstalmentPosition[],
): Promise<void> {
  const { loanId, ...changed } = position;
  const writing = tx
    .insert(loanPositions)
    .values(position)
    .onConflictDoUpdate({ target: loanPositions.loanId, set: changed })
    .returning(sealFields('loan_positions'));
  const column = (value: (row: InstalmentPosition) => unknown) => sql`${sql.param(rows.map(value))}`;
  const instalments = tx.execute(sql`
    insert into instalments (loan_id, number, due_date, amount_centavos, interest_centavos, principal_centavos,
                             paid_centavos, left_centavos)
    select ${loanId}::bigint, *
      from unnest(${column(({ number }) => number)}::int[], ${column(({ dueDate }) => dueDate)}::date[],
                  ${column(({ amount }) => amount)}::bigint[], ${column(({ interest }) => interest)}::bigint[],
                  ${column(({ principal }) => principal)}::bigint[], ${column(({ paid }) => paid)}::bigint[],
                  ${column(({ left }) => left)}::bigint[])
    on conflict (loan_id, number) do update
       set due_date = excluded.due_date, amount_centavos = excluded.amount_centavos,
           interest_centavos = excluded.interest_centavos, principal_centavos = excluded.principal_centavos,
           paid_centavos = excluded.paid_centavos, left_centavos = excluded.left_centavos
     where (instalments.due_date, instalments.amount_centavos, instalments.interest_centavos,
            instalments.principal_centavos, instalments.paid_centavos, instalments.left_centavos)
        is distinct from (excluded.due_date, excluded.amount_centavos, excluded.interest_centavos,
                          excluded.principal_centavos, excluded.paid_centavos, excluded.left_centavos)`);
  const written = writing.execute();
  sendUnawaited(tx, instalments);
  noteSeals(tx, 'loan_positions', await written);
}
