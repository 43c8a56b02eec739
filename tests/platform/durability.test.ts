import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import { isDatabaseUnavailable } from '#server/platform/database/database-errors.ts';
import { lastingDirectory } from '#tests/setup/temporary-directory.ts';
import { rowsOf, silentLog } from '#tests/setup/test-database.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { startChild } from './child-process.ts';

const kills = isTorture ? 3 : 1;
const rowsPerLife = 50;

describe('the embedded database in a directory', () => {
  const home = lastingDirectory();
  const dataDir = path.join(home, 'data');
  beforeAll(async () => {
    const database = await openDatabase({ dataDir: path.join(home, 'fresh'), log: silentLog });
    await database.transaction((tx) => tx.execute(sql`create table marks (n int)`));
    await database.close();
  });
  beforeEach(() => fs.cpSync(path.join(home, 'fresh'), dataDir, { recursive: true }));
  afterEach(() => {
    vi.restoreAllMocks();
    fs.rmSync(dataDir, { recursive: true });
  });

  it('keeps every acknowledged row through kill -9', async () => {
    let acknowledged = 0;
    for (let life = 0; life < kills; life += 1) {
      const child = startChild('write-until-killed-child.ts', [dataDir]);
      const first = Number(await child.nextLine());
      expect(first).toBeGreaterThan(acknowledged);
      for (let row = 1; row < rowsPerLife; row += 1) acknowledged = Number(await child.nextLine());
      await child.kill();
    }
    const database = await openDatabase({ dataDir, log: silentLog });
    const rows = await rowsOf(database, sql`select count(*)::int as count, max(n) as last from acknowledged`);
    await database.close();
    expect(rows[0]?.count).toBe(rows[0]?.last);
    expect(rows[0]?.last).toBeGreaterThanOrEqual(acknowledged);
  });

  it('refuses to be opened twice, and names the process', async () => {
    const database = await openDatabase({ dataDir, log: silentLog });
    await expect(openDatabase({ dataDir, log: silentLog })).rejects.toThrow(
      `the data directory ${path.join(dataDir, 'database')} is in use by process ${process.pid}`,
    );
    await database.close();
    const again = await openDatabase({ dataDir, log: silentLog });
    expect(await again.isReady()).toBe(true);
    await again.close();
  });

  it('names the setting of a folder in which nothing can be written', async () => {
    const file = path.join(dataDir, 'file');
    fs.writeFileSync(file, '');
    await expect(openDatabase({ dataDir: file, log: silentLog })).rejects.toThrow(
      `DATA_DIR names ${file}, where nothing can be written (EEXIST)`,
    );
  });

  it('starts over when its first start was cut short', async () => {
    fs.rmSync(dataDir, { recursive: true });
    fs.mkdirSync(path.join(dataDir, 'database.new', 'base'), { recursive: true });
    fs.writeFileSync(path.join(dataDir, 'database.new', 'PG_VERSION'), '18\n');
    const database = await openDatabase({ dataDir, log: silentLog });
    expect(await database.isReady()).toBe(true);
    await database.close();
    expect(fs.readdirSync(dataDir)).toEqual(['database']);
  });

  it('flushes each commit to the disk before acknowledging it', async () => {
    const database = await openDatabase({ dataDir, log: silentLog });
    const flushes = vi.spyOn(fs, 'fsyncSync');
    for (let n = 1; n <= 5; n += 1) {
      await database.transaction((tx) => tx.execute(sql`insert into marks values (${n})`));
      expect(flushes.mock.calls.length).toBeGreaterThanOrEqual(n);
    }
    await database.close();
  });

  it('stops rather than acknowledge a refused write, answers at once, and recovers when reopened', async () => {
    const log = { ...silentLog, error: vi.fn() };
    const database = await openDatabase({ dataDir, log });
    await database.transaction((tx) => tx.execute(sql`insert into marks values (1)`));

    vi.spyOn(fs, 'fsyncSync').mockImplementation(() => {
      throw new Error('EIO');
    });
    const refused = await database
      .transaction((tx) => tx.execute(sql`insert into marks values (2)`))
      .catch((error) => error);
    expect(isDatabaseUnavailable(refused)).toBe(true);
    expect(log.error).toHaveBeenCalledOnce();
    await expect(database.stopped).resolves.toMatch(/could not fsync/);
    vi.restoreAllMocks();
    const after = await database.read((reader) => reader.execute(sql`select 1`)).catch((error) => error);
    expect(isDatabaseUnavailable(after)).toBe(true);
    expect(await database.isReady()).toBe(false);
    await database.close();

    const reopened = await openDatabase({ dataDir, log: silentLog });
    const { rows } = await reopened.read((reader) => reader.execute(sql`select n from marks where n = 1`));
    expect(rows).toEqual([{ n: 1 }]);
    await reopened.close();
  });
});
