import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import {
  type Borrower,
  borrowerPassword,
  type Request,
  registerBorrower,
  send,
  succeed,
} from '#tests/crash/client.ts';
import { prepareDataDir } from '#tests/crash/prepared-data.ts';
import { type BuiltServer, startBuiltServer } from '#tests/setup/built-server.ts';
import { formWithFile, photo } from '#tests/setup/photo.ts';
import { lastingDirectory } from '#tests/setup/temporary-directory.ts';
import { fullProfile } from '#tests/setup/test-server.ts';
import { isTorture, tell } from '#tests/setup/torture.ts';

/**
 * One account that asks for ordinary things in extraordinary number, against the built server in a process of its own.
 * Somebody else works on meanwhile and is refused nothing; in the long form, where nothing else runs, 95 of 100 of their
 * calls take less than `withinMs`.
 */
const withinMs = 300;
const floodMs = isTorture ? 15_000 : 700;
/** In the long form more than a list is read back to. */
const loansOfFlooder = isTorture ? 520 : 60;

type Person = Borrower & { address: string; loanId: number };

const dataDir = lastingDirectory();
let server: BuiltServer;
let flooder: Person;
let small: Awaited<ReturnType<typeof formWithFile>>;

beforeAll(async () => {
  await prepareDataDir(dataDir);
  const settings = { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'error' };
  small = formWithFile(await photo());
  server = await startBuiltServer({
    dataDir,
    isMeasured: true,
    settings: { ...settings, RATE_LIMIT_SCALE: '60' },
  });
  flooder = await newPerson();
  const { token } = flooder;
  for (let loans = 0; loans < loansOfFlooder; loans += 4) {
    const apply = () => succeed(server.origin, { path: '/api/loans', token, body: application });
    await Promise.all([apply(), apply(), apply(), apply()]);
  }
  await server.stop();
  server = await startBuiltServer({ dataDir, settings, isMeasured: true });
}, 120_000);
afterAll(() => server?.stop());

let people = 0;

/** Somebody with a profile, documents and a loan, at an address of their own. */
async function newPerson(): Promise<Person> {
  people += 1;
  const address = `192.0.2.${people}`;
  const borrower = await registerBorrower(server.origin, address);
  const { token } = borrower;
  const urls: string[] = [];
  for (const _ of [1, 2, 3])
    urls.push(String((await succeed(server.origin, { path: '/api/upload', token, form: small })).url));
  const [idFrontUrl, idBackUrl, selfieUrl] = urls;
  const body = { ...fullProfile, idFrontUrl, idBackUrl, selfieUrl };
  await succeed(server.origin, { method: 'PUT', path: '/api/user/profile', token, body });
  const { id } = await succeed(server.origin, { path: '/api/loans', token, body: application });
  await succeed(server.origin, { path: '/api/auth/login', address, body: signInOf(borrower) });
  return { ...borrower, address, loanId: Number(id) };
}

const signInOf = ({ phone }: Borrower) => ({ phone, password: borrowerPassword });

const application = { amount: '150000.00', purpose: 'a sewing machine', termMonths: 48 };

/** Uses the app as somebody does, over and over. Returns how long each call took, and which were refused. */
async function workOn(honest: Person) {
  const { token, address } = honest;
  const calls: Request[] = [
    { path: '/api/user/profile', token },
    { path: '/api/loans/user', token },
    { path: '/api/auth/login', address, body: signInOf(honest) },
    { path: '/api/notifications', token },
    { path: '/api/upload', token, form: small },
    { path: '/api/withdrawals', token },
    { method: 'PUT', path: '/api/user/profile', token, body: { countryOfWork: fullProfile.countryOfWork } },
  ];
  const times: { what: string; ms: number }[] = [];
  const refused: string[] = [];
  const end = performance.now() + floodMs;
  for (let number = 0; performance.now() < end || number < calls.length; number += 1) {
    const call = calls[number % calls.length] ?? { path: '' };
    const begun = performance.now();
    const { status, body } = await send(server.origin, call);
    const what = `${call.method ?? ''} ${call.path}`.trim();
    times.push({ what, ms: performance.now() - begun });
    if (status >= 300) refused.push(`${what}: ${status} ${body.code}`);
    await pause(20);
  }
  return { times, refused };
}

const percentile95 = (times: readonly number[]) =>
  Math.round(times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0);

type Flood = {
  atOnce: number;
  pauseMs?: number;
  phone?: string;
  address?: string;
  requests?: { method: string; path: string; headers: Record<string, string>; body?: string | Uint8Array }[];
};

async function floodWith(kind: string, flood: Flood, honest?: Person): Promise<Record<string, number>> {
  const person = honest ?? (await newPerson());
  const worker = new Worker(new URL('./flood-worker.mjs', import.meta.url), {
    workerData: { origin: server.origin, pauseMs: 100, ...flood },
  });
  onTestFinished(async () => void (await worker.terminate()));
  await pause(500);
  await measure(kind, person);
  const counted = new Promise<Record<string, number>>((resolve) => worker.once('message', resolve));
  worker.postMessage('enough');
  const answers = await counted;
  console.info(`${kind}: ${JSON.stringify(answers)}`);
  return answers;
}

/** Works on beside a flood that has begun. */
async function measure(kind: string, honest: Person): Promise<void> {
  const { times, refused } = await workOn(honest);
  const p95Ms = percentile95(times.map(({ ms }) => ms));
  const slowest = [...times].sort((a, b) => b.ms - a.ms)[0];
  console.info(
    `${kind}: 95th percentile of ${times.length} honest calls ${p95Ms} ms, slowest ${Math.round(slowest?.ms ?? 0)} ms (${slowest?.what}), refused ${refused.length}`,
  );
  tell({ flood: kind, calls: times.length, refused: refused.length, p95Ms });
  expect(refused).toEqual([]);
  if (isTorture) expect(p95Ms).toBeLessThan(withinMs);
}

const as = ({ token }: Borrower, headers: Record<string, string> = {}) => ({
  authorization: `Bearer ${token}`,
  ...headers,
});
/** A copy of one's own data, which takes the password. */
const copy = (route: string) => ({
  method: 'POST',
  path: route,
  headers: as(flooder, { 'content-type': 'application/json' }),
  body: passwordBody,
});
const passwordBody = JSON.stringify({ password: 'borrower password' });

const get = (route: string) => ({ method: 'GET', path: route, headers: as(flooder) });
const expectOnly = (answers: Record<string, number>, allowed: RegExp) =>
  expect(Object.keys(answers).filter((answer) => !allowed.test(answer))).toEqual([]);
const upload = async (file: Buffer) => {
  const { payload, headers } = formWithFile(file);
  return [{ method: 'POST', path: '/api/upload', headers: as(flooder, headers), body: payload }];
};

it.runIf(isTorture)('nothing', async () => measure('nothing', await newPerson()));

it.runIf(isTorture)('photos, for the disk', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const file = await sharp({
    create: { width: 1_780, height: 1_780, channels: 3, background: '#123456', noise },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const answers = await floodWith('photos of 10 MB', { atOnce: 20, requests: await upload(file) });
  expectOnly(answers, /^(201|429 too_many_\w+)$/);
});

it('photos that take long to read, for the decoder', async () => {
  const file = await sharp({ create: { width: 7_000, height: 7_000, channels: 4, background: '#0000' } })
    .toColourspace('rgb16')
    .png({ progressive: true })
    .toBuffer();
  const answers = await floodWith('photos that take long', { atOnce: 20, requests: await upload(file) });
  expectOnly(answers, /^(201|413 \w+|429 too_many_\w+)$/);
});

it('applications', async () => {
  const headers = as(flooder, { 'content-type': 'application/json' });
  const body = JSON.stringify(application);
  const requests = [{ method: 'POST', path: '/api/loans', headers, body }];
  const answers = await floodWith('applications', { atOnce: 200, requests });
  expectOnly(answers, /^(201|409 too_many_open|429 too_many_requests)$/);
});

it('own lists', async () => {
  const requests = [get('/api/loans/user'), get('/api/notifications'), get('/api/withdrawals')];
  expectOnly(await floodWith('own lists', { atOnce: 200, requests }), /^(200|429 too_many_requests)$/);
});

it.runIf(isTorture)('own papers and copies of one’s data', async () => {
  const requests = [
    get(`/api/loans/${flooder.loanId}/contract.pdf`),
    copy('/api/user/data'),
    get(`/api/loans/${flooder.loanId}/contract`),
    copy('/api/user/data.zip'),
  ];
  expectOnly(await floodWith('papers and archives', { atOnce: 200, requests }), /^(200|429 too_many_\w+)$/);
});

it.runIf(isTorture)('one’s profile', async () => {
  const answers = await floodWith('profile', { atOnce: 200, requests: [get('/api/user/profile')] });
  expectOnly(answers, /^(200|429 too_many_requests)$/);
});

it.runIf(isTorture)('sign-ins of somebody else', async () => {
  const honest = await newPerson();
  const { phone } = honest;
  const flood = { atOnce: 500, phone, address: '198.51.100.1' };
  const answers = await floodWith('sign-ins of another', flood, honest);
  expectOnly(answers, /^(401 invalid_credentials|429 too_many_tries|503 overloaded)$/);
});

it('readers that do not read', async () => {
  const honest = await newPerson();
  const lines = [
    'GET /api/loans/user',
    'POST /api/user/data',
    `GET /api/loans/${flooder.loanId}/contract.pdf`,
    'POST /api/user/data.zip',
  ];
  const { port } = server;
  const sockets = Array.from({ length: 300 }, (_, n) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    const line = lines[n % lines.length] ?? '';
    const body = line.startsWith('POST') ? passwordBody : '';
    const kind = body && `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const one = `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${flooder.token}\r\n${kind}\r\n${body}`;
    socket.write(one.repeat(20));
    return socket;
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await pause(500);
  await measure('readers that do not read', honest);
});
