import { hash } from 'node:crypto';
import { and, asc, eq, getTableColumns, gt, gte, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { endOfManilaDay, type ManilaDate, startOfManilaDay } from '#domain/calendar.ts';
import type { LoanMovement } from '#domain/loan-movement.ts';
import { foldEdition, type InstalmentPosition } from '#domain/servicing.ts';
import { onlyRow, type Reader, sendUnawaited, type Tx } from '#server/platform/database/database.ts';
import { prepared, statement } from '#server/platform/database/prepared.ts';
import { newSalt } from '#server/platform/randomness.ts';
import { insertMany } from './many-rows.ts';
import { blanks, isAmong, packed } from './packed-columns.ts';
import { isTakenOver } from './receipt-store.ts';
import {
  instalments,
  journalMovements,
  loanEvents,
  loanMovements,
  loanPositions,
  loans,
  payments,
  presentFormat,
} from './schema.ts';
import { noteSealsOf, sealFields } from './sealed-rows.ts';

export const { id: eventId, ...eventColumns } = getTableColumns(loanEvents);
export type LoanEventRow = Omit<typeof loanEvents.$inferSelect, 'id'>;

/** A row of `loan_positions`: the loan after its events, with the end of their chain. */
export type LoanPositionRow = typeof loanPositions.$inferSelect;

/** An event to record; its place in the chain is found when it is written. */
export type NewLoanEvent = Omit<
  typeof loanEvents.$inferInsert,
  'id' | 'loanId' | 'sequence' | 'format' | 'textSalt' | 'textHash' | 'previousHash' | 'hash'
>;

const eventsOf = prepared((reader) =>
  reader
    .select({ event: packed(eventColumns) })
    .from(loanEvents)
    .where(isAmong(loanEvents.loanId, 'loanIds'))
    .orderBy(asc(loanEvents.loanId), asc(loanEvents.sequence)),
);
const positionsOf = prepared((reader) =>
  reader.select().from(loanPositions).where(isAmong(loanPositions.loanId, 'loanIds')),
);

export const readLoanEvents = async (reader: Reader, loanIds: readonly number[]): Promise<LoanEventRow[]> =>
  (await eventsOf(reader, { loanIds })).map(({ event }) => event);

export const readLoanPositions = (reader: Reader, loanIds: readonly number[]): Promise<LoanPositionRow[]> =>
  positionsOf(reader, { loanIds });

/** Centavos that a person alone took in cash, confirmed of other payments, and waived. */
export type DoneAlone = { staffId: number } & Record<'cash' | 'confirmed' | 'waived', number>;

/** Sums of what this person, or each one, did alone on a day over all loans. Reversed and taken-over payments are left out. */
export async function readDoneAlone(reader: Reader, day: ManilaDate, staffId?: number): Promise<DoneAlone[]> {
  const days = { from: startOfManilaDay(day).toISOString(), to: endOfManilaDay(day).toISOString() };
  const done =
    staffId === undefined ? doneAloneByEach(reader, days) : doneAloneBy(reader, { ...days, staffId });
  return (await done).rows;
}

function doneAlone(which: (person: SQL) => SQL) {
  const total = (of: SQL) => sql`coalesce(sum(event.amount_centavos) filter (where ${of}), 0)::float8`;
  // A borrower's own payment has the one person who confirmed it as its second.
  const isOwn = sql`event.actor_id = loan.account_id`;
  const person = sql`case when ${isOwn} then event.approver_id else event.actor_id end`;
  return sql`
    select ${person}::float8 as "staffId", ${total(sql`event.channel = 'cash'`)} as cash,
           ${total(sql`event.channel <> 'cash'`)} as confirmed, ${total(sql`event.kind = 'waiver'`)} as waived
      from ${loanEvents} event join ${loans} loan on loan.id = event.loan_id
      left join ${payments} payment on payment.id = event.payment_id
     where event.created_at >= ${sql.placeholder('from')}::timestamptz
       and event.created_at < ${sql.placeholder('to')}::timestamptz
       and (event.kind = 'waiver' or event.kind = 'receipt' and event.channel <> 'wallet' and not ${isTakenOver('payment')})
       and (event.approver_id is null) = not ${isOwn}
       and ${which(person)}
       and not exists (select from ${loanEvents} undoing
                        where undoing.loan_id = event.loan_id and undoing.undoes = event.sequence and undoing.kind = 'reversal')
     group by 1 order by 1`;
}

const doneAloneByEach = prepared((reader) =>
  statement<DoneAlone>(
    reader,
    doneAlone(() => sql`true`),
  ),
);

// Cash asks for it with each payment.
const doneAloneBy = prepared((reader) => {
  const staffId = sql`${sql.placeholder('staffId')}::bigint`;
  const isBy = (person: SQL) =>
    sql`${person} = ${staffId} and ${staffId} in (event.actor_id, event.approver_id)`;
  return statement<DoneAlone>(reader, doneAlone(isBy));
});

/** Appends an event, and returns it with a promise of its id. The caller holds the loan's lock. */
export function insertLoanEvent(
  tx: Tx,
  ...chained: Parameters<typeof chainedEvent>
): { row: LoanEventRow; id: Promise<number> } {
  const row = chainedEvent(...chained);
  const id = insertingEvent(tx, row).then((rows) => onlyRow(rows).id);
  sendUnawaited(tx, id);
  return { row, id };
}

export function chainedEvent(
  loanId: number,
  previous: { sequence: number; hash: string },
  event: NewLoanEvent,
): LoanEventRow {
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
  };
  return { ...unhashed, ...hashesOf(unhashed, previous.hash) };
}

const insertingEvent = prepared((tx: Tx) =>
  tx
    .insert<PgTable>(loanEvents)
    .values(blanks(...Object.keys(eventColumns)))
    .returning({ id: eventId }),
);

type Hashing = 'format' | 'textSalt' | 'textHash' | 'previousHash' | 'hash';

export function hashesOf(
  event: Omit<LoanEventRow, Hashing>,
  previousHash: string,
): Pick<LoanEventRow, Hashing> {
  const textSalt = newSalt();
  const textHash = hashOfTexts({ ...event, textSalt });
  const hashed = { format: presentFormat, textSalt, textHash, previousHash };
  return { ...hashed, hash: hashOfLoanEvent({ ...event, ...hashed }) };
}

/** SHA-256 of the JSON array of salt, reference and reason. The event's own hash contains it in place of the texts. */
export const hashOfTexts = ({
  textSalt,
  reference,
  reason,
}: Pick<LoanEventRow, 'reference' | 'reason'> & { textSalt: string }): string =>
  hash('sha256', JSON.stringify([textSalt, reference, reason]), 'hex');

/** SHA-256, in lower-case hexadecimal, of the event's values as a JSON array, which separates the values safely. */
export function hashOfLoanEvent(event: Omit<LoanEventRow, 'hash'>): string {
  if (event.format === 1) return hashOfOldEvent(event);
  const values = [
    ...[event.format, event.previousHash, event.loanId, event.sequence, event.kind, event.valueDate],
    ...[event.amountCentavos, event.months, event.channel, event.isSettlement, event.isAuto],
    ...[event.paymentId, event.undoes, event.actorId, event.approverId, event.isAlone],
    ...[event.createdAt.toISOString(), event.textHash],
  ];
  return hash('sha256', JSON.stringify(values), 'hex');
}

/** Tells the fault of an event or of its place in the chain; undefined if there is none. */
export function wrongInChain(event: LoanEventRow, before: LoanEventRow | undefined): string | undefined {
  if (event.sequence !== (before?.sequence ?? 0) + 1) return 'the event before it is missing';
  if (event.previousHash !== (before?.hash ?? '')) return 'it does not continue the event before it';
  return event.hash === hashOfLoanEvent(event) ? undefined : 'its values do not match its hash';
}

/** Format 1: the texts themselves, a line feed between values, empty text for null, 1 and 0 for booleans. */
function hashOfOldEvent(event: Omit<LoanEventRow, 'hash'>): string {
  const values = [
    ...[event.previousHash, event.loanId, event.sequence, event.kind, event.valueDate],
    ...[event.amountCentavos, event.months, event.channel, event.reference],
    ...[Number(event.isSettlement), Number(event.isAuto), event.paymentId, event.undoes],
    ...[event.actorId, event.approverId, Number(event.isAlone), event.createdAt.toISOString(), event.reason],
  ];
  return hash('sha256', values.map((value) => value ?? '').join('\n'), 'hex');
}

/** Loans with a position of an earlier edition of the fold, after this id, lowest ids first; deleted ones too. */
export async function readLoansToRefold(reader: Reader, afterId: number, count: number): Promise<number[]> {
  const rows = await reader
    .select({ loanId: loanPositions.loanId })
    .from(loanPositions)
    .where(
      and(gt(loanPositions.loanId, afterId), sql`coalesce(${loanPositions.foldEdition}, 1) < ${foldEdition}`),
    )
    .orderBy(asc(loanPositions.loanId))
    .limit(count);
  return rows.map((row) => row.loanId);
}

/** Replaces the hashes of events; the trigger allows no other change. */
export async function rehashEvents(
  tx: Tx,
  events: readonly Pick<LoanEventRow, 'loanId' | 'sequence' | Hashing>[],
): Promise<void> {
  await tx.execute(sql`
    update loan_events
       set format = made.format, text_salt = "textSalt", text_hash = "textHash", previous_hash = "previousHash",
           hash = made.hash
      from json_to_recordset(${JSON.stringify(events)}::json)
        as made ("loanId" bigint, sequence int, format int, "textSalt" text, "textHash" text, "previousHash" text,
                 hash text)
     where loan_events.loan_id = "loanId" and loan_events.sequence = made.sequence`);
}

/** Erases the personal texts of these loans' events, which still fit their hashes. */
export const eraseEventTexts = (tx: Tx, loanIds: readonly number[]) =>
  tx
    .update(loanEvents)
    .set({ reference: null, reason: '', textSalt: null })
    .where(inArray(loanEvents.loanId, [...loanIds]));

/** Writes the position, and these instalments. The caller holds the loan's lock. */
export function writeLoanPosition(
  tx: Tx,
  position: LoanPositionRow,
  rows: readonly InstalmentPosition[],
): void {
  noteSealsOf(tx, 'loan_positions', writingPosition(tx, position));
  sendUnawaited(tx, writingInstalments(tx, { loanId: position.loanId, rows: JSON.stringify(rows) }));
}

/** Deletes the instalments of the earlier disbursement; there may have been more of them than now. */
export function dropInstalments(tx: Tx, ofLoan: number): void {
  sendUnawaited(tx, tx.delete(instalments).where(eq(instalments.loanId, ofLoan)));
}

export type LoanMovementRow = typeof loanMovements.$inferSelect;
export type JournalMovementRow = typeof journalMovements.$inferSelect;

export const movementRow = (
  ofLoan: number,
  { date, until, principal, principalLeft, received, ...rest }: LoanMovement,
): LoanMovementRow => ({
  ...rest,
  loanId: ofLoan,
  valueDate: date,
  untilDate: until,
  principalCentavos: principal,
  principalLeftCentavos: principalLeft,
  receivedCentavos: received,
});

/**
 * Replaces a loan's movements from this number on, and adds what its newest events are in the journal; with `isAll`
 * everything that was stored goes. The caller holds the loan's lock.
 */
export function writeMovements(
  tx: Tx,
  ofLoan: number,
  { from, movements, booked, isAll }: NewMovements,
): void {
  const replaced = and(eq(loanMovements.loanId, ofLoan), gte(loanMovements.number, from));
  const rows = movements.filter(({ number }) => number >= from).map((one) => movementRow(ofLoan, one));
  sendUnawaited(tx, tx.delete(loanMovements).where(replaced));
  if (isAll) sendUnawaited(tx, tx.delete(journalMovements).where(eq(journalMovements.loanId, ofLoan)));
  sendUnawaited(tx, insertMany(tx, loanMovements, rows));
  sendUnawaited(tx, insertMany(tx, journalMovements, booked));
}

export type NewMovements = {
  from: number;
  movements: readonly LoanMovement[];
  booked: readonly JournalMovementRow[];
  isAll: boolean;
};

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
