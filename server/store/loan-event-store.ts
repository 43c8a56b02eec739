import { hash } from 'node:crypto';
import { asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { InstalmentPosition } from '#domain/servicing.ts';
import {
  onlyRow,
  prepared,
  type Reader,
  sendUnawaited,
  statement,
  type Tx,
} from '#server/platform/database/database.ts';
import { blanks, firstOf, packed } from './packed-columns.ts';
import { noteSealsOf, sealFields } from './row-seal-store.ts';
import { instalments, loanEvents, loanPositions } from './schema.ts';

const { id: eventId, ...eventColumns } = getTableColumns(loanEvents);
export type LoanEventRow = Omit<typeof loanEvents.$inferSelect, 'id'>;

/** A row of `loan_positions`: the loan as its events left it, and the end of their chain. */
export type LoanPositionRow = typeof loanPositions.$inferSelect;

/** What is to be recorded; its place in the chain is found when it is written. */
export type NewLoanEvent = Omit<
  typeof loanEvents.$inferInsert,
  'id' | 'loanId' | 'sequence' | 'previousHash' | 'hash'
>;

const eventsOf = prepared((handle) =>
  handle
    .select({ event: packed(eventColumns) })
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

export const readLoanEvents = async (handle: Reader, loanId: number): Promise<LoanEventRow[]> =>
  (await eventsOf(handle, { loanId })).map(({ event }) => event);

export const findLoanPosition = (handle: Reader, loanId: number): Promise<LoanPositionRow | undefined> =>
  firstOf(positionOf(handle, { loanId }));

/** What happened to these loans. */
export const readLoanEventsOfAll = (handle: Reader, loanIds: readonly number[]): Promise<LoanEventRow[]> =>
  handle
    .select()
    .from(loanEvents)
    .where(inArray(loanEvents.loanId, [...loanIds]))
    .orderBy(asc(loanEvents.loanId), asc(loanEvents.sequence));

export const readLoanPositions = (handle: Reader, loanIds: readonly number[]): Promise<LoanPositionRow[]> =>
  handle
    .select()
    .from(loanPositions)
    .where(inArray(loanPositions.loanId, [...loanIds]));

/** Adds an event behind the loan's others, and answers it with its id to come. The caller holds the lock of the loan. */
export function insertLoanEvent(
  tx: Tx,
  loanId: number,
  previous: { sequence: number; hash: string },
  event: NewLoanEvent,
): { row: LoanEventRow; id: Promise<number> } {
  const unhashed = {
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
    reason: event.reason ?? '',
    isAlone: event.isAlone ?? false,
    approverId: event.approverId ?? null,
    previousHash: previous.hash,
  };
  const row = { ...unhashed, hash: hashOfLoanEvent(unhashed) };
  const id = insertingEvent(tx, row).then((rows) => onlyRow(rows).id);
  sendUnawaited(tx, id);
  return { row, id };
}

const insertingEvent = prepared((tx: Tx) =>
  tx
    .insert<PgTable>(loanEvents)
    .values(blanks(...Object.keys(eventColumns)))
    .returning({ id: eventId }),
);

/**
 * SHA-256, in lower-case hexadecimal, of the event's values as UTF-8 text with a line feed between them: previous hash
 * (empty for the first event), loan id, sequence, kind, value date, amount in centavos, months, channel, reference,
 * whether it settles, whether the server made it, payment, event taken back, actor, approver, whether one person did the work of
 * two, moment as `2026-11-20T05:57:26.123Z`, reason. What an event does not have is empty; true is 1 and false 0.
 */
export function hashOfLoanEvent(event: Omit<LoanEventRow, 'hash'>): string {
  const values = [
    ...[event.previousHash, event.loanId, event.sequence, event.kind, event.valueDate],
    ...[event.amountCentavos, event.months, event.channel, event.reference],
    ...[Number(event.isSettlement), Number(event.isAuto), event.paymentId, event.undoes],
    ...[event.actorId, event.approverId, Number(event.isAlone), event.createdAt.toISOString(), event.reason],
  ];
  return hash('sha256', values.map((value) => value ?? '').join('\n'), 'hex');
}

/** Writes what the events come to, and these of its instalments. The caller holds the lock of the loan. */
export function writeLoanPosition(
  tx: Tx,
  position: LoanPositionRow,
  rows: readonly InstalmentPosition[],
): void {
  noteSealsOf(tx, 'loan_positions', writingPosition(tx, position));
  sendUnawaited(tx, writingInstalments(tx, { loanId: position.loanId, rows: JSON.stringify(rows) }));
}

/** Those of a disbursement before, which may have been more. */
export function dropInstalments(tx: Tx, ofLoan: number): void {
  sendUnawaited(tx, tx.delete(instalments).where(eq(instalments.loanId, ofLoan)));
}

const { loanId, ...changing } = getTableColumns(loanPositions);
const writingPosition = prepared((tx: Tx) =>
  tx
    .insert<PgTable>(loanPositions)
    .values(blanks('loanId', ...Object.keys(changing)))
    .onConflictDoUpdate({ target: loanId, set: blanks(...Object.keys(changing)) })
    .returning(sealFields('loan_positions')),
);

const writingInstalments = prepared((tx: Tx) =>
  statement(
    tx,
    sql`
    insert into instalments (loan_id, number, due_date, amount_centavos, interest_centavos, principal_centavos,
                             paid_centavos, left_centavos)
    select ${sql.placeholder('loanId')}::bigint, *
      from json_to_recordset(${sql.placeholder('rows')}::json)
        as (number int, "dueDate" date, amount bigint, interest bigint, principal bigint, paid bigint, "left" bigint)
    on conflict (loan_id, number) do update
       set due_date = excluded.due_date, amount_centavos = excluded.amount_centavos,
           interest_centavos = excluded.interest_centavos, principal_centavos = excluded.principal_centavos,
           paid_centavos = excluded.paid_centavos, left_centavos = excluded.left_centavos`,
  ),
);
