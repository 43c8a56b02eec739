import { desc, gt, type SQL, sql } from 'drizzle-orm';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { auditEntries, auditSeals } from './schema.ts';

/**
 * What is hashed, all of it as UTF-8 text and SHA-256 in lower-case hexadecimal:
 *
 * - an entry: the JSON array of its id, action, actor, address, target's type and id, before, after and moment
 *   (`2026-11-20T05:57:26.123Z`), as PostgreSQL's `json_build_array` writes it. An array keeps null apart from an empty
 *   text, and no value can reach into its neighbour.
 * - a seal: the hash of the seal before (empty for the first), number, first id, last id, count, its own moment, and
 *   the entries' lines, with a line feed between them. A line is an entry's id, a space and its hash.
 */
export const entryLines = sql`string_agg(id || ' ' || encode(sha256(convert_to(json_build_array(
  id, action, actor_id, ip_address, target_type, target_id, before, after,
  ${momentText(sql`created_at`)})::text, 'UTF8')), 'hex'), chr(10) order by id)`;

/** A seal's hash, over the columns of `audit_seals`. */
export const sealHash = sql`encode(sha256(convert_to(concat_ws(chr(10), previous_hash, number, first_id, last_id,
  entry_count, ${momentText(sql`sealed_at`)}, entry_hashes), 'UTF8')), 'hex')`;

/** A moment as JavaScript writes it, with its milliseconds and in UTC. */
export function momentText(moment: SQL): SQL {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Any number will do, so long as nothing else in the database locks it. */
const sealLock = 4_173_002;

export async function findNewestSeal(handle: Tx | Reader) {
  const [seal] = await handle
    .select({ number: auditSeals.number, lastId: auditSeals.lastId, hash: auditSeals.hash })
    .from(auditSeals)
    .orderBy(desc(auditSeals.number))
    .limit(1);
  return seal;
}

/** How many entries come after this id: those that no seal covers yet. */
export async function countEntriesAfter(handle: Tx | Reader, id: number): Promise<number> {
  return handle.$count(auditEntries, gt(auditEntries.id, id));
}

/** The newest entry that can be seen, or 0. */
export async function readLastEntryId(reader: Reader): Promise<number> {
  const { rows } = await reader.execute<{ id: string }>(
    sql`select coalesce(max(id), 0) as id from audit_entries`,
  );
  return Number(rows[0]?.id ?? 0);
}

/**
 * The transactions that have written audit entries, or are about to, and have not ended. PostgreSQL locks the table for
 * a writer before it draws the entry's id, and until its transaction ends.
 */
export async function readAuditWriters(reader: Reader): Promise<string[]> {
  const { rows } = await reader.execute<{ writer: string }>(sql`
    select virtualtransaction as writer
      from pg_locks
     where locktype = 'relation'
       and database = (select oid from pg_database where datname = current_database())
       and relation = 'audit_entries'::regclass
       and mode = 'RowExclusiveLock'
       and granted`);
  return rows.map(({ writer }) => writer);
}

/**
 * Seals the next entries up to and including `throughId`, at most `limit` of them, and answers how many. Every entry up
 * to there must have been committed, or be gone for good. None when another process is sealing.
 */
export async function sealNextEntries(
  tx: Tx,
  { throughId, limit, at }: { throughId: number; limit: number; at: Date },
): Promise<number> {
  const { rows } = await tx.execute<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${sealLock}) as taken`,
  );
  if (!rows[0]?.taken) return 0;
  // A statement of its own, so that it sees the seal of whoever had the lock before.
  const newest = await findNewestSeal(tx);
  const sealed = await tx.execute<{ count: number }>(sql`
    with batch as (
      select *
        from audit_entries
       where id > ${newest?.lastId ?? 0}::bigint and id <= ${throughId}::bigint
       order by id
       limit ${limit}::int
    ), seal as (
      select ${(newest?.number ?? 0) + 1}::int as number, min(id) as first_id, max(id) as last_id,
             count(*)::int as entry_count, ${entryLines} as entry_hashes,
             ${newest?.hash ?? ''}::text as previous_hash, ${at.toISOString()}::timestamptz as sealed_at
        from batch
      having count(*) > 0
    )
    insert into audit_seals (number, first_id, last_id, entry_count, entry_hashes, previous_hash, hash, sealed_at)
    select number, first_id, last_id, entry_count, entry_hashes, previous_hash, ${sealHash}, sealed_at
      from seal
    returning entry_count as count`);
  return sealed.rows[0]?.count ?? 0;
}
