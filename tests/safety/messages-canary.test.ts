import { expect, it, onTestFinished } from 'vitest';
import { createGateways } from '#server/platform/gateways/gateways.ts';
import { createLogger } from '#server/platform/logger.ts';
import { createMetrics } from '#server/platform/metrics.ts';
import { createSender } from '#server/services/message-sender.ts';
import { auditEntries } from '#server/store/schema.ts';
import { passingTextGateway } from '#tests/setup/gateway-servers.ts';
import { idleParts } from '#tests/setup/idle-parts.ts';
import { codeIn, messaging, rowsOf } from '#tests/setup/outbox.ts';
import { passingServer } from '#tests/setup/test-server.ts';

it('codes, numbers, addresses and keys of messages appear in no log, figure, list or entry', async () => {
  const gateway = await passingTextGateway();
  const sms = {
    gateway: 'semaphore',
    apiKey: 'key-that-is-secret',
    sender: 'HIRAM',
    url: gateway.url,
  } as const;
  const lines: string[] = [];
  const config = messaging({ sms, email: undefined });
  const metrics = createMetrics({
    ...idleParts,
    messages: { read: async () => ({ waiting: 1, oldestSeconds: 2, codesToday: 3 }), codesDailyMax: 500 },
  });
  const log = createLogger({ level: 'trace', destination: { write: (line) => void lines.push(line) } });
  const server = await passingServer({ config, deps: { log, metrics } });
  const gateways = createGateways({
    settings: config.messaging,
    dataDir: server.dataDir,
    clock: server.clock,
  });
  onTestFinished(() => gateways.sms?.close());
  const sender = createSender({ ...server.deps, gateways });
  const send = async () => {
    await sender.look();
    await sender.settled();
  };
  const borrower = await server.registerBorrower({ phone: '09171234567', email: 'juan.cruz@example.com' });
  await borrower.sendPhoneCode();
  await send();
  const code = codeIn(gateway.arrived[0]?.message);
  await borrower.confirmPhone({ code });
  for (const answer of ['taken', 'cut', 'nonsense', 'redirect', { status: 503 }, { status: 401 }] as const) {
    gateway.answer(answer);
    await server.fund(borrower.id, 1_000 + Math.round(Math.random() * 1_000_000));
    await send();
  }
  await server.main.deleteUser(borrower.id).catch(() => undefined);
  const entries = await server.database.read((reader) => reader.select().from(auditEntries));
  const seen = {
    log: lines.join(''),
    metrics: await metrics.text(),
    list: JSON.stringify(await server.main.listMessages()),
    audit: JSON.stringify(entries),
    rows: JSON.stringify(await rowsOf(server)),
  };
  expect(seen.metrics).toContain('messages_sent_total{channel="sms",state="unknown"}');
  const secrets = [code, '9171234567', 'juan.cruz@example.com', 'key-that-is-secret', gateway.url];
  const found = Object.entries(seen).flatMap(([place, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${place}: ${secret}`),
  );
  expect(found).toEqual([]);
});
