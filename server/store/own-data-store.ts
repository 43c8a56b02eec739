import { and, asc, eq, gt, inArray, or, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Reader } from '#server/platform/database/database.ts';
import { type Account, attachedFileIds } from './account-store.ts';
import {
  auditEntries,
  complaints,
  consents,
  contacts,
  files,
  ledgerEntries,
  loans,
  loanTerms,
  notifications,
  payments,
  sessions,
  withdrawals,
} from './schema.ts';

// All that is stored about one person, oldest first, in pages by key: whoever asks for their data may have much of it.

/** Whose data, the key that the page before ended with, and how many rows. */
export type OwnPage = { accountId: number; after: number; limit: number };

type OwnedTable = PgTable & { accountId: PgColumn };

/** Reads the pages of a table that says whose its rows are, by `key`. */
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
  /** Also those that staff took out of the lists. */
  loans: pagesOf(loans, loans.id),
  withdrawals: pagesOf(withdrawals, withdrawals.id),
  ledgerEntries: pagesOf(ledgerEntries, ledgerEntries.sequence),
  payments: pagesOf(payments, payments.id),
  contacts: pagesOf(contacts, contacts.id),
  complaints: pagesOf(complaints, complaints.id),
  notifications: pagesOf(notifications, notifications.id),
  consents: pagesOf(consents, consents.id),
  events: readOwnEvents,
};

export const readTermsOfAll = (reader: Reader, loanIds: readonly number[]) =>
  reader
    .select()
    .from(loanTerms)
    .where(inArray(loanTerms.loanId, [...loanIds]))
    .orderBy(asc(loanTerms.loanId), asc(loanTerms.version));

/** The log's entries about this person, their loans and withdrawals, and those that they made themselves. */
function readOwnEvents(reader: Reader, { accountId, after, limit }: OwnPage) {
  // One way in a branch, each with an index and no longer than the page; as one condition the whole log would be read, and
  // without their bounds all of the branches for each page. The indexes are declared `desc nulls last`.
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

/** When each of a person's sessions began and ends; nothing of its token. */
export const readOwnSessions = (reader: Reader, accountId: number) =>
  reader
    .select({ createdAt: sessions.createdAt, expiresAt: sessions.expiresAt, endedAt: sessions.endedAt })
    .from(sessions)
    .where(eq(sessions.accountId, accountId))
    .orderBy(asc(sessions.createdAt));

/** The pictures that a person uploaded, and those that staff attached on their behalf. */
export const readOwnFiles = (reader: Reader, account: Account) =>
  reader
    .select()
    .from(files)
    .where(or(eq(files.accountId, account.id), inArray(files.id, attachedFileIds(account))))
    .orderBy(asc(files.createdAt), asc(files.id));
