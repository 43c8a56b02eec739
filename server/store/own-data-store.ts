import { and, asc, eq, getTableColumns, gt, inArray, lt, or, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { limits } from '#domain/limits.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { type Account, attachedFileIds } from './account-store.ts';
import {
  auditEntries,
  consents,
  contacts,
  files,
  ledgerEntries,
  loans,
  messages,
  notifications,
  payments,
  sessions,
  statementLines,
  withdrawals,
} from './schema.ts';

// All stored data about one person, oldest first, in pages by key: there may be much of it.

/** `after`: the last key of the page before. */
export type OwnPage = { accountId: number; after: number; limit: number };

type OwnedTable = PgTable & { accountId: PgColumn };

const pagesOf =
  <Table extends OwnedTable>(table: Table, key: PgColumn) =>
  async (reader: Reader, { accountId, after, limit }: OwnPage): Promise<Table['$inferSelect'][]> =>
    reader
      .select()
      .from(table as OwnedTable)
      .where(and(eq(table.accountId, accountId), gt(key, after)))
      .orderBy(asc(key))
      .limit(limit);

export const readOwn = {
  /** Including deleted ones. */
  loans: pagesOf(loans, loans.id),
  withdrawals: pagesOf(withdrawals, withdrawals.id),
  ledgerEntries: pagesOf(ledgerEntries, ledgerEntries.sequence),
  payments: pagesOf(payments, payments.id),
  contacts: pagesOf(contacts, contacts.id),
  notifications: pagesOf(notifications, notifications.id),
  messages: pagesOf(messages, messages.id),
  consents: pagesOf(consents, consents.id),
  statementLines: readOwnStatementLines,
  events: readOwnEvents,
};

/** A person's newest rows before one of them, and one more than a list shows, which says that it goes on. */
const newestOf =
  <Table extends OwnedTable>(table: Table, id: PgColumn) =>
  async (
    reader: Reader,
    accountId: number,
    before = Number.MAX_SAFE_INTEGER,
  ): Promise<Table['$inferSelect'][]> =>
    reader
      .select()
      .from(table as OwnedTable)
      .where(and(eq(table.accountId, accountId), lt(id, before)))
      // The indexes are declared `desc nulls last`; a plain `desc` means nulls first and would not use them.
      .orderBy(sql`${id} desc nulls last`)
      .limit(limits.ownListMaxRows + 1);

export const readNewest = {
  withdrawals: newestOf(withdrawals, withdrawals.id),
  notifications: newestOf(notifications, notifications.id),
};

/** Lines of the lender's statements that were matched with their loans. */
function readOwnStatementLines(reader: Reader, { accountId, after, limit }: OwnPage) {
  return reader
    .select(getTableColumns(statementLines))
    .from(statementLines)
    .innerJoin(loans, eq(loans.id, statementLines.loanId))
    .where(and(eq(loans.accountId, accountId), gt(statementLines.id, after)))
    .orderBy(asc(statementLines.id))
    .limit(limit);
}

/** Log entries about this person, their loans and withdrawals, and entries that they caused. */
function readOwnEvents(reader: Reader, { accountId, after, limit }: OwnPage) {
  // One branch for each index, no longer than the page: a single condition would read the whole log, and unbounded
  // branches would be read for each page. The indexes are declared `desc nulls last`.
  const page = sql`and entry.id > ${after}::bigint order by entry.id asc nulls first limit ${limit}`;
  const about = sql`
    (select entry.id from audit_entries entry
      where entry.target_type = 'account' and entry.target_id = ${accountId}::bigint ${page})
    union
    (select entry.id from audit_entries entry where entry.actor_id = ${accountId}::bigint ${page})
    union
    (select entry.id from loans join audit_entries entry on entry.target_type = 'loan' and entry.target_id = loans.id
      where loans.account_id = ${accountId}::bigint ${page})
    union
    (select entry.id
       from withdrawals join audit_entries entry on entry.target_type = 'withdrawal' and entry.target_id = withdrawals.id
      where withdrawals.account_id = ${accountId}::bigint ${page})
    union
    (select entry.id from audit_entries entry
      where entry.action in ('password_revealed', 'code_revealed') and entry.target_id is null
        and entry.after -> 'accountIds' @> to_jsonb(${accountId}::bigint) ${page})`;
  return reader
    .select()
    .from(auditEntries)
    .where(and(sql`${auditEntries.id} in (${about})`, gt(auditEntries.id, after)))
    .orderBy(asc(auditEntries.id))
    .limit(limit);
}

export const readOwnSessions = (reader: Reader, accountId: number) =>
  reader
    .select({ createdAt: sessions.createdAt, expiresAt: sessions.expiresAt, endedAt: sessions.endedAt })
    .from(sessions)
    .where(eq(sessions.accountId, accountId))
    .orderBy(asc(sessions.createdAt));

export const readOwnFiles = (reader: Reader, account: Account) =>
  reader
    .select()
    .from(files)
    .where(or(eq(files.accountId, account.id), inArray(files.id, attachedFileIds(account))))
    .orderBy(asc(files.createdAt), asc(files.id));
