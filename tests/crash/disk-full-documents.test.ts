import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import { startBuiltServer } from '#tests/setup/built-server.ts';
import { formWithFile } from '#tests/setup/photo.ts';
import { temporaryDirectory } from '#tests/setup/temporary-directory.ts';
import { rowsOf, silentLog } from '#tests/setup/test-database.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { verifyThroughServer } from './books-check.ts';
import {
  type Answer,
  balanceOf,
  fund,
  type Request,
  registerBorrower,
  send,
  signInStaff,
  succeed,
  withdrawalBy,
} from './client.ts';
import { prepareDataDir } from './prepared-data.ts';
import { makeSmallDisk, noSmallDisk } from './small-disk.ts';

/** Some hundred kilobytes, whatever it is encoded as. */
async function largePhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  return sharp({ create: { width: 900, height: 700, channels: 3, background: '#123456', noise } })
    .jpeg()
    .toBuffer();
}

it('documents on a full disk are refused in words, leave nothing behind, and are taken again when there is room', async (context) => {
  const reason = noSmallDisk();
  if (reason) context.skip(reason);
  const dataDir = temporaryDirectory();
  const disk = makeSmallDisk(8);
  onTestFinished(() => disk.remove());
  fs.symlinkSync(disk.directory, path.join(dataDir, 'files'));
  await prepareDataDir(dataDir);
  const server = await startBuiltServer({ dataDir });
  onTestFinished(async () => void (await server.stop()));
  const borrower = await registerBorrower(server.origin);
  const request: Request = {
    path: '/api/upload',
    token: borrower.token,
    form: formWithFile(await largePhoto()),
  };
  const first = await succeed(server.origin, request);
  const stored = () =>
    fs
      .readdirSync(disk.directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes(path.sep));
  expect(stored()).toHaveLength(1);

  // No room at all, and room for a part of it.
  for (const freeBytes of [0, 48 * 1024]) {
    disk.fill(freeBytes);
    const answers = await Promise.all([1, 2, 3].map(() => send(server.origin, request)));
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        503,
        { code: 'documents_unavailable', message: expect.stringMatching(/^Photos cannot be stored/) },
      ]);
    }
    expect(stored()).toHaveLength(1);
  }
  // Work that needs no room for documents goes on.
  const read = await fetch(`${server.origin}${first.url}`, {
    headers: { authorization: `Bearer ${borrower.token}` },
  });
  expect([read.status, (await read.arrayBuffer()).byteLength]).toEqual([200, first.size]);
  await registerBorrower(server.origin);

  disk.free();
  const second = await succeed(server.origin, request);
  await server.stop();
  const names = stored().map((name) => path.basename(name));
  expect(names.sort()).toEqual([first.id, second.id].sort());
  const database = await openDatabase({ dataDir, log: silentLog });
  const rows = await rowsOf(database, sql`select id from files order by id`);
  await database.close();
  expect(rows.map(({ id }) => String(id)).sort()).toEqual(names.sort());
});

/** Ten megabytes of what cannot be compressed, and no less when it has been encoded anew. */
async function hugePhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  return sharp({ create: { width: 1_780, height: 1_780, channels: 3, background: '#123456', noise } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

it.runIf(isTorture)(
  'a flood of photos never takes the disk from the database, which serves on, restarts and is clean',
  async (context) => {
    const reason = noSmallDisk();
    if (reason) context.skip(reason);
    const disk = makeSmallDisk(400);
    onTestFinished(() => disk.remove());
    const dataDir = path.join(disk.directory, 'data');
    await prepareDataDir(dataDir);
    const server = await startBuiltServer({ dataDir });
    onTestFinished(async () => void (await server.stop().catch(() => undefined)));
    const { origin } = server;
    const staff = await signInStaff(origin);
    const form = formWithFile(await hugePhoto());
    const upload = (token: string) => send(origin, { path: '/api/upload', token, form });
    const freeBytes = () => {
      const { bavail, bsize } = fs.statfsSync(disk.directory);
      return bavail * bsize;
    };

    // One account alone: as many as it likes, and no more than sixty megabytes of them stay.
    const flooder = await registerBorrower(origin);
    const before = freeBytes();
    for (let sent = 0; sent < 38; sent += 2) {
      const answers = await Promise.all([upload(flooder.token), upload(flooder.token)]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    }
    expect(before - freeBytes()).toBeLessThan(100 * 1024 ** 2);

    // Many accounts: until the rest is the database's, and then no further.
    let last: Answer | undefined;
    for (let account = 0; account < 10 && last?.status !== 507; account += 1) {
      const { token } = await registerBorrower(origin);
      for (let sent = 0; sent < 5 && last?.status !== 507; sent += 1) last = await upload(token);
    }
    expect([last?.status, last?.body.code]).toEqual([507, 'storage_full']);
    expect(freeBytes()).toBeGreaterThan(100 * 1024 ** 2);

    const borrower = await registerBorrower(origin);
    const withdraws = async (from: string, token: string, balance: string) => {
      await fund(from, token, borrower, balance);
      await succeed(from, withdrawalBy(borrower));
    };
    await withdraws(origin, staff, '5000.00');
    expect((await verifyThroughServer(dataDir)()).isClean).toBe(true);
    expect(await server.stop()).toBe(0);

    const next = await startBuiltServer({ dataDir });
    onTestFinished(async () => void (await next.stop()));
    expect(await balanceOf(next.origin, borrower)).toBe('4000.00');
    await withdraws(next.origin, staff, '9000.00');
    expect((await verifyThroughServer(dataDir)()).isClean).toBe(true);
  },
);
