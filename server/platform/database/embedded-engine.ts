import fs from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import type { QueryResult } from 'pg';
import { repeating } from '#server/platform/clock.ts';
import { syncPath } from '#server/platform/file-system.ts';
import { lockDirectory } from './directory-lock.ts';
import { createEmbeddedPool, type EmbeddedPool } from './embedded-pool.ts';
import { openEmbeddedSession } from './embedded-session.ts';
import { type DatabaseLog, type SqlEngine, type Timings, timings } from './sql-engine.ts';

type EmbeddedSettings = {
  /** Created if missing; its parent must exist. */
  directory: string;
  log: DatabaseLog;
  timings?: Partial<Timings>;
};

/** PGlite turns flushing off with `-F`. The log is kept short: a checkpoint runs every few minutes anyway. */
export const memoryParameters = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];
const durableParameters = [
  ...memoryParameters.filter((parameter) => parameter !== '-F'),
  ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync', '-c', 'min_wal_size=32MB', '-c', 'max_wal_size=64MB'],
];

/**
 * Opens it for this process alone, or throws with the name of the process that has it open. Commits are flushed to the
 * disk.
 */
export async function openEmbeddedEngine(settings: EmbeddedSettings): Promise<SqlEngine> {
  const { directory, log } = settings;
  const unlock = await lockDirectory(directory);
  try {
    if (!fs.existsSync(path.join(directory, 'PG_VERSION'))) await createDirectory(directory);
    const { pool, engine } = await serve(await startEngine(directory), settings);
    const stopMaintenance = startMaintenance(pool, log, { ...timings, ...settings.timings });
    const close = async () => {
      await stopMaintenance();
      await pool.query('checkpoint').catch(() => undefined);
      await pool.end();
      await unlock();
    };
    return { ...engine, close };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Recovers after the last process. The engine says only that it failed; a full disk is the usual cause. */
async function startEngine(directory: string): Promise<PGlite> {
  try {
    return await PGlite.create({ fs: new DurableFiles(directory), startParams: durableParameters });
  } catch (cause) {
    const { bavail, bsize } = fs.statfsSync(directory);
    const reason = cause instanceof Error ? cause.message : String(cause);
    const freeMegabytes = Math.floor((bavail * bsize) / 1024 ** 2);
    throw new Error(
      `the database in ${directory} does not start, with ${freeMegabytes} MB free on its disk (${reason})`,
      { cause },
    );
  }
}

/** The started engine in the shape of both engines, and its pool. */
export async function serve(started: PGlite, settings: Pick<EmbeddedSettings, 'log' | 'timings'>) {
  let tellStopped = (_reason: string) => {};
  const stopped = new Promise<string>((resolve) => {
    tellStopped = resolve;
  });
  const session = await openEmbeddedSession(started, (reason) => {
    settings.log.error({ reason }, 'the embedded database has stopped; start the server again');
    tellStopped(reason);
  });
  const pool = createEmbeddedPool(session, { ...timings, ...settings.timings });
  const engine: SqlEngine = {
    hasOneSession: true,
    stopped,
    // Its one session serves in turn.
    writersAtOnce: Number.POSITIVE_INFINITY,
    connect: () => pool.connect(),
    connectForUpkeep: () => pool.connect(true),
    load: pool.load,
    close: () => pool.end(),
  };
  return { pool, engine };
}

/**
 * Created under another name and renamed when complete, so that an interrupted first start leaves nothing half made.
 */
async function createDirectory(directory: string): Promise<void> {
  const unfinished = `${directory}.new`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  // The engine makes its files readable to everybody; the directory does not let them in.
  fs.mkdirSync(unfinished, { mode: 0o700 });
  const engine = await PGlite.create({ dataDir: unfinished, startParams: memoryParameters });
  await engine.close();
  const made = fs.readdirSync(unfinished, { recursive: true, encoding: 'utf8' });
  for (const name of ['', ...made]) syncPath(path.join(unfinished, name));
  fs.renameSync(unfinished, directory);
  syncPath(path.dirname(directory));
}

type Stream = { nfd?: number; node: object };
type FileLayer = {
  realPath(node: object): string;
  stream_ops: { fsync?: (stream: Stream) => number };
};

/** Emscripten's number for EIO; PostgreSQL stops if a flush of its log fails with it. */
const ioError = 29;

/** Files whose `fsync` reaches the disk: PGlite's own layer only says that it did. */
class DurableFiles extends NodeFS {
  override async init(...[engine, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const initialised = await super.init(engine, options);
    initialised.emscriptenOpts.preRun?.push((module) => {
      const layer = module.NODEFS as unknown as FileLayer;
      layer.stream_ops.fsync = (stream) => flush(layer, stream);
    });
    return initialised;
  }
}

function flush(layer: FileLayer, stream: Stream): number {
  try {
    if (stream.nfd === undefined) syncPath(layer.realPath(stream.node));
    else fs.fsyncSync(stream.nfd);
    return 0;
  } catch {
    return ioError;
  }
}

/**
 * Does PostgreSQL's checkpointer's and autovacuum's work for the embedded engine: without it the log grows for ever and
 * the planner has no statistics. Both block the server for some milliseconds, so they wait until nobody uses the
 * database, go table by table, and are skipped if nothing was written since. Returns a function that stops it, and waits
 * for the current run.
 */
function startMaintenance(pool: EmbeddedPool, log: DatabaseLog, every: Timings): () => Promise<void> {
  const fresh = { lastRunMs: performance.now(), isNeeded: false };
  const chores = [
    { ...fresh, everyMs: every.checkpointEveryMs, run: () => pool.query('checkpoint') },
    { ...fresh, everyMs: every.vacuumEveryMs, run: () => vacuum(pool) },
  ];
  let seenPosition = '';
  let postponed = 0;

  async function runDueChores(): Promise<void> {
    if ((await logPosition(pool)) !== seenPosition) for (const chore of chores) chore.isNeeded = true;
    for (const chore of chores) {
      if (!chore.isNeeded || performance.now() - chore.lastRunMs < chore.everyMs) continue;
      chore.isNeeded = false;
      await chore.run();
      chore.lastRunMs = performance.now();
    }
    // Upkeep writes too, which must not cause more of it.
    seenPosition = await logPosition(pool);
  }

  return repeating(every.maintenanceTickMs, async () => {
    if (!pool.isIdle() && postponed < every.maintenanceMaxPostponed) {
      postponed += 1;
      return;
    }
    postponed = 0;
    await runDueChores().catch((error) => log.warn({ err: error }, 'upkeep of the embedded database failed'));
  });
}

async function vacuum(pool: EmbeddedPool): Promise<void> {
  const { rows } = await pool.query(
    "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  for (const { name } of rows) await pool.query(`vacuum (analyze) ${name}`);
}

/** The end of the log, which every write moves. */
async function logPosition(pool: EmbeddedPool): Promise<string> {
  const { rows }: QueryResult<{ position: string }> = await pool.query(
    'select pg_current_wal_insert_lsn()::text as position',
  );
  return rows[0]?.position ?? '';
}
