import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openEmbeddedEngine } from '#server/platform/database/embedded-engine.ts';
import type { SqlEngine } from '#server/platform/database/sql-engine.ts';
import { lastingDirectory } from '#tests/setup/temporary-directory.ts';
import { silentLog } from '#tests/setup/test-database.ts';

describe('upkeep of the embedded database', () => {
  const home = lastingDirectory();
  let engine: SqlEngine;
  beforeAll(async () => {
    engine = await openEmbeddedEngine({
      directory: path.join(home, 'database'),
      log: silentLog,
      timings: { maintenanceTickMs: 20, checkpointEveryMs: 40, vacuumEveryMs: 40 },
    });
  });
  afterAll(() => engine.close());

  async function query(text: string) {
    const client = await engine.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      client.release();
    }
  }

  const lastCheckpoint = async () =>
    (await query('select redo_lsn::text from pg_control_checkpoint()'))[0]?.redo_lsn;

  it('writes checkpoints and updates the planner’s statistics while the database is idle', async () => {
    const before = await lastCheckpoint();
    await query('create table grown as select generate_series(1, 1000) as n');
    await vi.waitFor(async () => {
      expect(await lastCheckpoint()).not.toBe(before);
      expect(await query("select reltuples from pg_class where relname = 'grown'")).toEqual([
        { reltuples: 1000 },
      ]);
    }, 5_000);
  });

  it('leaves an unchanged database alone', async () => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    const settled = await lastCheckpoint();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await lastCheckpoint()).toBe(settled);
  });
});
