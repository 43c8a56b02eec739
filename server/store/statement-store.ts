import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { PaymentChannel } from '#domain/payment.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { drawIds, insertManySealed, listOf } from './many-rows.ts';
import { firstOf } from './packed-columns.ts';
import { accounts, loans, payments, statementLines, statements } from './schema.ts';
import { insertSealed, updateSealed } from './sealed-rows.ts';

export type StatementRow = typeof statements.$inferSelect;
export type StatementLineRow = typeof statementLines.$inferSelect;
type NewLine = Omit<typeof statementLines.$inferInsert, 'id' | 'statementId'>;

export async function insertStatement(
  tx: Tx,
  statement: typeof statements.$inferInsert,
  lines: readonly NewLine[],
): Promise<StatementRow> {
  const stored = await insertSealed(tx, statements, statement);
  const ids = await drawIds(tx, statementLines, lines.length);
  const rows = lines.map((line, index) => ({ ...line, id: ids[index] ?? 0, statementId: stored.id }));
  await insertManySealed(tx, statementLines, rows);
  return stored;
}

export const findStatement = (reader: Reader, id: number): Promise<StatementRow | undefined> =>
  firstOf(reader.select().from(statements).where(eq(statements.id, id)));

/** One line, locked until the transaction ends: two people confirm it one after the other. */
export const lockStatementLine = (
  tx: Tx,
  statementId: number,
  number: number,
): Promise<StatementLineRow | undefined> =>
  firstOf(
    tx
      .select()
      .from(statementLines)
      .where(and(eq(statementLines.statementId, statementId), eq(statementLines.number, number)))
      .for('update'),
  );

export const setPaymentOfLine = (tx: Tx, id: number, paymentId: number): Promise<StatementLineRow> =>
  updateSealed(tx, statementLines, id, { paymentId });

/** The live payments of a channel that have one of these references, the oldest first. */
export const readPaymentsByReference = (reader: Reader, channel: PaymentChannel, keys: readonly string[]) =>
  reader
    .select({
      id: payments.id,
      loanId: payments.loanId,
      amountCentavos: payments.amountCentavos,
      status: payments.status,
      key: sql<string>`${payments.referenceKey}`,
    })
    .from(payments)
    .where(
      and(
        sql`${payments.referenceKey} = any (${listOf(keys, 'text')})`,
        eq(payments.channel, channel),
        inArray(payments.status, ['submitted', 'confirmed']),
      ),
    )
    .orderBy(payments.id);

/** Lines of earlier statements with these hashes whose payment counted, even if it was reversed since. */
export const readCountedLines = (reader: Reader, hashes: readonly string[]) =>
  reader
    .select({ hash: statementLines.hash, id: payments.id, loanId: payments.loanId })
    .from(statementLines)
    .innerJoin(payments, eq(payments.id, statementLines.paymentId))
    .where(
      and(
        sql`${statementLines.hash} = any (${listOf(hashes, 'text')})`,
        inArray(payments.status, ['confirmed', 'reversed']),
      ),
    )
    .orderBy(statementLines.id);

/** The numbers of these loans, with their borrowers' names. */
export const readLoanNames = (reader: Reader, ids: readonly number[]) =>
  reader
    .select({ id: loans.id, loanNumber: loans.loanNumber, fullName: accounts.fullName })
    .from(loans)
    .innerJoin(accounts, eq(accounts.id, loans.accountId))
    .where(sql`${loans.id} = any (${listOf(ids, 'bigint')})`)
    .orderBy(loans.id);

/**
 * The loans that have one of these numbers, new ones as they are written, old ones by their letters and digits alone: banks
 * leave out the rest.
 */
export async function readLoansByNumber(
  reader: Reader,
  { numbers, oldKeys }: { numbers: readonly string[]; oldKeys: readonly string[] },
): Promise<{ id: number; loanNumber: string; oldNumber: string | null }[]> {
  const columns = { id: loans.id, loanNumber: loans.loanNumber, oldNumber: loans.oldNumber };
  const live = () => reader.select(columns).from(loans);
  const isNew = sql`${loans.loanNumber} = any (${listOf(numbers, 'text')})`;
  const isOld = sql`upper(regexp_replace(${loans.oldNumberFolded}, '[^a-z0-9]', '', 'g')) in (
    select unnest(${listOf(oldKeys, 'text')}))`;
  const byNew = await live().where(and(isNew, isNull(loans.deletedAt)));
  const byOld = await live().where(and(sql`${loans.oldNumber} is not null`, isOld, isNull(loans.deletedAt)));
  return [...byNew, ...byOld];
}
