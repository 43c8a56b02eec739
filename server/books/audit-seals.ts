import { appendFile, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { desc, eq, sql } from 'drizzle-orm';
import { manilaDate } from '#domain/calendar.ts';
import type { Deps } from '#server/deps.ts';
import { repeating } from '#server/platform/clock.ts';
import { advisoryLocks, onlyRow, type Reader, type Tx } from '#server/platform/database/database.ts';
import { auditSeals } from '#server/store/schema.ts';
import { momentText, sealedTables } from '#server/store/sealed-columns.ts';
import { noteNewRows } from '#server/store/sealed-rows.ts';

/**
 * These texts are hashed, all of them as UTF-8 and with SHA-256 in lower-case hexadecimal:
 *
 * - an entry: the JSON array of its id, action, actor, address, target's type and id, before, after and
 *   moment (`2026-11-20T05:57:26.123Z`), as PostgreSQL's `json_build_array` writes it. An array keeps null
 *   apart from an empty text, and no value can reach into its neighbour.
 * - a seal: the hash of the seal before (empty for the first), number, first id, last id, count, its own
 *   moment, and the entries' lines, with a line feed between them, and then the positions' lines. A line of
 *   an entry is its id, a space and its hash. One of a position is a table's name, how many rows it has, and
 *   their highest id.
 */
export const entryLine = sql`(id || ' ' || encode(sha256(convert_to(json_build_array(
  id, action, actor_id, ip_address, target_type, target_id, before, after,
  ${momentText(sql`created_at`)})::text, 'UTF8')), 'hex'))`;
export const entryLines = sql`string_agg(${entryLine}, chr(10) order by id)`;

export const sealHash = sql`encode(sha256(convert_to(concat_ws(chr(10), previous_hash, number, first_id, last_id,
  entry_count, ${momentText(sql`sealed_at`)}, entry_hashes, positions), 'UTF8')), 'hex')`;

const sealEveryMs = 60_000;

/** Few enough not to block the embedded engine's callers. */
const entriesInSeal = 500;

/** Sealing waits so long for running transactions; the next run tries again. */
const patienceMs = 5_000;
const betweenLooksMs = 25;

/**
 * Seals the unsealed audit entries, with row counts of the books, so that a row deleted later is missed. Returns how
 * many entries. Any number of processes may do it at once. It runs outside the transactions that write the log, so they
 * never wait for one another. Ids are then committed out of order: entry 7 may appear after entry 8. So it reads the
 * newest visible ids, then the running writers, and waits for those: any transaction that drew a lower id is among them
 * or has ended.
 */
export async function sealAuditLog({ database, clock }: Deps): Promise<number> {
  const highestIds = await database.read(readHighestIds);
  const newest = await database.read(findNewestSeal);
  if ((highestIds.get('audit_entries') ?? 0) <= (newest?.lastId ?? 0)) return 0;
  if (!(await haveWritersEnded(database))) return 0;
  for (let total = 0; ; ) {
    const count = await database.transaction((tx) => sealNextEntries(tx, highestIds, clock.now()));
    total += count;
    if (count < entriesInSeal) return total;
  }
}

/** Waits for the transactions that write the books now; later ones do not matter. */
async function haveWritersEnded(database: Deps['database']): Promise<boolean> {
  let writers = await database.read(readWriters);
  for (let waitedMs = 0; writers.length > 0; waitedMs += betweenLooksMs) {
    if (waitedMs >= patienceMs) return false;
    await sleep(betweenLooksMs);
    const stillWriting = new Set(await database.read(readWriters));
    writers = writers.filter((writer) => stillWriting.has(writer));
  }
  return true;
}

/** Seals now and every minute, and notes a seal each day. The returned function seals a last time and stops. */
export function startSealing(deps: Deps): () => Promise<void> {
  const note = createSealNotes(deps);
  const seal = () =>
    sealAuditLog(deps)
      .then(note)
      .catch((err) => deps.log.warn({ err }, 'the audit log could not be sealed, or its seal not noted'));
  const stop = repeating(sealEveryMs, seal);
  return () => stop().then(seal);
}

export type NotedSeal = { number: number; hash: string };

const line = /^(?<number>\d{1,9}) (?<hash>[0-9a-f]{64}) (?<at>\S+)$/;

export async function readNotedSeals({ config }: Pick<Deps, 'config'>): Promise<NotedSeal[]> {
  if (config.sealFile === undefined) return [];
  const text = await readFile(config.sealFile, 'utf8');
  return text.split('\n').flatMap((one) => {
    const { number, hash } = line.exec(one)?.groups ?? {};
    return number && hash ? [{ number: Number(number), hash }] : [];
  });
}

/** Notes the newest seal once a day where the database's owner cannot change it: in the log and in SEAL_FILE. */
export function createSealNotes({ config, log, clock, database }: Deps): () => Promise<void> {
  let notedOn: string | undefined;
  return async () => {
    const now = clock.now();
    const seal = await database.read(findNewestSeal);
    if (!seal || notedOn === manilaDate(now)) return;
    const { number, hash } = seal;
    log.info({ seal: number, hash }, 'the newest seal of the books');
    if (config.sealFile !== undefined) {
      await appendOnceADay({ database }, config.sealFile, `${number} ${hash} ${now.toISOString()}\n`, now);
    }
    notedOn = manilaDate(now);
  };
}

/** Several processes, and those that come after them, may share the file: the first of a day writes. */
async function appendOnceADay({ database }: Pick<Deps, 'database'>, file: string, text: string, now: Date) {
  const append = async () => {
    if (!(await hasLineOf(file, now))) await appendFile(file, text, { mode: 0o600 });
  };
  // The embedded engine has one process, and one session that nobody may hold while a share hangs.
  if (database.hasOneSession) return append();
  await database.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.sealFile})`);
    await append();
  });
}

/** False for one that may only be written. */
async function hasLineOf(file: string, now: Date): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  const { at } = line.exec(last)?.groups ?? {};
  return at !== undefined && manilaDate(new Date(at)) === manilaDate(now);
}

export async function findNewestSeal(reader: Reader) {
  const { number, lastId, hash, positions } = auditSeals;
  const newest = reader.select({ number, lastId, hash, positions }).from(auditSeals);
  return (await newest.orderBy(desc(number)).limit(1))[0];
}

/** A seal with the rows of the books as it counted them. */
export type Seal = { number: number; hash: string; positions: Positions };

/** Number 0 of no seal at all, whose positions are empty. */
export const noSeal: Seal = { number: 0, hash: '', positions: new Map() };

/** The seal of this number, or undefined; 0 is `noSeal`. */
export async function findSeal(reader: Reader, number: number): Promise<Seal | undefined> {
  if (number === 0) return noSeal;
  const { hash, positions } = auditSeals;
  const [seal] = await reader
    .select({ hash, positions })
    .from(auditSeals)
    .where(eq(auditSeals.number, number));
  return seal && { number, hash: seal.hash, positions: readPositions(seal.positions) };
}

/** Never deleted from: the seals count their rows. */
export const keptTables = [
  ...['accounts', 'loans', 'loan_terms', 'withdrawals', 'ledger_entries', 'consents', 'audit_entries'],
  ...['payments', 'loan_events', 'approvals', 'row_seals'],
];

type Position = { count: number; highestId: number; hash?: string };
type Positions = Map<string, Position>;

const textOfPositions = (positions: Positions): string =>
  [...positions]
    .map(([table, { count, highestId, hash }]) => `${table} ${count} ${highestId}${hash ? ` ${hash}` : ''}`)
    .join('\n');

export function readPositions(text: string | null | undefined): Positions {
  const lines = (text ?? '').split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [table = '', count, highestId, hash] = line.split(' ');
      return [table, { count: Number(count), highestId: Number(highestId), ...(hash && { hash }) }];
    }),
  );
}

async function readHighestIds(reader: Reader): Promise<Map<string, number>> {
  const parts = keptTables.map(
    (table) => sql`select ${table}::text as table, coalesce(max(id), 0) as id from ${sql.identifier(table)}`,
  );
  const { rows } = await reader.execute<{ table: string; id: string }>(sql.join(parts, sql` union all `));
  return new Map(rows.map(({ table, id }) => [table, Number(id)]));
}

/** A transaction draws the number of a row's seal when it writes the row, so each sealed table counts. */
const writtenTables = [...new Set([...keptTables, ...sealedTables])];

/**
 * Open transactions that write the books. PostgreSQL locks a table for a writer before it draws the row's id, which its manual
 * does not promise (docs/scale.md).
 */
async function readWriters(reader: Reader): Promise<string[]> {
  const { rows } = await reader.execute<{ writer: string }>(sql`
    select distinct virtualtransaction as writer
      from pg_locks
     where locktype = 'relation'
       and database = (select oid from pg_database where datname = current_database())
       and relation = any(${sql.param(writtenTables)}::regclass[])
       and mode = 'RowExclusiveLock'
       and granted`);
  return rows.map(({ writer }) => writer);
}

/** Seals the next entries up to `highestIds`. Returns how many; 0 while another process seals. */
async function sealNextEntries(tx: Tx, highestIds: ReadonlyMap<string, number>, at: Date): Promise<number> {
  const lock = sql`select pg_try_advisory_xact_lock(${advisoryLocks.auditSeals}) as taken`;
  if (!onlyRow((await tx.execute<{ taken: boolean }>(lock)).rows).taken) return 0;
  // A separate statement, so that it sees the seal of the lock's last holder.
  const newest = await findNewestSeal(tx);
  const positions = textOfPositions(await positionsAt(tx, highestIds, readPositions(newest?.positions)));
  const throughId = highestIds.get('audit_entries') ?? 0;
  const sealed = await tx.execute<{ number: number; count: number }>(sql`
    with batch as (
      select *
        from audit_entries
       where id > ${newest?.lastId ?? 0}::bigint and id <= ${throughId}::bigint
       order by id
       limit ${entriesInSeal}::int
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
    returning number, entry_count as count`);
  const [seal] = sealed.rows;
  if (seal) noteNewRows(tx, 'audit_seals', [seal.number]);
  return seal?.count ?? 0;
}

/** Adds to the last seal's counts, so that a row deleted since is still counted, and missed. */
async function positionsAt(
  tx: Tx,
  highestIds: ReadonlyMap<string, number>,
  before: Positions,
): Promise<Positions> {
  const positions: Positions = new Map();
  for (const [table, highestId] of highestIds) {
    const { count, highestId: afterId } = before.get(table) ?? {
      count: 0,
      highestId: Number.MIN_SAFE_INTEGER,
    };
    const range = { afterId, throughId: Math.max(highestId, afterId) };
    positions.set(table, {
      count: count + (await countRows(tx, table, range)),
      highestId: range.throughId,
      ...(table === 'row_seals' && { hash: await hashRowSeals(tx, range) }),
    });
  }
  return positions;
}

type Range = { afterId: number; throughId: number };

async function countRows(reader: Reader, table: string, range: Range): Promise<number> {
  const { rows } = await reader.execute<{ count: string }>(sql`
    select count(*) as count from ${sql.identifier(table)}
     where id > ${range.afterId}::bigint and id <= ${range.throughId}::bigint`);
  return Number(onlyRow(rows).count);
}

/** Covers a range of row seals, so that none can be replaced. Hashes a thousand at a time to bound memory. */
export async function hashRowSeals(reader: Reader, { afterId, throughId }: Range): Promise<string> {
  const { rows } = await reader.execute<{ hash: string }>(sql`
    select encode(sha256(coalesce(string_agg(hash, ''::bytea order by part), ''::bytea)), 'hex') as hash
      from (
        select id / 1000 as part,
               sha256(convert_to(string_agg(concat_ws(' ', id, table_name, row_id, mac), chr(10) order by id), 'UTF8')) as hash
          from row_seals
         where id > ${afterId}::bigint and id <= ${throughId}::bigint
         group by id / 1000
      ) parts`);
  return onlyRow(rows).hash;
}
