import { desc, gt, sql } from 'drizzle-orm';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { momentText, noteSeals, type SealFields, sealFields } from '#server/store/row-seal-store.ts';
import { auditEntries, auditSeals } from '#server/store/schema.ts';

/**
 * What is hashed, all of it as UTF-8 text and SHA-256 in lower-case hexadecimal:
 *
 * - an entry: the JSON array of its id, action, actor, address, target's type and id, before, after and moment
 *   (`2026-11-20T05:57:26.123Z`), as PostgreSQL's `json_build_array` writes it. An array keeps null apart from an empty
 *   text, and no value can reach into its neighbour.
 * - a seal: the hash of the seal before (empty for the first), number, first id, last id, count, its own moment, and
 *   the entries' lines, with a line feed between them, and then the positions' lines. A line of an entry is its id, a
 *   space and its hash; one of a position a table's name, how many rows it has, and their highest id.
 */
export const entryLines = sql`string_agg(id || ' ' || encode(sha256(convert_to(json_build_array(
  id, action, actor_id, ip_address, target_type, target_id, before, after,
  ${momentText(sql`created_at`)})::text, 'UTF8')), 'hex'), chr(10) order by id)`;

/** A seal's hash, over the columns of `audit_seals`. */
export const sealHash = sql`encode(sha256(convert_to(concat_ws(chr(10), previous_hash, number, first_id, last_id,
  entry_count, ${momentText(sql`sealed_at`)}, entry_hashes, positions), 'UTF8')), 'hex')`;

/** Any number will do, so long as nothing else in the database locks it. */
const sealLock = 4_173_002;

export async function findNewestSeal(handle: Reader) {
  const [seal] = await handle
    .select({
      number: auditSeals.number,
      lastId: auditSeals.lastId,
      hash: auditSeals.hash,
      positions: auditSeals.positions,
    })
    .from(auditSeals)
    .orderBy(desc(auditSeals.number))
    .limit(1);
  return seal;
}

/** How many entries come after this id: those that no seal covers yet. */
export async function countEntriesAfter(handle: Reader, id: number): Promise<number> {
  return handle.$count(auditEntries, gt(auditEntries.id, id));
}

/** The tables of the books from which nothing is ever deleted: their rows are counted in the seals. */
export const keptTables = [
  ...['accounts', 'loans', 'loan_terms', 'withdrawals', 'ledger_entries', 'consents', 'audit_entries'],
  ...['payments', 'loan_events', 'approvals', 'row_seals'],
];

/** How many rows a table has up to an id; of `row_seals` also a hash of the rows since the position before. */
type Position = { count: number; highestId: number; hash?: string };
type Positions = Map<string, Position>;

const textOfPositions = (positions: Positions): string =>
  [...positions]
    .map(([table, { count, highestId, hash }]) => `${table} ${count} ${highestId}${hash ? ` ${hash}` : ''}`)
    .join('\n');

function readPositions(text: string | null | undefined): Positions {
  const lines = (text ?? '').split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [table = '', count, highestId, hash] = line.split(' ');
      return [table, { count: Number(count), highestId: Number(highestId), ...(hash && { hash }) }];
    }),
  );
}

/** How many rows each table has after one id and up to another. */
async function countRows(handle: Reader, ranges: ReadonlyMap<string, Range>): Promise<Map<string, number>> {
  const parts = [...ranges].map(
    ([table, { afterId, throughId }]) => sql`
      select ${table}::text as table, count(*) as count from ${sql.identifier(table)}
       where id > ${afterId}::bigint and id <= ${throughId}::bigint`,
  );
  const { rows } = await handle.execute<{ table: string; count: string }>(sql.join(parts, sql` union all `));
  return new Map(rows.map(({ table, count }) => [table, Number(count)]));
}

/** A table whose rows up to an id are not as many as when they were sealed. */
export type CountFinding = {
  table: string;
  throughId: number;
  counted: number;
  found: number;
  seal: number;
};

/** Holds the rows of a table against what the newest seal says: nothing up to its id can be added any more. */
export async function checkCount(reader: Reader, table: string): Promise<CountFinding[]> {
  const newest = await findNewestSeal(reader);
  const position = readPositions(newest?.positions).get(table);
  if (!newest || !position) return [];
  const { count: counted, highestId: throughId } = position;
  const range = { afterId: Number.MIN_SAFE_INTEGER, throughId };
  const found = (await countRows(reader, new Map([[table, range]]))).get(table) ?? 0;
  return found === counted ? [] : [{ table, throughId, counted, found, seal: newest.number }];
}

/** The tables whose sequence is behind their newest row, or behind the one that was sealed: it was set back. */
export async function checkSequences(reader: Reader): Promise<{ table: string; highestId: number }[]> {
  const sealed = readPositions((await findNewestSeal(reader))?.positions);
  const parts = keptTables.map(
    (table) => sql`
      select ${table}::text as table, greatest(max(id), ${sealed.get(table)?.highestId ?? 0}::bigint) as id,
             (select last_value from ${sql.identifier(`${table}_id_seq`)}) as last
        from ${sql.identifier(table)}`,
  );
  const { rows } = await reader.execute<{ table: string; id: string; last: string }>(
    sql`select * from (${sql.join(parts, sql` union all `)}) tables where id > last`,
  );
  return rows.map(({ table, id }) => ({ table, highestId: Number(id) }));
}

/** The newest row of each table that can be seen, or 0. */
export async function readHighestIds(reader: Reader): Promise<Map<string, number>> {
  const parts = keptTables.map(
    (table) => sql`select ${table}::text as table, coalesce(max(id), 0) as id from ${sql.identifier(table)}`,
  );
  const { rows } = await reader.execute<{ table: string; id: string }>(sql.join(parts, sql` union all `));
  return new Map(rows.map(({ table, id }) => [table, Number(id)]));
}

/**
 * The transactions that have written into the books, or are about to, and have not ended. PostgreSQL locks a table for
 * a writer before it draws the row's id, and until its transaction ends.
 */
export async function readWriters(reader: Reader): Promise<string[]> {
  const { rows } = await reader.execute<{ writer: string }>(sql`
    select distinct virtualtransaction as writer
      from pg_locks
     where locktype = 'relation'
       and database = (select oid from pg_database where datname = current_database())
       and relation = any(${sql.param(keptTables)}::regclass[])
       and mode = 'RowExclusiveLock'
       and granted`);
  return rows.map(({ writer }) => writer);
}

/**
 * Seals the next entries up to those of `highestIds`, at most `limit` of them, with the number of rows of each table up
 * to there, and answers how many entries. All up to there must have been committed, or be gone for good. None when
 * another process is sealing.
 */
export async function sealNextEntries(
  tx: Tx,
  { highestIds, limit, at }: { highestIds: ReadonlyMap<string, number>; limit: number; at: Date },
): Promise<number> {
  const { rows } = await tx.execute<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${sealLock}) as taken`,
  );
  if (!rows[0]?.taken) return 0;
  // A statement of its own, so that it sees the seal of the lock's last holder.
  const newest = await findNewestSeal(tx);
  const positions = textOfPositions(await positionsAt(tx, highestIds, readPositions(newest?.positions)));
  const throughId = highestIds.get('audit_entries') ?? 0;
  const { sealId, sealText, sealBefore, sealFound, sealNumber } = sealFields('audit_seals');
  const sealed = await tx.execute<SealFields & { count: number }>(sql`
    with batch as (
      select *
        from audit_entries
       where id > ${newest?.lastId ?? 0}::bigint and id <= ${throughId}::bigint
       order by id
       limit ${limit}::int
    ), seal as (
      select ${(newest?.number ?? 0) + 1}::int as number, min(id) as first_id, max(id) as last_id,
             count(*)::int as entry_count, ${entryLines} as entry_hashes, ${positions}::text as positions,
             ${newest?.hash ?? ''}::text as previous_hash, ${at.toISOString()}::timestamptz as sealed_at
        from batch
      having count(*) > 0
    )
    insert into audit_seals (number, first_id, last_id, entry_count, entry_hashes, positions, previous_hash, hash,
                             sealed_at)
    select number, first_id, last_id, entry_count, entry_hashes, positions, previous_hash, ${sealHash}, sealed_at
      from seal
    returning entry_count as count, ${sealId} as "sealId", ${sealText} as "sealText", ${sealBefore} as "sealBefore",
              ${sealFound} as "sealFound", ${sealNumber} as "sealNumber"`);
  return noteSeals(tx, 'audit_seals', sealed.rows)[0]?.count ?? 0;
}

/** Counts on from the seal before: a row that was deleted since is still counted, and so is missed. */
async function positionsAt(
  tx: Tx,
  highestIds: ReadonlyMap<string, number>,
  before: Positions,
): Promise<Positions> {
  const ranges = [...highestIds].map(([table, throughId]) => {
    const afterId = before.get(table)?.highestId ?? Number.MIN_SAFE_INTEGER;
    return [table, { afterId, throughId: Math.max(throughId, afterId) }] as const;
  });
  const counts = await countRows(tx, new Map(ranges));
  const positions: Positions = new Map();
  for (const [table, range] of ranges) {
    const count = (before.get(table)?.count ?? 0) + (counts.get(table) ?? 0);
    const hash = table === 'row_seals' ? { hash: await hashRowSeals(tx, range) } : {};
    positions.set(table, { count, highestId: range.throughId, ...hash });
  }
  return positions;
}

type Range = { afterId: number; throughId: number };

/** A hash over the seals of rows in a range of numbers: none can be replaced by another. A thousand at a time, which fit. */
async function hashRowSeals(handle: Reader, { afterId, throughId }: Range): Promise<string> {
  const { rows } = await handle.execute<{ hash: string }>(sql`
    select encode(sha256(coalesce(string_agg(hash, ''::bytea order by part), ''::bytea)), 'hex') as hash
      from (
        select id / 1000 as part,
               sha256(convert_to(string_agg(concat_ws(' ', id, table_name, row_id, mac), chr(10) order by id), 'UTF8')) as hash
          from row_seals
         where id > ${afterId}::bigint and id <= ${throughId}::bigint
         group by id / 1000
      ) parts`);
  return rows[0]?.hash ?? '';
}

/** Seals of rows that are not as a seal of the log found them. */
export type RangeFinding = { firstId: number; lastId: number; seal: number };

/** The log's seals after this number, against the seals of rows that they speak for; not where the one before is gone. */
export async function checkRowSealRanges(reader: Reader, afterNumber: number, limit: number) {
  const { rows } = await reader.execute<{
    number: number;
    positions: string | null;
    before: string | null;
    is_next: boolean;
  }>(sql`
    select number, positions, before, number = coalesce(last_number, 0) + 1 as is_next
      from (
        select number, positions, lag(number) over (order by number) as last_number,
               lag(positions) over (order by number) as before
          from audit_seals
         where number >= ${afterNumber}::int
         order by number
         limit ${limit}::int + 1
      ) seals
     where number > ${afterNumber}::int`);
  const findings: RangeFinding[] = [];
  for (const { number: seal, positions, before, is_next: isNext } of rows) {
    const sealed = readPositions(positions).get('row_seals');
    const afterId = readPositions(before).get('row_seals')?.highestId ?? Number.MIN_SAFE_INTEGER;
    if (!sealed || !isNext) continue;
    const hash = await hashRowSeals(reader, { afterId, throughId: sealed.highestId });
    if (hash !== sealed.hash)
      findings.push({ firstId: Math.max(afterId + 1, 1), lastId: sealed.highestId, seal });
  }
  return { rows: rows.length, next: rows.at(-1)?.number, findings };
}
