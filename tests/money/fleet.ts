import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { verifyBooks } from '#server/books/verify-run.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { findSecretBox } from '#server/platform/secret-box.ts';
import { buildUnderTest, startBuiltServer } from '#tests/setup/built-server.ts';
import { formWithFile, photo } from '#tests/setup/photo.ts';
import { startPostgresServer } from '#tests/setup/postgres-server.ts';
import { silentLog, withClient } from '#tests/setup/test-database.ts';
import { fullProfile, mainAdminPassword } from '#tests/setup/test-server.ts';
import { isTorture, rounds, tell } from '#tests/setup/torture.ts';

export type Sent = {
  params?: Record<string, number>;
  body?: unknown;
  token?: string;
  key?: string;
  /** Which of the servers is asked. */
  via?: number;
};

export type Told = { status: number; body: Record<string, unknown>; text: string };

export type Member = { id: number; token: string; phone: string };

/** The servers that the races run on, and as many members as there are racers. */
export type Field = { fleet: Fleet; members: readonly Member[] };

export type Fleet = Awaited<ReturnType<typeof openFleet>>;

/**
 * The outcome of a round: how many racers were told that they won, and how often the
 * books have what they won.
 */
export type Outcome = { acknowledged: number; effects: number };

const serverCount = 3;
/** Enough for every server to have several at the same moment. */
export const racers = isTorture ? 50 : 12;

/** The same work for every racer at once, spread over the servers. */
export function atOnce<T>(work: (racer: number) => Promise<T>, count = racers): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, racer) => work(racer)));
}

/** How often each answer was given: `{ '201': 1, '400 invalid_otp': 49 }`. */
export function tally(answers: readonly Told[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = body.code === undefined ? String(status) : `${status} ${body.code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Several server processes on one PostgreSQL and one data directory, all of them started at the same moment. */
export async function openFleet() {
  await buildUnderTest();
  const postgres = await startPostgresServer();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-races-'));
  const create = `create database races template template0 encoding 'UTF8' locale 'C.UTF-8'`;
  await withClient(postgres.url, (client) => client.query(create));
  const url = new URL(postgres.url);
  url.pathname = '/races';
  const settings = { DATABASE_URL: url.href, RATE_LIMIT_SCALE: '100000' };
  const servers = await Promise.all(
    Array.from({ length: serverCount }, () => startBuiltServer({ dataDir, settings })),
  );
  const database = await openDatabase({ databaseUrl: url.href, dataDir, log: silentLog, maxConnections: 4 });
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => undefined);
  await client.connect();

  async function fetchOnce(row: Endpoint, { params = {}, body, token, key, via = 0 }: Sent): Promise<Told> {
    const route = row.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
    const isForm = body instanceof Uint8Array;
    const response = await fetch(`${servers[via % serverCount]?.origin}${route}`, {
      method: row.method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
        ...(isForm ? formWithFile(Buffer.alloc(0)).headers : {}),
        ...(body !== undefined && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      ...(body === undefined ? {} : { body: isForm ? Buffer.from(body) : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text), text };
  }

  /** Asks again as long as the server is out of breath; any other failure of its own fails the test. */
  async function call(row: Endpoint, sent: Sent): Promise<Told> {
    for (;;) {
      const told = await fetchOnce(row, sent);
      if (told.status < 500) return told;
      expect(told.status, told.text).toBe(503);
    }
  }

  async function succeed(row: Endpoint, sent: Sent): Promise<Told> {
    const told = await call(row, sent);
    expect(told.status, told.text).toBeLessThan(300);
    return told;
  }

  const signedIn = await succeed(api.signIn, { body: { username: 'admin', password: mainAdminPassword } });
  const staff = String(signedIn.body.token);
  let people = 0;

  async function register(): Promise<Member> {
    people += 1;
    const phone = `0917${1_000_000 + people}`;
    const body = { fullName: fullProfile.fullName, phone, password: 'borrower password' };
    const told = await succeed(api.register, { body, via: people });
    const { id } = told.body.user as { id: number };
    return { id, token: String(told.body.token), phone };
  }

  /** Everything that a loan asks for. */
  async function verify({ token }: Member): Promise<void> {
    const { payload } = formWithFile(await photo());
    const { url: file } = (await succeed(api.uploadDocument, { token, body: payload })).body;
    const documents = { idFrontUrl: file, idBackUrl: file, selfieUrl: file };
    await succeed(api.updateProfile, { token, body: { ...fullProfile, ...documents } });
  }

  const editMember = ({ id }: Member, body: unknown, how: Sent = {}) =>
    call(api.updateMember, { params: { id }, token: staff, body, ...how });

  /** A number out of the books, past every server. */
  async function ask(sql: string, ...values: unknown[]): Promise<number> {
    const { rows } = await client.query<{ answer: string }>(sql, values);
    return Number(rows[0]?.answer);
  }

  async function close(): Promise<void> {
    await client.end();
    await database.close();
    const exits = await Promise.all(servers.map((server) => server.stop()));
    await postgres.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
    expect(exits).toEqual(servers.map(() => 0));
  }

  const secrets = findSecretBox(readConfig({ DATA_DIR: dataDir }));
  return { call, succeed, staff, register, verify, editMember, ask, database, secrets, close };
}

const saysEvery = 100;

/**
 * Runs a race as often as this run asks for. Every round's winners must be in the books exactly once; at the end no
 * balance was ever below nought and the books are sound.
 */
export async function race(fleet: Fleet, kind: string, round: (number: number) => Promise<Outcome>) {
  const row = { kind: `race: ${kind}`, runs: 0, acknowledged: 0, lost: 0, doubled: 0, negative: 0 };
  const lastId = await fleet.ask('select coalesce(max(id), 0) as answer from ledger_entries');
  let verify: 'clean' | 'faulty' = 'faulty';
  try {
    while (row.runs < rounds.raceRounds) {
      const { acknowledged, effects } = await round(row.runs);
      row.runs += 1;
      row.acknowledged += acknowledged;
      row.lost += Math.max(0, acknowledged - effects);
      row.doubled += Math.max(0, effects - acknowledged);
      if (row.runs % saysEvery === 0)
        process.stderr.write(`${row.kind}: ${row.runs} of ${rounds.raceRounds}\n`);
    }
    row.negative = await fleet.ask(
      `select (select count(*) from ledger_entries where id > $1 and balance_after_centavos < 0)
            + (select count(*) from accounts where balance_centavos < 0) as answer`,
      lastId,
    );
    const { faults } = await verifyBooks(fleet, () => undefined);
    expect(faults).toEqual([]);
    verify = 'clean';
  } finally {
    tell({ ...row, verify });
  }
  expect(row).toMatchObject({ lost: 0, doubled: 0, negative: 0 });
}
