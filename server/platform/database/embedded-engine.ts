import fs from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { lockDirectory } from './directory-lock.ts';
import { DurableFiles, fsyncPath, fsyncTree } from './durable-files.ts';
import { startMaintenance } from './embedded-maintenance.ts';
import { EmbeddedPool } from './embedded-pool.ts';
import { openEmbeddedSession } from './embedded-session.ts';
import type { DatabaseLog, SqlEngine } from './sql-engine.ts';
import { timings } from './timings.ts';

export type EmbeddedEngine = SqlEngine & {
  /** The whole database as a file that `openMemoryEngine` starts from. */
  dump(): Promise<Blob>;
};

type EmbeddedSettings = {
  /** Created when it does not exist; its parent must. */
  directory: string;
  log: DatabaseLog;
  timings?: Partial<Record<keyof typeof timings, number>>;
};

/** PGlite turns flushing off with `-F`. The log is kept short: a checkpoint runs every few minutes anyway. */
const memoryParameters = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];
const durableParameters = [
  ...memoryParameters.filter((parameter) => parameter !== '-F'),
  ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync', '-c', 'min_wal_size=32MB', '-c', 'max_wal_size=64MB'],
];

/**
 * Opens the embedded database in a directory, for this process alone. What was committed is on the disk.
 * Throws when another process has it open; the message names the directory and that process.
 */
export async function openEmbeddedEngine(settings: EmbeddedSettings): Promise<EmbeddedEngine> {
  const { directory, log } = settings;
  const unlock = await lockDirectory(directory);
  try {
    if (!fs.existsSync(path.join(directory, 'PG_VERSION'))) await createDirectory(directory);
    const engine = await startEngine(directory);
    const { pool, stopped } = await poolOver(engine, settings);
    const stopMaintenance = startMaintenance(pool, log, { ...timings, ...settings.timings });
    return engineOver(engine, { pool, stopped }, async () => {
      await stopMaintenance();
      await pool.query('checkpoint').catch(() => undefined);
      await pool.end();
      await unlock();
    });
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Recovers what the last process left. The engine says no more than that it failed; a full disk is the usual cause. */
async function startEngine(directory: string): Promise<PGlite> {
  try {
    return await PGlite.create({ fs: new DurableFiles(directory), startParams: durableParameters });
  } catch (cause) {
    const { bavail, bsize } = fs.statfsSync(directory);
    const freeMegabytes = Math.floor((bavail * bsize) / 1024 ** 2);
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `the database in ${directory} does not start, with ${freeMegabytes} MB free on its disk (${reason})`,
      { cause },
    );
  }
}

/** An embedded database that is gone with the process, for tests; started from another one's `dump`, or empty. */
export async function openMemoryEngine(settings: {
  template?: Blob;
  log: DatabaseLog;
}): Promise<EmbeddedEngine> {
  const { template } = settings;
  const engine = await PGlite.create({
    startParams: memoryParameters,
    ...(template ? { loadDataDir: template } : {}),
  });
  const served = await poolOver(engine, settings);
  return engineOver(engine, served, () => served.pool.end());
}

/** The pool, and the reason for which its session stops for good, should it ever. */
type Served = { pool: EmbeddedPool; stopped: Promise<string> };

async function poolOver(
  engine: PGlite,
  settings: Pick<EmbeddedSettings, 'log' | 'timings'>,
): Promise<Served> {
  let tellStopped = (_reason: string) => {};
  const stopped = new Promise<string>((resolve) => {
    tellStopped = resolve;
  });
  const session = await openEmbeddedSession(engine, (reason) => {
    settings.log.error({ reason }, 'the embedded database has stopped; start the server again');
    tellStopped(reason);
  });
  return { pool: new EmbeddedPool(session, { ...timings, ...settings.timings }), stopped };
}

function engineOver(engine: PGlite, { pool, stopped }: Served, close: () => Promise<void>): EmbeddedEngine {
  return {
    hasOneSession: true,
    stopped,
    connect: () => pool.connect(),
    connectForUpkeep: () => pool.connect(true),
    dump: () => engine.dumpDataDir('none'),
    close,
  };
}

/** Made under another name and renamed when it is whole, so that a first start that was cut short leaves no ruin. */
async function createDirectory(directory: string): Promise<void> {
  const unfinished = `${directory}.new`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  // The engine makes its files open to everybody; the directory keeps everybody out.
  fs.mkdirSync(unfinished, { mode: 0o700 });
  const engine = await PGlite.create({ dataDir: unfinished, startParams: memoryParameters });
  await engine.close();
  fsyncTree(unfinished);
  fs.renameSync(unfinished, directory);
  fsyncPath(path.dirname(directory));
}
