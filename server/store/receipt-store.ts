import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import {
  advisoryLocks,
  onlyRow,
  type Reader,
  sendUnawaited,
  type Tx,
} from '#server/platform/database/database.ts';
import { prepared, statement } from '#server/platform/database/prepared.ts';
import { blanks, isAmong } from './packed-columns.ts';
import { loans, payments, receiptNumbers, unnumberedReceipts } from './schema.ts';
import { noteSealsOf, type SealFields, sealFields } from './sealed-rows.ts';

export type Unnumbered = typeof unnumberedReceipts.$inferInsert;

const insertingUnnumbered = prepared((tx: Tx) =>
  tx
    .insert(unnumberedReceipts)
    .values(blanks('paymentId', 'year', 'creditCentavos', 'returnedCentavos', 'ipAddress', 'marks')),
);

/** Has a receipt wait for its number; only the end of the transaction waits for the statement. */
export const insertUnnumbered = (tx: Tx, receipt: Unnumbered): void =>
  sendUnawaited(tx, insertingUnnumbered(tx, receipt));

const lock = sql`${advisoryLocks.receiptNumbers}::bigint`;
const tryingLock = prepared((tx: Tx) =>
  statement<{ taken: boolean }>(tx, sql`select pg_try_advisory_xact_lock(${lock}) as taken`),
);

/** Becomes the only transaction that gives numbers, until it ends. False, at once, while there is another. */
export const tryBecomeNumberer = async (tx: Tx): Promise<boolean> =>
  onlyRow((await tryingLock(tx, {})).rows).taken;

/** Waits until there is no other, and then is the only one. */
export const becomeNumberer = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(${lock})`);

/** Waits until the transaction that gives numbers now has ended. Any number of processes wait, and all go on at once. */
export const untilNumbererEnds = (reader: Reader) =>
  reader.execute(sql`select pg_advisory_xact_lock_shared(${lock})`);

/** Versions before this one take a number by writing the row of its year, which the mode of this lock keeps out. */
const lockingOutOlderVersions = prepared((tx: Tx) =>
  statement(tx, sql`lock table receipt_numbers in share row exclusive mode`),
);

/** The rows of the queue have no seal: a forged one must not number a payment that has a number, or none to come. `verify` names it. */
const waitsForNumber = and(eq(payments.status, 'confirmed'), isNull(payments.receiptSerial));

const selectingUnnumbered = prepared((tx: Tx) =>
  tx
    .select({
      waiting: getTableColumns(unnumberedReceipts),
      payment: payments,
      loanNumber: loans.loanNumber,
      lastSerial: sql<number>`coalesce(${receiptNumbers.lastSerial}, 0)`,
    })
    .from(unnumberedReceipts)
    .innerJoin(payments, and(eq(payments.id, unnumberedReceipts.paymentId), waitsForNumber))
    .innerJoin(loans, eq(loans.id, payments.loanId))
    .leftJoin(receiptNumbers, eq(receiptNumbers.year, unnumberedReceipts.year))
    .orderBy(unnumberedReceipts.id)
    .limit(sql.placeholder('limit')),
);

/**
 * The receipts without numbers, in the order of their confirmation, and the last number of the year of each. For the
 * transaction that gives numbers.
 */
export function readUnnumbered(tx: Tx, limit: number) {
  sendUnawaited(tx, lockingOutOlderVersions(tx, {}));
  return selectingUnnumbered(tx, { limit });
}

/** True of a payment that was taken over from an older book, without a number. One whose number is still to come is none. */
export const isTakenOver = (payment: 'p' | 'payment') => {
  const [id, serial] = [sql.raw(`${payment}.id`), sql.raw(`${payment}.receipt_serial`)];
  return sql`(${serial} is null and not exists (select from ${unnumberedReceipts} where payment_id = ${id}))`;
};

export type Numbered = { paymentId: number; year: number; serial: number };

const sealed = sealFields('payments');
const columnsOf = ['ids', 'years', 'serials'].map((name) => sql`${sql.placeholder(name)}::bigint[]`);
const given = sql`unnest(${sql.join(columnsOf, sql`, `)}) as given (id, year, serial)`;

const settingNumbers = prepared((tx: Tx) =>
  statement<SealFields>(
    tx,
    sql`update payments set receipt_year = given.year, receipt_serial = given.serial from ${given}
    where payments.id = given.id
    returning ${sealed.sealId} as "sealId", ${sealed.sealText} as "sealText", ${sealed.sealBefore} as "sealBefore",
              ${sealed.sealFound} as "sealFound", ${sealed.sealNumber} as "sealNumber"`,
  ),
);

const settingLastSerials = prepared((tx: Tx) =>
  statement(
    tx,
    sql`insert into receipt_numbers (year, last_serial) select year, max(serial) from ${given} group by year
    on conflict (year) do update set last_serial = excluded.last_serial`,
  ),
);

const deletingWaiting = prepared((tx: Tx) =>
  statement(
    tx,
    sql`delete from unnumbered_receipts where payment_id = any(${sql.placeholder('ids')}::bigint[])`,
  ),
);

/** Gives receipts their numbers and takes them out of the queue. */
export function numberPayments(tx: Tx, numbered: readonly Numbered[]): void {
  const values = {
    ids: numbered.map(({ paymentId }) => paymentId),
    years: numbered.map(({ year }) => year),
    serials: numbered.map(({ serial }) => serial),
  };
  noteSealsOf(
    tx,
    'payments',
    settingNumbers(tx, values).then(({ rows }) => rows),
  );
  sendUnawaited(tx, settingLastSerials(tx, values));
  sendUnawaited(tx, deletingWaiting(tx, values));
}

const ofUnnumbered = { paymentId: unnumberedReceipts.paymentId };

export const readWaitingReceipts = (reader: Reader, limit: number) =>
  reader.select(ofUnnumbered).from(unnumberedReceipts).orderBy(unnumberedReceipts.id).limit(limit);

const stillWaiting = prepared((reader) =>
  reader.select(ofUnnumbered).from(unnumberedReceipts).where(isAmong(unnumberedReceipts.paymentId, 'ids')),
);

/** Returns which of these payments have no number yet. */
export const readStillWaiting = (reader: Reader, ids: readonly number[]) => stillWaiting(reader, { ids });
