import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { formWithFile, photo } from '#tests/setup/photo.ts';
import { hasPostgres, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { temporaryDirectory } from '#tests/setup/temporary-directory.ts';
import { withClient } from '#tests/setup/test-database.ts';
import { rounds, tortureTimeoutMs } from '#tests/setup/torture.ts';
import { registerBorrower, send } from './client.ts';
import { startKillableServer } from './killed-server.ts';

const uploadsAtOnce = 8;

/** Part of the kills of the long form, since each needs no load to be set up. */
const kills = Math.max(2, Math.floor(rounds.kills / 3));

it.skipIf(!hasPostgres())(
  'leaves no file that no row knows of when the server is killed in the middle of uploads',
  { timeout: tortureTimeoutMs(300_000) },
  async () => {
    const dataDir = temporaryDirectory();
    const postgres = await startPostgresServer();
    onTestFinished(() => postgres.stop());
    const settings = { DATABASE_URL: postgres.url };
    const server = await startKillableServer({ dataDir, settings });
    onTestFinished(() => server.kill().catch(() => undefined));
    const { token } = await registerBorrower(server.origin);
    const form = formWithFile(await photo());
    const told: string[] = [];

    let isKilled = false;
    async function uploadUntilKilled(): Promise<void> {
      while (!isKilled) {
        const answer = await send(server.origin, { path: '/api/upload', token, form }).catch(() => undefined);
        if (answer?.status === 201) told.push(String(answer.body.id));
        else await sleep(10);
      }
    }

    for (let kill = 0; kill < kills; kill += 1) {
      isKilled = false;
      const uploading = Array.from({ length: uploadsAtOnce }, uploadUntilKilled);
      // The first one after a start is slow, and the kills shall meet the others at any point.
      const warm = told.length + uploadsAtOnce;
      while (told.length < warm) await sleep(5);
      await sleep(Math.random() * 100);
      await server.kill();
      isKilled = true;
      await Promise.all(uploading);
      await server.start();
    }
    const { rows } = await withClient(postgres.url, (client) =>
      client.query<{ id: string; dropped: boolean }>(
        "select id, created_at <= 'epoch' as dropped from files",
      ),
    );
    const known = new Set(rows.map(({ id }) => id));
    const names = fs
      .readdirSync(path.join(dataDir, 'files'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes(path.sep))
      .map((name) => path.basename(name));
    // A draft that was cut short bears the id of its row in front.
    expect(names.filter((name) => !known.has(name.split('.')[0] ?? ''))).toEqual([]);
    expect(told.length).toBeGreaterThan(kills);
    // Housekeeping drops the oldest photos that nobody has attached, so only the last ones are there.
    const kept = new Set(rows.flatMap(({ id, dropped }) => (dropped ? [] : [id])));
    expect(kept).toContain(told.at(-1));
    for (const id of told) if (kept.has(id)) expect(names).toContain(id);
  },
);
