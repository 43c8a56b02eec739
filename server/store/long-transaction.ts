import { type SQL, sql } from 'drizzle-orm';
import type { Database, Reader, Tx } from '#server/platform/database/database.ts';

const steady = sql`isolation level repeatable read, read only`;

/** Values as text look the same whatever the server is set to: a copy made on one is compared on another. */
const plainForms = sql`select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true),
  set_config('extra_float_digits', '1', true), set_config('bytea_output', 'hex', true)`;

/**
 * Reads that all see the same moment, for as long as they take, on a connection without time limits. Nobody is kept
 * waiting on PostgreSQL; on the embedded engine everybody is, so keep it short there.
 */
export function inSnapshot<T>(database: Database, work: (reader: Reader) => Promise<T>): Promise<T> {
  return inLongTransaction(database, steady, plainForms, work);
}

/**
 * Several readers side by side that all see the same moment, each on a connection of its own: on PostgreSQL only. Waits
 * for all of them, and then fails when one has failed.
 */
export async function inSameSnapshot(
  database: Database,
  first: (reader: Reader) => Promise<void>,
  ...others: ((reader: Reader) => Promise<void>)[]
): Promise<void> {
  let tell: { id(snapshot: string): void; failed(reason: unknown): void } | undefined;
  const told = new Promise<string>((resolve, reject) => {
    tell = { id: resolve, failed: reject };
  });
  // Begun out here: inside the first reader's transaction the database would refuse to begin another one.
  const following = others.map(async (work) => {
    const snapshot = sql.raw((await told).replace(/[^\w-]/g, ''));
    await inLongTransaction(database, steady, sql`set transaction snapshot '${snapshot}'`, work);
  });
  const leading = inSnapshot(database, async (reader) => {
    const { rows } = await reader.execute<{ id: string }>(sql`select pg_export_snapshot() as id`);
    tell?.id(rows[0]?.id ?? '');
    await first(reader);
    // The others can take the snapshot over only while this transaction is open.
    await Promise.allSettled(following);
  });
  leading.catch((reason) => tell?.failed(reason));
  const ended = await Promise.allSettled([leading, ...following]);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/** One transaction that may take as long as it needs, run once: all of it is committed, or nothing. */
export function inOneLongTransaction<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inLongTransaction(database, sql`isolation level read committed`, plainForms, work);
}

/** `opening` is the first statement in it. */
async function inLongTransaction<T>(
  database: Database,
  mode: SQL,
  opening: SQL,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return database.upkeep(async (session) => {
    await session.execute(sql`begin transaction ${mode}`);
    try {
      await session.execute(opening);
      const result = await work(session);
      await session.execute(sql`commit`);
      return result;
    } catch (error) {
      // A lost connection has undone it already.
      await session.execute(sql`rollback`).catch(() => undefined);
      throw error;
    }
  });
}
