import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { passingTextGateway } from '#tests/setup/gateway-servers.ts';
import { codeIn } from '#tests/setup/outbox.ts';
import { hasPostgres, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { isTorture, tortureTimeoutMs } from '#tests/setup/torture.ts';
import { memberEdit, registerBorrower, send, sendUntilAnswered, signInStaff, succeed } from './client.ts';
import { someTime, startKillableServer } from './killed-server.ts';

const texts = isTorture ? 300 : 40;
const kills = isTorture ? 20 : 1;

type Row = { state: string; kind: string };

describe.each(['embedded', 'postgres'] as const)(
  'a server on the %s engine that is killed in a run of texts',
  (engine) => {
    const isAsked = engine === 'embedded' || (isTorture && hasPostgres());
    it.skipIf(!isAsked)(
      'sends each of them once, or knows that it does not know',
      async () => {
        const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-outbox-'));
        onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
        const gateway = await passingTextGateway();
        gateway.delay(30);
        const settings: Record<string, string> = {
          SMS_GATEWAY: 'semaphore',
          SMS_API_KEY: 'key',
          SMS_SENDER: 'HIRAM',
          SMS_URL: gateway.url,
          SMS_PER_MINUTE: '100000',
          RATE_LIMIT_SCALE: '1000',
        };
        if (engine === 'postgres') {
          const database = await startPostgresServer();
          onTestFinished(() => database.stop());
          settings.DATABASE_URL = database.url;
        }
        const server = await startKillableServer({ dataDir, settings });
        onTestFinished(async () => void (await server.stop()));
        const staff = await signInStaff(server.origin);
        const borrower = await registerBorrower(server.origin);
        const { token } = borrower;
        await succeed(server.origin, { method: 'POST', path: '/api/user/contact/phone/code', token });
        await expect.poll(() => gateway.arrived.length).toBe(1);
        const code = codeIn(gateway.arrived[0]?.message);
        await succeed(server.origin, { path: '/api/user/contact/phone/confirm', token, body: { code } });

        let balance = 0;
        const deeds = (async () => {
          for (let amount = 1; amount <= texts; amount += 1) {
            balance += amount;
            const edit = {
              ...memberEdit(staff, borrower, { balance }),
              key: `deed ${amount}`.replace(' ', '-'),
            };
            await sendUntilAnswered(() => server.origin, edit);
          }
        })();
        for (let kill = 0; kill < kills; kill += 1) {
          await someTime();
          await server.kill();
          await server.start();
        }
        await deeds;
        // A deed that is rolled back tells nothing.
        const stale = { ...memberEdit(staff, borrower, { balance: 5, expectedBalance: 1 }), key: 'stale' };
        expect((await send(server.origin, stale)).status).toBe(409);

        const list = { path: '/api/admin/messages?kind=balance_changed', token: staff };
        const readRows = async () => (await send(server.origin, list)).body as unknown as Row[];
        const count = (rows: Row[], ...states: string[]) =>
          rows.filter(({ state }) => states.includes(state)).length;
        await expect.poll(async () => count(await readRows(), 'queued'), { timeout: 60_000 }).toBe(0);
        await sleep(500);
        const rows = await readRows();
        const sent = count(rows, 'sent');
        const told = gateway.arrived
          .filter(({ message }) => message.includes('added'))
          .map(({ message }) => message);
        expect(rows).toHaveLength(texts);
        expect(sent + count(rows, 'sending', 'unknown')).toBe(texts);
        expect(new Set(told).size).toBe(told.length);
        expect(told.length).toBeGreaterThanOrEqual(sent);
        // At most what was under way at each kill is not known.
        expect(texts - sent).toBeLessThanOrEqual(8 * kills);
      },
      tortureTimeoutMs(240_000),
    );
  },
);
