import { and, desc, eq, gt, gte, lt, lte, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { output } from 'zod/mini';
import type { AuditQuery } from '#contract/staff.ts';
import { type Reader, sendUnawaited, type Tx } from '#server/platform/database/database.ts';
import { prepared } from '#server/platform/database/prepared.ts';
import { blanks, firstOf } from './packed-columns.ts';
import { accounts, auditEntries, auditSeals, loans, withdrawals } from './schema.ts';
import { isWithinDays } from './spans.ts';

export type AuditEntry = typeof auditEntries.$inferSelect;

const optional = ['actorId', 'ipAddress', 'targetType', 'targetId', 'before', 'after'] as const;
const inserting = prepared((tx: Tx) =>
  tx.insert(auditEntries).values(blanks('action', 'createdAt', ...optional)),
);
const nothingElse = Object.fromEntries(optional.map((column) => [column, null]));

/** Sends the entry unawaited: only the end of the transaction waits for it. */
export const insertAuditEntry = async (tx: Tx, entry: typeof auditEntries.$inferInsert): Promise<void> =>
  sendUnawaited(tx, inserting(tx, { ...nothingElse, ...entry }));

export const readLastEntry = (reader: Reader) =>
  firstOf(
    reader
      .select({ action: auditEntries.action, at: auditEntries.createdAt })
      .from(auditEntries)
      .orderBy(desc(auditEntries.id))
      .limit(1),
  );

/** The entries of an action on a loan, newest first. */
export const readEntriesOfLoan = (reader: Reader, action: string, loanId: number) =>
  reader
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.targetType, 'loan'),
        eq(auditEntries.targetId, loanId),
        eq(auditEntries.action, action),
      ),
    )
    .orderBy(sql`${auditEntries.id} desc nulls last`);

/**
 * The newest entry outside a time span around a moment, and the one after it. If the clock runs evenly, both are before
 * the moment, and close together.
 */
export async function readEdgeOfLog(reader: Reader, now: Date, withinMs: number) {
  const { id, createdAt } = auditEntries;
  const isFar = or(
    lte(createdAt, new Date(now.getTime() - withinMs)),
    gte(createdAt, new Date(now.getTime() + withinMs)),
  );
  const entries = () => reader.select({ id, at: createdAt }).from(auditEntries);
  const [edge] = await entries().where(isFar).orderBy(desc(id)).limit(1);
  if (!edge) return undefined;
  const [next] = await entries().where(gt(id, edge.id)).orderBy(id).limit(1);
  return { ...edge, nextAt: next?.at };
}

const target = alias(accounts, 'target');

/** The loan or withdrawal that an entry is about. */
const isAbout = (type: string, table: typeof loans | typeof withdrawals) =>
  and(eq(auditEntries.targetType, type), eq(table.id, auditEntries.targetId));

/** Email and phone are for staff without a name. */
const nameOf = ({ fullName, email, phone }: typeof accounts | typeof target) =>
  sql<string | null>`coalesce(nullif(${fullName}, ''), nullif(${email}, ''), nullif(${phone}, ''))`;

const narrowing = ['action', 'actorId', 'targetType', 'targetId'] as const;

/** A part of the log; undefined filters nothing. `before` is the last id of the page before. */
export async function readAuditPage(reader: Reader, page: output<typeof AuditQuery> & { limit: number }) {
  const { before, limit, actorId, targetType, from, to } = page;
  const { id, createdAt } = auditEntries;
  const aboutAccount = sql`case when ${auditEntries.targetType} = 'account' then ${auditEntries.targetId} end`;
  // The indexes on actor and target are declared `desc nulls last`, which a plain `desc` would not use; read backwards,
  // the primary key gives the plain one.
  const isIndexed = actorId !== undefined || targetType !== undefined;
  return reader
    .select({
      entry: auditEntries,
      actorName: nameOf(accounts),
      targetName: nameOf(target),
    })
    .from(auditEntries)
    .leftJoin(accounts, eq(accounts.id, auditEntries.actorId))
    .leftJoin(loans, isAbout('loan', loans))
    .leftJoin(withdrawals, isAbout('withdrawal', withdrawals))
    .leftJoin(
      target,
      eq(target.id, sql`coalesce(${aboutAccount}, ${loans.accountId}, ${withdrawals.accountId})`),
    )
    .where(
      and(
        before === undefined ? undefined : lt(id, before),
        isWithinDays(createdAt, from, to),
        ...narrowing.map((name) =>
          page[name] === undefined ? undefined : eq(auditEntries[name], page[name]),
        ),
      ),
    )
    .orderBy(isIndexed ? sql`${id} desc nulls last` : desc(id))
    .limit(limit);
}

/** Undefined before the first seal. */
export async function readNewestSealTime(reader: Reader): Promise<Date | undefined> {
  const { number, sealedAt } = auditSeals;
  const newest = reader.select({ sealedAt }).from(auditSeals).orderBy(desc(number)).limit(1);
  return (await newest)[0]?.sealedAt;
}
