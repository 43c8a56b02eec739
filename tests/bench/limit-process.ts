import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { verify } from '@node-rs/argon2';
import pg from 'pg';
import { answerParent } from './helpers.ts';
import type { Trips } from './statement-tap.ts';

/** The work that the product is held against: the same, with nothing around it. */
export type Limit =
  | { kind: 'server'; databaseUrl: string; answers: CannedAnswer[] }
  | { kind: 'transactions'; databaseUrl: string; atOnce: number; ms: number }
  | { kind: 'passwords'; hash: string; password: string; atOnce: number; ms: number };

/** A request to the product, what it asked of its database, and its answer. */
export type CannedAnswer = { url: string; authorization: string; trips: Trips; body: unknown };

/** The product's own pool has as many. */
const max = 10;

answerParent(async (limit: Limit): Promise<number> => {
  switch (limit.kind) {
    case 'server':
      return serve(limit.databaseUrl, limit.answers);
    case 'transactions':
      return transactionsPerSecond(limit);
    case 'passwords':
      return perSecond(limit, () => verify(limit.hash, limit.password));
  }
});

/** `node:http` and `pg`: the statements in as many round trips, then the answer as JSON. Returns the port. */
async function serve(connectionString: string, answers: readonly CannedAnswer[]): Promise<number> {
  const pipeline = answers.some(({ trips }) => trips.some(({ length }) => length > 1));
  const pool = new pg.Pool({ connectionString, max, pipeline } as pg.PoolConfig);
  const known = new Map(answers.map((answer) => [`${answer.url} ${answer.authorization}`, answer]));
  const server = http.createServer(async ({ url, headers }, response) => {
    const answer = known.get(`${url} ${headers.authorization}`);
    if (!answer) return response.writeHead(404).end();
    const client = await pool.connect();
    for (const trip of answer.trips) {
      await Promise.all(trip.map((statement) => client.query({ ...statement, rowMode: 'array' })));
    }
    client.release();
    const body = JSON.stringify(answer.body);
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

const bareTables = `
  create table if not exists bare_wallet (id int primary key, balance bigint not null, updated_at timestamptz not null);
  create table if not exists bare_request (id bigserial primary key, wallet_id int not null, amount bigint not null, created_at timestamptz not null);
  create table if not exists bare_entry (id bigserial primary key, wallet_id int not null, amount bigint not null, reason text not null, created_at timestamptz not null);
  create table if not exists bare_log (id bigserial primary key, action text not null, wallet_id int not null, details jsonb not null, created_at timestamptz not null);
  insert into bare_wallet select id, 1000000000, now() from generate_series(1, 1000) id on conflict do nothing;`;

const bareStatements: [string, (id: number) => unknown[]][] = [
  ['update bare_wallet set balance = balance - $2, updated_at = now() where id = $1', (id) => [id, 100_000]],
  ['insert into bare_request (wallet_id, amount, created_at) values ($1, $2, now())', (id) => [id, 100_000]],
  [
    'insert into bare_entry (wallet_id, amount, reason, created_at) values ($1, $2, $3, now())',
    (id) => [id, -100_000, 'WD-2026-000001'],
  ],
  [
    'insert into bare_log (action, wallet_id, details, created_at) values ($1, $2, $3, now())',
    (id) => ['withdrawal_requested', id, '{"amount":"1000.00","status":"pending"}'],
  ],
];

/** One update and three inserts, committed as durably as the product's own. */
async function transactionsPerSecond({
  databaseUrl: connectionString,
  ...limit
}: Limit & { kind: 'transactions' }): Promise<number> {
  const pool = new pg.Pool({ connectionString, max });
  await pool.query(bareTables);
  let next = 0;
  const rate = await perSecond(limit, async () => {
    const client = await pool.connect();
    next += 1;
    await client.query('begin');
    for (const [text, values] of bareStatements) await client.query(text, values((next % 1000) + 1));
    await client.query('commit');
    client.release();
  });
  await pool.end();
  return rate;
}

async function perSecond(
  { atOnce, ms }: { atOnce: number; ms: number },
  work: () => Promise<unknown>,
): Promise<number> {
  let done = 0;
  const startMs = performance.now();
  const keepOn = async () => {
    for (; performance.now() - startMs < ms; done += 1) await work();
  };
  await Promise.all(Array.from({ length: atOnce }, keepOn));
  return (done / (performance.now() - startMs)) * 1000;
}
