import type { SMTPServerOptions } from 'smtp-server';
import { describe, expect, it } from 'vitest';
import type { MessageState } from '#domain/message.ts';
import { createGateways } from '#server/platform/gateways/gateways.ts';
import { createSender } from '#server/services/message-sender.ts';
import { type GatewayAnswer, passingMailServer, passingTextGateway } from '#tests/setup/gateway-servers.ts';
import { messaging, rowsOf } from '#tests/setup/outbox.ts';
import { passingServer, type TestServer } from '#tests/setup/test-server.ts';

async function withTexts() {
  const gateway = await passingTextGateway();
  const sms = {
    gateway: 'semaphore',
    apiKey: 'a key that is secret',
    sender: 'HIRAM',
    url: gateway.url,
  } as const;
  const server = await passingServer({ config: messaging({ sms, email: undefined }) });
  return { gateway, server };
}

async function withMail(url: string) {
  const email = { gateway: 'smtp', url, from: { name: 'Hiram', address: 'loans@example.com' } } as const;
  const settings = messaging({ sms: undefined, email });
  const server = await passingServer({ config: settings });
  return server;
}

/** A trial text, which needs no borrower; then what the sender makes of the whole outbox. */
async function send(server: TestServer, to = '09171234567', channel: 'sms' | 'email' = 'sms') {
  await server.main.sendTrial({ channel, to });
  await look(server);
  return (await rowsOf(server)).at(-1);
}

async function look(server: TestServer) {
  const sender = createSender(server.deps);
  await sender.look();
  await sender.settled();
}

describe('a text gateway', () => {
  it('gets the fields that it documents', async () => {
    const { gateway, server } = await withTexts();
    expect(await send(server)).toMatchObject({ state: 'sent', tries: 1, gatewayId: '1', reason: null });
    expect(gateway.asked).toEqual([
      {
        path: '/api/v4/messages',
        apikey: 'a key that is secret',
        number: '639171234567',
        message: 'Hiram: This is a trial message. If you can read it, messages reach you.',
        sendername: 'HIRAM',
      },
    ]);
  });

  type Row = [
    name: string,
    GatewayAnswer,
    state: MessageState,
    tries: number,
    arrived: number,
    reason: string | null,
  ];
  const rows: Row[] = [
    ['takes it', 'taken', 'sent', 1, 1, null],
    ['takes it and says that it failed', 'failed', 'failed', 1, 1, 'refused 200'],
    ['answers 429', { status: 429, headers: { 'retry-after': '90' } }, 'queued', 0, 0, null],
    ['answers 503', { status: 503 }, 'queued', 1, 0, 'not_reached 503'],
    ['answers 400', { status: 400 }, 'failed', 1, 0, 'refused 400'],
    ['answers 404', { status: 404 }, 'failed', 1, 0, 'refused 404'],
    ['answers 401', { status: 401 }, 'queued', 0, 0, null],
    ['answers 500', { status: 500 }, 'unknown', 1, 0, 'no_answer 500'],
    [
      'refuses the key with a 200',
      { status: 200, body: { apikey: ['The selected apikey is invalid.'] } },
      'queued',
      0,
      0,
      null,
    ],
    [
      'refuses the number with a 200',
      { status: 200, body: { number: ['The number format is invalid.'] } },
      'failed',
      1,
      0,
      'address_refused 200',
    ],
    [
      'answers without message_id',
      { status: 200, body: [{ status: 'Queued' }] },
      'failed',
      1,
      0,
      'refused 200',
    ],
    ['answers nonsense', 'nonsense', 'unknown', 1, 1, 'nonsense 200'],
    ['answers with 20 MB', 'huge', 'unknown', 1, 1, 'nonsense'],
    ['cuts the connection after the text was written', 'cut', 'unknown', 1, 1, 'no_answer'],
    ['answers with a redirect', 'redirect', 'unknown', 1, 0, 'nonsense 302'],
  ];

  it.each(rows)('%s', async (_, answer, state, tries, arrived, reason) => {
    const { gateway, server } = await withTexts();
    gateway.answerAlways(answer);
    expect(await send(server)).toMatchObject({ state, tries, reason });
    expect(gateway.arrived).toHaveLength(arrived);
    const asked = gateway.asked.length;
    expect(asked).toBe(1);
    // Looked at again at once, it is not asked again.
    await look(server);
    expect(gateway.asked).toHaveLength(asked);
  });

  it('never gets a text twice', async () => {
    for (const answer of ['taken', 'failed', 'cut', 'nonsense', 'redirect'] as const) {
      const { gateway, server } = await withTexts();
      gateway.answerAlways(answer);
      await send(server);
      gateway.answerAlways('taken');
      for (const minutes of [1, 5, 30, 120, 600]) {
        server.clock.advance({ minutes });
        await look(server);
      }
      expect(gateway.asked, answer).toHaveLength(1);
    }
  });

  it('that is not there is tried after 1, 5, 30 and 120 minutes', async () => {
    const { gateway, server } = await withTexts();
    await gateway.close();
    const states = [(await send(server))?.state];
    for (const minutes of [1, 5, 30, 120]) {
      server.clock.advance({ minutes });
      await look(server);
      states.push((await rowsOf(server)).at(-1)?.state);
    }
    expect(states).toEqual(['queued', 'queued', 'queued', 'queued', 'failed']);
    expect((await rowsOf(server)).at(-1)).toMatchObject({ tries: 5, reason: 'not_reached' });
  });

  it('that wants a pause gets it, for all texts, and it is no try', async () => {
    const { gateway, server } = await withTexts();
    gateway.answer({ status: 429, headers: { 'retry-after': '90' } });
    await send(server);
    await send(server, '09171234568');
    expect(gateway.asked).toHaveLength(1);
    server.clock.advance({ seconds: 89 });
    await look(server);
    expect(gateway.asked).toHaveLength(1);
    server.clock.advance({ seconds: 2 });
    await look(server);
    expect((await rowsOf(server)).map(({ state, tries }) => [state, tries])).toEqual([
      ['sent', 1],
      ['sent', 1],
    ]);
  });

  it('that refuses the key pauses the channel: Today says so, and one text in five minutes tries', async () => {
    const { gateway, server } = await withTexts();
    gateway.answerAlways({ status: 401 });
    await send(server);
    await send(server, '09171234568');
    expect(gateway.asked).toHaveLength(1);
    const { pausedChannels } = await server.main.readToday();
    expect(pausedChannels).toEqual([expect.objectContaining({ channel: 'sms', reason: 'key_refused 401' })]);
    server.clock.advance({ minutes: 5 });
    await look(server);
    expect(gateway.asked).toHaveLength(2);
    gateway.answerAlways('taken');
    server.clock.advance({ minutes: 5 });
    await look(server);
    await look(server);
    expect((await rowsOf(server)).map(({ state }) => state)).toEqual(['sent', 'sent']);
    expect((await server.main.readToday()).pausedChannels).toEqual([]);
  });

  it('is asked once after ten minutes what became of a text', async () => {
    const { gateway, server } = await withTexts();
    for (const to of ['09171234561', '09171234562', '09171234563']) await send(server, to);
    gateway.setState(1, 'Sent');
    gateway.setState(2, 'Refunded');
    server.clock.advance({ minutes: 10 });
    await look(server);
    await look(server);
    expect((await rowsOf(server)).map(({ state }) => state)).toEqual(['delivered', 'failed', 'sent']);
    expect(gateway.stateQuestions.toSorted()).toEqual(['1', '2', '3']);
  });

  it('gets no more texts a minute than the setting says', async () => {
    const gateway = await passingTextGateway();
    const sms = { gateway: 'semaphore', apiKey: 'key', sender: 'HIRAM', url: gateway.url } as const;
    const server = await passingServer({ config: messaging({ sms, email: undefined, smsPerMinute: 2 }) });
    for (let number = 1; number <= 5; number += 1) await send(server, `0917123456${number}`);
    expect(gateway.asked).toHaveLength(2);
    server.clock.advance({ seconds: 61 });
    await look(server);
    expect(gateway.asked).toHaveLength(4);
  });

  it('that hangs holds up neither other texts nor the end of the server', async () => {
    const { gateway, server } = await withTexts();
    gateway.answer('hanging');
    await server.main.sendTrial({ channel: 'sms', to: '09171234561' });
    const sender = createSender(server.deps);
    await sender.look();
    await expect.poll(() => gateway.arrived.length).toBe(1);
    await server.main.sendTrial({ channel: 'sms', to: '09171234562' });
    sender.wake();
    await expect.poll(() => gateway.arrived.length).toBe(2);
    const startedMs = performance.now();
    await sender.stop();
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect((await rowsOf(server)).map(({ state }) => state)).toEqual(['unknown', 'sent']);
  });

  it('leaves no connection lying around once it is closed', async () => {
    const { gateway } = await withTexts();
    const made = createGateways({
      settings: {
        smsPerMinute: 1,
        smsDailyMax: 1,
        sms: { gateway: 'semaphore', apiKey: 'k', sender: 's', url: gateway.url },
      },
      dataDir: '/nowhere',
      clock: { now: () => new Date() },
    });
    expect(made.sms?.name).toBe('semaphore');
    made.sms?.close();
  });
});

describe('a mail server', () => {
  it('gets plain text with the lender’s name, and a Message-ID of the row', async () => {
    const mail = await passingMailServer();
    const server = await withMail(mail.url);
    const row = await send(server, 'juan@example.com', 'email');
    expect(row).toMatchObject({ state: 'sent', tries: 1 });
    const [{ to = '', raw = '' } = {}] = mail.mails;
    expect(to).toBe('juan@example.com');
    expect(raw).toMatch(/^From: Hiram <loans@example\.com>$/m);
    expect(raw).toMatch(/^Subject: Hiram: about your account$/m);
    expect(raw).toMatch(new RegExp(`^Message-ID: <message-${row?.id}@example\\.com>$`, 'm'));
    expect(raw).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(raw).toMatch(/^Content-Type: text\/plain/m);
    expect(raw).toContain('This is a trial message.');
    expect(raw).toContain('Hiram Lending Corporation (sample)');
    expect(raw).not.toMatch(/http|multipart/i);
  });

  const refusing = (responseCode: number) => Object.assign(new Error('refused'), { responseCode });

  type Refuse = (error: Error) => void;
  const atRecipient = (code: number): SMTPServerOptions => ({
    onRcptTo: (_, __, done: Refuse) => done(refusing(code)),
  });
  const atMessage = (code: number): SMTPServerOptions => ({
    onData: (stream, _, done: Refuse) => {
      stream.resume();
      stream.on('end', () => done(refusing(code)));
    },
  });

  it.each<[string, SMTPServerOptions, MessageState, number, string | null]>([
    ['refuses the address', atRecipient(550), 'failed', 1, 'address_refused 550'],
    ['wants the address later', atRecipient(451), 'queued', 1, 'not_reached 451'],
    ['refuses the sender', { onMailFrom: (_, __, done: Refuse) => done(refusing(553)) }, 'queued', 0, null],
    ['refuses the message', atMessage(554), 'failed', 1, 'refused 554'],
    ['wants the message later', atMessage(452), 'queued', 1, 'not_reached 452'],
  ])('%s', async (_, options, state, tries, reason) => {
    const mail = await passingMailServer(options);
    const server = await withMail(mail.url);
    expect(await send(server, 'juan@example.com', 'email')).toMatchObject({ state, tries, reason });
    expect(mail.mails).toEqual([]);
  });

  it('that refuses the password pauses the channel', async () => {
    const mail = await passingMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_, __, done) => done(refusing(535)),
    });
    const server = await withMail(mail.url.replace('//', '//user:secret@'));
    expect(await send(server, 'juan@example.com', 'email')).toMatchObject({ state: 'queued', tries: 0 });
    expect((await server.main.readMessageChannels()).email).toMatchObject({ pauseReason: 'key_refused 535' });
  });

  it('that is not there is tried again', async () => {
    const mail = await passingMailServer();
    await mail.close();
    const server = await withMail(mail.url);
    expect(await send(server, 'juan@example.com', 'email')).toMatchObject({ state: 'queued', tries: 1 });
  });

  it('that cuts the connection before the message is asked for has not taken it; after that nobody knows', async () => {
    let cutAt: 'RCPT' | 'DATA' = 'RCPT';
    const sockets = new Set<{ destroy(): void }>();
    const mail = await passingMailServer({
      onRcptTo: (_, __, done) => {
        if (cutAt === 'RCPT') for (const socket of sockets) socket.destroy();
        else done();
      },
      onData: (stream) => {
        stream.resume().on('end', () => {
          for (const socket of sockets) socket.destroy();
        });
      },
    });
    mail.onSocket((socket) => sockets.add(socket));
    const server = await withMail(mail.url);
    expect(await send(server, 'juan@example.com', 'email')).toMatchObject({ state: 'queued', tries: 1 });
    cutAt = 'DATA';
    expect(await send(server, 'ana@example.com', 'email')).toMatchObject({ state: 'unknown', tries: 1 });
  });
});
