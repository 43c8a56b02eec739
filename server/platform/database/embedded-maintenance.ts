import type { QueryResult } from 'pg';
import type { EmbeddedPool } from './embedded-pool.ts';
import type { DatabaseLog } from './sql-engine.ts';

type MaintenanceTimings = Record<
  'maintenanceTickMs' | 'checkpointEveryMs' | 'vacuumEveryMs' | 'maintenanceMaxPostponed',
  number
>;

/** A piece of upkeep that is due every so often, and only when something was written since. */
type Chore = { everyMs: number; run: () => Promise<void>; lastRunMs: number; isNeeded: boolean };

/**
 * Does for the embedded engine what PostgreSQL's checkpointer and autovacuum do: without them the log grows for ever
 * and the planner knows nothing of the tables. Both block the server for some milliseconds, so they wait for a moment
 * when nobody uses the database, and go table by table.
 *
 * Returns a function that stops it, and waits for what is under way.
 */
export function startMaintenance(
  pool: EmbeddedPool,
  log: DatabaseLog,
  every: MaintenanceTimings,
): () => Promise<void> {
  const lastRunMs = performance.now();
  const chores: Chore[] = [
    { everyMs: every.checkpointEveryMs, run: () => checkpoint(pool), lastRunMs, isNeeded: false },
    { everyMs: every.vacuumEveryMs, run: () => vacuum(pool), lastRunMs, isNeeded: false },
  ];
  let seenPosition = '';
  let postponed = 0;
  let underWay = Promise.resolve();

  async function runDueChores(): Promise<void> {
    if ((await logPosition(pool)) !== seenPosition) for (const chore of chores) chore.isNeeded = true;
    for (const chore of chores) {
      if (!chore.isNeeded || performance.now() - chore.lastRunMs < chore.everyMs) continue;
      chore.isNeeded = false;
      await chore.run();
      chore.lastRunMs = performance.now();
    }
    // Upkeep writes too; that is no reason for more of it.
    seenPosition = await logPosition(pool);
  }

  function tick(): void {
    if (!pool.isIdle && postponed < every.maintenanceMaxPostponed) {
      postponed += 1;
      return;
    }
    postponed = 0;
    underWay = underWay
      .then(runDueChores)
      .catch((error) => log.warn({ err: error }, 'upkeep of the embedded database failed'));
  }

  const timer = setInterval(tick, every.maintenanceTickMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return underWay;
  };
}

async function checkpoint(pool: EmbeddedPool): Promise<void> {
  await pool.query('checkpoint');
}

async function vacuum(pool: EmbeddedPool): Promise<void> {
  const { rows } = await pool.query(
    "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  for (const { name } of rows) await pool.query(`vacuum (analyze) ${name}`);
}

/** How far the log reaches: it moves with everything that is written. */
async function logPosition(pool: EmbeddedPool): Promise<string> {
  const { rows }: QueryResult<{ position: string }> = await pool.query(
    'select pg_current_wal_insert_lsn()::text as position',
  );
  return rows[0]?.position ?? '';
}
