import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '#server/platform/database/database.ts';
import { startBuiltServer } from '#tests/setup/built-server.ts';
import { hasPostgres, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { temporaryDirectory } from '#tests/setup/temporary-directory.ts';
import { silentLog } from '#tests/setup/test-database.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { verifyOnPostgres, verifyThroughServer } from './books-check.ts';
import {
  type Borrower,
  balanceOf,
  fund,
  memberEdit,
  newKey,
  nextPhone,
  type Request,
  registerBorrower,
  registrationOf,
  send,
  signInStaff,
  succeed,
  withdrawalBy,
} from './client.ts';
import { prepareDataDir } from './prepared-data.ts';
import { makeSmallDisk, noSmallDisk, type SmallDisk } from './small-disk.ts';

const reason = noSmallDisk();

let dataDir: string;
beforeEach(async (context) => {
  if (reason) context.skip(reason);
  dataDir = temporaryDirectory();
});

function smallDisk(megabytes: number): SmallDisk {
  const disk = makeSmallDisk(megabytes);
  onTestFinished(() => disk.remove());
  return disk;
}

const settings = { RATE_LIMIT_SCALE: '1000' };

async function start(more: Record<string, string> = {}) {
  if (more.DATABASE_URL === undefined) await prepareDataDir(dataDir);
  const server = await startBuiltServer({ dataDir, settings: { ...settings, ...more } });
  onTestFinished(async () => void (await server.stop()));
  return server;
}

const databaseAway = { status: 503, body: { code: 'database_unavailable' } };

/** Registers and withdraws until the database refuses; what was refused is kept, to be asked for again. */
async function writeUntilRefused(origin: string, borrower: Borrower, staff: string) {
  const done = { withdrawals: 0, registered: 0, refused: [] as Request[] };
  for (let round = 0; round < 2_000 && done.refused.length === 0; round += 1) {
    const joining = await send(origin, { path: '/api/auth/register', body: registrationOf(nextPhone()) });
    if (joining.status === 201) done.registered += 1;
    else expect(joining).toMatchObject(databaseAway);
    const code = memberEdit(staff, borrower, { otpCode: '123456' });
    const withCode = await send(origin, code).catch(() => undefined);
    const request = withdrawalBy(borrower, { key: newKey() });
    const answer = withCode?.status === 200 ? await send(origin, request).catch(() => undefined) : withCode;
    if (answer?.status === 201) done.withdrawals += 1;
    else done.refused.push(request);
    if (answer && answer.status !== 201) expect(answer).toMatchObject(databaseAway);
  }
  expect(done.refused).toHaveLength(1);
  return done;
}

type Wrote = Awaited<ReturnType<typeof writeUntilRefused>>;

/**
 * Expects acknowledged work to be there and refused work not to be, and the latter to happen
 * once if asked for again.
 */
async function expectWhole(
  origin: string,
  { borrower, staff, wrote }: { borrower: Borrower; staff: string; wrote: Wrote },
) {
  const withdrawals = async () =>
    (await succeed(origin, { path: '/api/withdrawals', token: borrower.token })) as unknown as unknown[];
  expect(await withdrawals()).toHaveLength(wrote.withdrawals);
  expect(Number(await balanceOf(origin, borrower))).toBe(startPesos - 1_000 * wrote.withdrawals);
  const { members } = await succeed(origin, { path: '/api/admin/stats', token: staff });
  expect((members as { total: number }).total).toBe(wrote.registered + 1);
  await succeed(origin, memberEdit(staff, borrower, { otpCode: '123456' }));
  for (const request of [...wrote.refused, ...wrote.refused]) await succeed(origin, request);
  expect(await withdrawals()).toHaveLength(wrote.withdrawals + 1);
}

const startPesos = 1_000_000;

async function house(origin: string) {
  const staff = await signInStaff(origin);
  const borrower = await registerBorrower(origin);
  await fund(origin, staff, borrower, `${startPesos}.00`);
  return { staff, borrower };
}

describe('a full disk under the embedded database', () => {
  it('refuses what would make the tables grow, and goes on when there is room', async () => {
    const disk = smallDisk(96);
    dataDir = path.join(disk.directory, 'data');
    const server = await start();
    const { staff, borrower } = await house(server.origin);
    disk.fill(0);
    const wrote = await writeUntilRefused(server.origin, borrower, staff);
    expect((await send(server.origin, { path: '/healthz' })).status).toBe(200);
    disk.free();
    await expectWhole(server.origin, { borrower, staff, wrote });
    expect((await verifyThroughServer(dataDir)()).isClean).toBe(true);
  });

  it.runIf(isTorture)(
    'ends the process with a plain word when the log cannot grow, and the next one has everything',
    async () => {
      const disk = smallDisk(96);
      dataDir = path.join(disk.directory, 'data');
      const segment = await goToEndOfLogSegment();
      const server = await start();
      const { staff, borrower } = await house(server.origin);
      // The engine makes the next segment beforehand when it can; here it could not.
      const log = path.join(dataDir, 'database', 'pg_wal');
      for (const name of fs.readdirSync(log)) {
        if (/^[0-9A-F]{24}$/.test(name) && name > segment) fs.rmSync(path.join(log, name));
      }
      disk.fill(4 * 1024 ** 2);
      const wrote = await writeUntilRefused(server.origin, borrower, staff);
      const { code, complained } = await server.ended;
      expect([code, complained]).toEqual([
        1,
        expect.stringMatching(/^Hiram stops: .*No space left on device.* start it again\.\n$/),
      ]);

      disk.fill(0);
      await expect(start()).rejects.toThrow(
        /^Hiram cannot start: the database in .* with 0 MB free on its disk/,
      );

      disk.free();
      const next = await start();
      await expectWhole(next.origin, { borrower, staff, wrote });
      expect((await verifyThroughServer(dataDir)()).isClean).toBe(true);
    },
  );

  /** Fills the current segment of the write-ahead log but for a little, and answers its name. */
  async function goToEndOfLogSegment(): Promise<string> {
    await prepareDataDir(dataDir);
    const database = await openDatabase({ dataDir, log: silentLog });
    const before = await logPosition(database);
    const fill = segmentBytes - before.offset - roomBytes;
    await database.upkeep((session) =>
      session.execute(sql.raw(`select pg_logical_emit_message(false, 'filler', repeat('x', ${fill}))`)),
    );
    const after = await logPosition(database);
    await database.close();
    expect(after.segment).toBe(before.segment);
    return after.segment;
  }
});

const segmentBytes = 16 * 1024 ** 2;
/** More than a start and a few first calls write, or the log would have gone on to the next segment before the disk is full. */
const roomBytes = 1_000_000;

async function logPosition(database: Database): Promise<{ segment: string; offset: number }> {
  const { rows } = await database.upkeep((session) =>
    session.execute(sql`
      select pg_walfile_name(pg_current_wal_insert_lsn()) as segment,
             (pg_current_wal_insert_lsn() - '0/0'::pg_lsn) % ${sql.raw(String(segmentBytes))} as "offset"`),
  );
  return { segment: String(rows[0]?.segment), offset: Number(rows[0]?.offset) };
}

describe.runIf(isTorture && hasPostgres())('a full disk under PostgreSQL', () => {
  it('refuses in words, loses and doubles nothing, and goes on when there is room', async () => {
    const disk = smallDisk(128);
    const postgres = await startPostgresOn(disk);
    onTestFinished(() => postgres.stop());
    const server = await start({ DATABASE_URL: postgres.url });
    const { staff, borrower } = await house(server.origin);
    disk.fill(0);
    const before = await writeUntilRefused(server.origin, borrower, staff);
    // PostgreSQL lives, so room is all that it takes.
    disk.free();
    await expectWhole(server.origin, { borrower, staff, wrote: before });
    // A full disk refuses new sessions at times.
    const admin = new pg.Client({ connectionString: postgres.url });
    admin.on('error', () => undefined);
    await admin.connect();
    disk.fill(0);
    const since = await writeUntilRefused(server.origin, borrower, staff);
    const wrote = {
      withdrawals: before.withdrawals + 1 + since.withdrawals,
      registered: before.registered + since.registered,
      refused: since.refused,
    };

    // The log needs its next segment now: PostgreSQL stops altogether, and cannot recover before there is room.
    await admin.query('select pg_switch_wal()').catch(() => undefined);
    await admin.query("select pg_logical_emit_message(true, 'filler', 'x')").catch(() => undefined);
    await admin.end().catch(() => undefined);
    const refused = { path: '/api/auth/register', body: registrationOf(nextPhone()) };
    expect(await send(server.origin, refused)).toMatchObject(databaseAway);
    expect((await send(server.origin, { path: '/healthz' })).status).toBe(200);

    disk.free();
    await postgres.kill();
    await postgres.start();
    while ((await send(server.origin, { path: '/readyz' })).status !== 200);
    await expectWhole(server.origin, { borrower, staff, wrote });
    expect((await verifyOnPostgres(postgres.url, dataDir)()).isClean).toBe(true);
  });

  async function startPostgresOn({ directory }: SmallDisk) {
    const { TMPDIR: before } = process.env;
    process.env.TMPDIR = directory;
    try {
      return await startPostgresServer();
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  }
});
