import { expect, it, onTestFinished } from 'vitest';
import { createGateways } from '#server/platform/gateways/gateways.ts';
import { createSender } from '#server/services/message-sender.ts';
import { putMessage } from '#server/services/outbox-service.ts';
import { makeReminders } from '#server/services/reminder-service.ts';
import { passingTextGateway } from '#tests/setup/gateway-servers.ts';
import { confirmAll, messaging, rowsOf, sendAll } from '#tests/setup/outbox.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { disbursedLoan } from './lending.ts';

const settings = messaging({ email: undefined });
const server = await testServer({ engine: 'postgres', config: settings });

/** Makes the parts of a second process of this installation: its own gateways and sender, the same database. */
async function twoProcesses() {
  const gateway = await passingTextGateway();
  const sms = { gateway: 'semaphore', apiKey: 'key', sender: 'HIRAM', url: gateway.url } as const;
  const process = () => {
    const gateways = createGateways({
      settings: { ...settings.messaging, sms },
      dataDir: server.dataDir,
      clock: server.deps.clock,
    });
    const deps = { ...server.deps, gateways };
    onTestFinished(() => gateways.sms?.close());
    return { deps, sender: createSender(deps) };
  };
  return { gateway, processes: [process(), process()] };
}

it('two processes send each message once, and share its limits', async () => {
  const borrower = await server.registerBorrower();
  await confirmAll(server, borrower);
  const { gateway, processes } = await twoProcesses();
  const count = isTorture ? 1_000 : 60;
  const account = { id: borrower.id, language: 'en' as const };
  await server.database.transaction(async (tx) => {
    for (let number = 1; number <= count; number += 1) {
      const details = { amount: `₱${number}.00`, change: 'added' };
      const put = {
        kind: 'balance_changed',
        channel: 'sms',
        account,
        address: '+639171234567',
        details,
      } as const;
      await putMessage({ deps: server.deps, tx }, put);
    }
  });
  const startedMs = performance.now();
  gateway.delay(50);
  await Promise.all(processes.map(({ sender }) => sender.look()));
  await Promise.all(processes.map(({ sender }) => sender.settled()));
  const tookMs = performance.now() - startedMs;
  expect(new Set(gateway.arrived.map(({ message }) => message)).size).toBe(count);
  expect(gateway.arrived).toHaveLength(count);
  const rows = (await rowsOf(server)).filter(({ kind }) => kind === 'balance_changed');
  expect(rows.filter(({ state, tries }) => state === 'sent' && tries === 1)).toHaveLength(count);
  expect(tookMs).toBeLessThan(60_000);
});

it('two processes that start in the same second make the day’s reminders once', async () => {
  const borrower = await server.verifiedBorrower();
  await server.main.updateMember(borrower.id, { phoneConfirmed: true });
  for (const date of ['2026-01-07', '2026-01-10']) await disbursedLoan(server, borrower, { date });
  const { processes } = await twoProcesses();
  const made = await Promise.all([...processes, ...processes].map(({ deps }) => makeReminders(deps)));
  expect(made.reduce((sum, one) => sum + one, 0)).toBe(2);
  server.clock.advance({ hours: -1 });
  await Promise.all(processes.map(({ deps }) => makeReminders(deps)));
  await sendAll(server);
  const reminders = (await rowsOf(server)).filter(({ remindOn }) => remindOn !== null);
  expect(reminders.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['overdue', null],
    ['due_today', 'merged'],
  ]);
});
