import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '#domain/limits.ts';
import { form, formWithFile, photo } from '#tests/setup/photo.ts';
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts';

/**
 * Clients that take their time or bring too much, on a server that listens. The bounds themselves are the product's;
 * only the two that are waited for are shortened here, on the very socket server that the app listens with.
 */
let server: TestServer;
let port: number;
let token: string;

const headersWithinMs = 1_500;
const requestWithinMs = 2_500;

beforeAll(async () => {
  server = await startTestServer();
  token = (await server.registerBorrower()).token;
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  port = (server.app.server.address() as net.AddressInfo).port;
});
afterAll(() => server.close());

type Talk = { answer: string; tookMs: number };

/** Says something piece by piece and reads until the other side hangs up. */
function talk(pieces: Iterable<string | Buffer>, everyMs = 0): Promise<Talk> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    const rest = pieces[Symbol.iterator]();
    let answer = '';
    const end = () => {
      clearInterval(timer);
      resolve({ answer, tookMs: performance.now() - begun });
    };
    const say = () => {
      const { value, done } = rest.next();
      if (!done && socket.writable) socket.write(value);
    };
    const timer = setInterval(say, Math.max(1, everyMs));
    socket.setTimeout(20_000, () => {
      socket.destroy();
      reject(new Error(`no end after: ${answer}`));
    });
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('close', end);
    // Hung up on while still speaking: what was answered before that counts.
    socket.on('error', () => undefined);
    say();
  });
}

const statusOf = ({ answer }: Talk) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
const codeOf = ({ answer }: Talk) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).code;

function head(line: string, headers: Record<string, string | number> = {}): string {
  const all = { Host: 'x', Connection: 'close', ...headers };
  return `${line} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
}

const signedIn = () => ({ Authorization: `Bearer ${token}` });

describe('the product’s bounds', () => {
  it('are those of the socket that it listens with', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = server.app.server;
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout }).toEqual({
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      timeout: limits.connectionTimeoutMs,
    });
    expect(limits.headersTimeoutMs).toBeLessThanOrEqual(limits.requestTimeoutMs);
  });
});

describe('a client that takes its time', () => {
  let slow: TestServer;
  let usualPort: number;
  beforeAll(async () => {
    slow = await startTestServer();
    const { server: http } = slow.app;
    http.headersTimeout = headersWithinMs;
    http.requestTimeout = requestWithinMs;
    await slow.app.listen({ port: 0, host: '127.0.0.1' });
    usualPort = port;
    port = (http.address() as net.AddressInfo).port;
  });
  afterAll(async () => {
    port = usualPort;
    await slow.close();
  });

  // Side by side: both wait for the same look at who is over their time.
  it.concurrent('with its headers is hung up on', async ({ expect }) => {
    function* dripping() {
      yield 'GET /api/exchange-rates HTTP/1.1\r\nHost: x\r\n';
      for (let number = 0; ; number += 1) yield `X-${number}: y\r\n`;
    }
    const said = await talk(dripping(), 100);
    expect(statusOf(said)).toBe(408);
    expect(codeOf(said)).toBe('malformed');
    expect(said.tookMs).toBeLessThan(headersWithinMs + 3 * limits.slowClientsEveryMs);
  });

  it.concurrent('with its body is hung up on', async ({ expect }) => {
    const { token: own } = await slow.registerBorrower();
    function* dripping() {
      yield head('PUT /api/user/profile', {
        Authorization: `Bearer ${own}`,
        'Content-Type': 'application/json',
        'Content-Length': 60_000,
      });
      for (;;) yield ' ';
    }
    const said = await talk(dripping(), 100);
    expect([0, 400, 408]).toContain(statusOf(said));
  });

  it('does not keep others from being served', async () => {
    const idle = Array.from({ length: 200 }, () => net.connect(port, '127.0.0.1'));
    for (const socket of idle) {
      socket.on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\n');
    }
    const said = await talk([head('GET /healthz')]);
    expect(statusOf(said)).toBe(200);
    for (const socket of idle) socket.destroy();
  });
});

describe('a client that brings too much', () => {
  const long = 'a'.repeat(limits.headersMaxBytes);
  const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, number) => [`X-${number}`, 'abc']));
  const tooDeep = `/api/loans/${'9'.repeat(limits.pathPartMaxLength + 1)}/schedule`;
  const json = { 'Content-Type': 'application/json' };
  const file = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': 2 ** 33 };

  async function expectAnswer(pieces: Iterable<string | Buffer>, status: number, code: string) {
    const said = await talk(pieces);
    expect([statusOf(said), codeOf(said)]).toEqual([status, code]);
  }

  // Not a byte of the body has been sent yet.
  it.each<[what: string, line: string, headers: Record<string, string | number>, number, string]>([
    ['in one header', 'GET /healthz', { 'X-Long': long }, 431, 'headers_too_large'],
    ['in many headers', 'GET /healthz', many, 431, 'headers_too_large'],
    ['in its query', `GET /api/exchange-rates?q=${long}`, {}, 431, 'headers_too_large'],
    ['in its path', `GET ${tooDeep}`, {}, 404, 'not_found'],
    [
      'in a body that says how long it is',
      'PUT /api/user/profile',
      { ...json, 'Content-Length': limits.jsonBodyMaxBytes + 1 },
      413,
      'too_large',
    ],
    ['in a file that says how long it is', 'POST /api/upload', file, 413, 'too_large'],
  ])('%s', (_, line, headers, status, code) =>
    expectAnswer([head(line, { ...signedIn(), ...headers })], status, code),
  );

  it('in a body that does not', async () => {
    const chunk = `${(16_384).toString(16)}\r\n${'a'.repeat(16_384)}\r\n`;
    function* endless() {
      yield head('PUT /api/user/profile', { ...signedIn(), ...json, 'Transfer-Encoding': 'chunked' });
      for (let chunks = 0; chunks < 400; chunks += 1) yield chunk;
    }
    await expectAnswer(endless(), 413, 'too_large');
  });

  it('in JSON that goes deep', async () => {
    const body = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
    const headers = { ...signedIn(), ...json, 'Content-Length': body.length };
    const said = await talk([head('POST /api/loans', headers), body]);
    expect(statusOf(said)).toBe(400);
  });

  async function expectMalformed(parts: Parameters<typeof form>[0]) {
    const { payload, headers } = form(parts);
    const length = { 'Content-Length': payload.length };
    const first = head('POST /api/upload', { ...signedIn(), ...headers, ...length });
    await expectAnswer([first, payload], 400, 'malformed');
  }

  it('in parts of a form', async () => {
    const content = await photo();
    const parts = Array.from({ length: 200 }, (_, number) => ({ name: `field${number}`, content: 'x' }));
    await expectMalformed([...parts, { name: 'file', filename: 'a.jpg', content }]);
  });

  it('in files of a form', async () => {
    const content = await photo();
    await expectMalformed(
      ['a', 'b', 'c'].map((name) => ({ name: 'file', filename: `${name}.jpg`, content })),
    );
  });
});

describe('a body that was refused before it was read', () => {
  /** Sends as much as is taken, and never all; what was answered, and how much was taken after that. */
  async function pour(path: string, headers: Record<string, string> = {}) {
    const socket = net.connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
    });
    const all = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': 2 ** 33, ...headers };
    socket.write(head(`POST ${path}`, { ...all, Connection: 'keep-alive' }));
    const piece = Buffer.alloc(64 * 1024);
    const fill = () => {
      while (socket.writable && socket.write(piece));
    };
    socket.on('drain', fill);
    fill();
    await expect.poll(() => answer).not.toBe('');
    const taken = () => socket.bytesWritten - socket.writableLength;
    const before = taken();
    await sleep(1_000);
    return {
      status: statusOf({ answer, tookMs: 0 }),
      bytesPerSecond: taken() - before,
      goesOn: () => taken() > before,
    };
  }

  it('is discarded slowly, and the refusal does not wait for it', async () => {
    const all = await Promise.all([
      ...Array.from({ length: 4 }, () => pour('/api/upload')),
      ...Array.from({ length: 4 }, () => pour('/api/upload', signedIn())),
    ]);
    expect(all.map(({ status }) => status)).toEqual([401, 401, 401, 401, 413, 413, 413, 413]);
    const bytesPerSecond = all.reduce((sum, one) => sum + one.bytesPerSecond, 0);
    // The kernel may take nothing for some seconds, until it has room for a large piece.
    await expect.poll(() => all.some(({ goesOn }) => goesOn())).toBe(true);
    // Half as many again: a piece is taken before its time has passed.
    expect(bytesPerSecond).toBeLessThan(1.5 * limits.discardedBytesPerSecond);
  });

  it('is taken to its end, after which the connection goes on', async () => {
    const body = 'x'.repeat(300_000);
    const two = [
      head('POST /api/upload', {
        Connection: 'keep-alive',
        'Content-Type': 'multipart/form-data; boundary=x',
        'Content-Length': body.length,
      }),
      body,
      head('GET /healthz'),
    ];
    const { answer } = await talk([two.join('')]);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });
});

describe('answers that are not taken', () => {
  /** In place of the product's thirty seconds at two kilobytes each, which nobody waits for here. */
  const slowSeconds = 3;
  const bounds: { replySlowSeconds: number; replyMinBytesPerSecond: number } = limits;
  const { replySlowSeconds, replyMinBytesPerSecond } = limits;
  let owner: { token: string; url: string };
  beforeAll(async () => {
    Object.assign(bounds, { replySlowSeconds: slowSeconds, replyMinBytesPerSecond: 50_000 });
    const { token: own } = await server.registerBorrower();
    // More than the kernel takes on its own: nothing of it can be made smaller.
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const file = await sharp({
      create: { width: 1_780, height: 1_780, channels: 3, background: '#123456', noise },
    })
      .png({ compressionLevel: 0 })
      .toBuffer();
    owner = { token: own, url: (await server.upload(own, file)).url };
  }, 60_000);
  afterAll(() => {
    Object.assign(bounds, { replySlowSeconds, replyMinBytesPerSecond });
  });

  const archive = '/api/user/data.zip';

  /** A copy of one's own data takes the password. */
  function requestOf(pathname: string, bearer: string): string {
    const headers = { Authorization: `Bearer ${bearer}` };
    if (pathname !== archive) return head(`GET ${pathname}`, headers);
    const body = JSON.stringify({ password: 'borrower password' });
    const ofBody = { 'Content-Type': 'application/json', 'Content-Length': body.length };
    return head(`POST ${pathname}`, { ...headers, ...ofBody }) + body;
  }

  function ask(pathname: string, ownToken = owner.token) {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    socket.write(requestOf(pathname, ownToken));
    return socket;
  }

  it('are not too many for one account, are ended, and hold up nobody else meanwhile', async () => {
    const paths = [owner.url, archive];
    const slow = Array.from({ length: 100 }, (_, n) => ask(paths[n % 10 === 0 ? 1 : 0] ?? ''));
    const read = slow.map(() => '');
    // A little from time to time, and never to the end.
    for (const socket of slow) socket.pause();
    const dripping = setInterval(() => {
      for (const [n, socket] of slow.entries()) read[n] += socket.read(100)?.toString('latin1') ?? '';
    }, 200);
    onTestFinished(() => clearInterval(dripping));
    const honest = await server.registerBorrower();
    const others = await server.upload(honest.token);
    const untilMs = performance.now() + slowSeconds * 1_000;
    while (performance.now() < untilMs) {
      for (const pathname of ['/api/loans/user', archive, others.url]) {
        const { answer } = await talk([requestOf(pathname, honest.token)]);
        expect(statusOf({ answer, tookMs: 0 })).toBe(200);
      }
      await sleep(200);
    }
    const connections = () =>
      new Promise<number>((resolve, reject) =>
        server.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      );
    await expect.poll(connections).toBe(0);
    const answered = (status: number) => read.filter((text) => text.startsWith(`HTTP/1.1 ${status} `)).length;
    expect(answered(200)).toBeGreaterThan(0);
    // The copies of one's own data are asked for by POST, and count with the rest.
    expect(answered(200)).toBeLessThanOrEqual(limits.unreadRepliesPerAccount);
    expect(answered(429)).toBeGreaterThanOrEqual(50);
  });

  it('are given whole to who takes them at a slow network’s pace', async () => {
    const socket = ask(owner.url);
    socket.pause();
    let bytes = 0;
    const begun = performance.now();
    const ended = new Promise((resolve) => socket.once('close', resolve));
    const timer = setInterval(() => {
      bytes += socket.read()?.length ?? 0;
    }, 40);
    onTestFinished(() => clearInterval(timer));
    await ended;
    expect(bytes).toBeGreaterThan(9_000_000);
    expect(performance.now() - begun).toBeGreaterThan(slowSeconds * 1_000);
  });
});

describe('photos that are sent', () => {
  /** In place of the product's thirty, which nobody waits for here. */
  const slowSeconds = 5;
  const bounds: { uploadSlowSeconds: number } = limits;
  const { uploadSlowSeconds } = limits;
  beforeAll(() => {
    bounds.uploadSlowSeconds = slowSeconds;
  });
  afterAll(() => {
    bounds.uploadSlowSeconds = uploadSlowSeconds;
  });

  /** A form of which the last bytes are never sent, but on request. */
  async function openForm(owner: string, options: { file?: Buffer; from?: string; sendBytes?: number } = {}) {
    const { file = await photo(), from = '127.0.0.1', sendBytes = 200 } = options;
    const { payload, headers } = formWithFile(file);
    const socket = net.connect({ port, host: '127.0.0.1', localAddress: from });
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    const top = head('POST /api/upload', {
      Authorization: `Bearer ${owner}`,
      ...headers,
      'Content-Length': payload.length,
    });
    await new Promise<void>((sent) =>
      socket.write(Buffer.concat([Buffer.from(top), payload.subarray(0, sendBytes)]), () => sent()),
    );
    return {
      socket,
      answer: () => answer,
      status: () => statusOf({ answer, tookMs: 0 }),
      code: () => codeOf({ answer, tookMs: 0 }),
      finish: () => socket.write(payload.subarray(sendBytes)),
    };
  }

  const newToken = async () => (await server.registerBorrower()).token;

  it('two at once of one account: a third waits for its turn, and nobody else waits for them', async () => {
    const owner = await newToken();
    const [first, second, third] = [await openForm(owner), await openForm(owner), await openForm(owner)];
    third.finish();
    const other = await openForm(await newToken());
    other.finish();
    await expect.poll(other.status).toBe(201);
    expect([first, second, third].map(({ status }) => status())).toEqual([0, 0, 0]);
    second.finish();
    await expect.poll(second.status).toBe(201);
    await expect.poll(third.status).toBe(201);
    expect(first.status()).toBe(0);
  });

  it('whose sender has gone take no turn from those after them', async () => {
    const owner = await newToken();
    const held = [await openForm(owner), await openForm(owner)];
    const gone = [await openForm(owner), await openForm(owner), await openForm(owner)];
    for (const { socket } of gone) socket.destroy();
    const last = await openForm(owner);
    last.finish();
    await sleep(200);
    expect(last.status()).toBe(0);
    for (const { socket } of held) socket.destroy();
    await expect.poll(last.status).toBe(201);
  });

  it('slowly hold up nobody: 124 of one account are ended or sent away, and everybody else’s are taken', async () => {
    const flooder = await newToken();
    const slow = await Promise.all(Array.from({ length: 124 }, () => openForm(flooder)));
    const dripping = setInterval(() => {
      for (const { socket } of slow) if (socket.writable) socket.write('\0');
    }, 1_000);
    onTestFinished(() => clearInterval(dripping));
    const answered = () => slow.filter(({ status }) => status() !== 0);
    const sentAway = 124 - limits.uploadsPerAccount - limits.uploadsWaitingPerAccount;
    await expect.poll(() => answered().length).toBe(sentAway);
    for (const form of answered()) {
      expect([form.status(), form.code()]).toEqual([429, 'too_many_uploads']);
      expect(form.answer()).toMatch(/\r\nretry-after: \d+\r\n/i);
    }
    const honest = await newToken();
    const untilMs = performance.now() + slowSeconds * 1_000;
    while (performance.now() < untilMs) {
      const form = await openForm(honest);
      form.finish();
      await expect.poll(form.status).toBe(201);
      await sleep(1_000);
    }
    const tooSlow = () => slow.filter(({ status }) => status() === 408);
    await expect.poll(() => tooSlow().length).toBeGreaterThanOrEqual(limits.uploadsPerAccount);
    for (const form of tooSlow()) expect(form.code()).toBe('upload_too_slow');
    await expect.poll(() => tooSlow().every(({ socket }) => socket.closed)).toBe(true);
  });

  it('hold no more memory than one network’s share, and leave the rest to others', async () => {
    const bytes = limits.documentMaxBytes - 2_000;
    const count = Math.floor(limits.uploadsHeldPerNetworkMaxBytes / (bytes + limits.uploadFormHeldBytes));
    const owners: string[] = [];
    for (let n = 0; n <= count / limits.uploadsPerAccount; n += 1) owners.push(await newToken());
    const file = Buffer.alloc(bytes);
    const openNth = (n: number) =>
      openForm(owners[Math.floor(n / limits.uploadsPerAccount)] ?? '', { file, sendBytes: bytes });
    const forms = await Promise.all(Array.from({ length: count + 1 }, (_, n) => openNth(n)));
    await expect
      .poll(() => forms.filter(({ status }) => status() !== 0).map(({ status }) => status()))
      .toEqual([503]);
    const fairPhoto = Buffer.concat([await photo(), Buffer.alloc(1_000_000)]);
    const neighbour = await openForm(await newToken(), { file: fairPhoto, from: '127.0.0.2' });
    neighbour.finish();
    await expect.poll(neighbour.status).toBe(201);
    // A form that is over makes room again.
    for (const { socket } of forms) socket.destroy();
    const next = await openForm(await newToken(), { file: fairPhoto });
    next.finish();
    await expect.poll(next.status).toBe(201);
  });

  it('that take long to read, of one account, leave a decoder to everybody else', async () => {
    const flooder = await newToken();
    // Ten seconds and more on a slow machine, from 400 kB: 49 megapixels of 16 bits a channel.
    const side = 7_000;
    const file = await sharp({ create: { width: side, height: side, channels: 4, background: '#0000' } })
      .toColourspace('rgb16')
      .png({ progressive: true })
      .toBuffer();
    const flood = await Promise.all(Array.from({ length: 8 }, () => openForm(flooder, { file })));
    for (const { finish } of flood) finish();
    const honest = await newToken();
    for (let sent = 0; sent < 5; sent += 1) {
      const form = await openForm(honest);
      form.finish();
      await expect.poll(form.status).toBe(201);
    }
    expect(flood.filter(({ status }) => status() === 201).length).toBeLessThan(flood.length);
  });
});
