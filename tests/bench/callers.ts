import { sql } from 'drizzle-orm';
import * as api from '#contract/api.ts';
import type { Endpoint, Sent } from '#contract/endpoint.ts';
import { type BuiltServer, startBuiltServer } from '#tests/setup/built-server.ts';
import { startHelper } from './helpers.ts';
import { borrowerPassword, type Installation } from './installation.ts';
import type { Load, Loaded } from './load-process.ts';

/** Kept open at the same time by whoever loads the server. */
export const connections = 32;

export const startLoad = () => startHelper<Load, Loaded>('./load-process.ts');

export type Person = { id: number; phone: string; address: string; authorization: string };

/** One who is known by a proxy to come from elsewhere: everybody has a network of their own. */
const headersOf = ({ address }: Pick<Person, 'address'>) => ({ 'x-forwarded-for': address });
export const addressOf = (id: number) => `10.${(id >> 16) & 255}.${(id >> 8) & 255}.${id & 255}`;

export function startServer({ dataDir, settings }: Installation, more: Record<string, string> = {}) {
  return startBuiltServer({
    isMeasured: true,
    dataDir,
    settings: { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_SCALE: '1000000', ...settings, ...more },
  });
}

type Caller = Pick<Person, 'address'> & Partial<Person>;
type Asked<Row extends Endpoint> = { id?: number; body?: Sent<Row, 'body'>; key?: string };

function partsOf<Row extends Endpoint>(caller: Caller, row: Row, { id, body, key }: Asked<Row>) {
  return {
    method: row.method,
    path: row.path.replace('{id}', String(id)),
    headers: {
      ...headersOf(caller),
      ...(caller.authorization && { authorization: caller.authorization }),
      ...(key && { 'idempotency-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

/** Somebody's request as it goes over the wire. */
export function requestOf<Row extends Endpoint>(caller: Caller, row: Row, asked: Asked<Row> = {}): string {
  const { method, path, headers, body = '' } = partsOf(caller, row, asked);
  const sent = { host: 'bench', 'content-length': Buffer.byteLength(body), ...headers };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

export async function call<Row extends Endpoint>(
  { origin }: BuiltServer,
  caller: Caller,
  row: Row,
  asked: Asked<Row> = {},
) {
  const { path, body, ...parts } = partsOf(caller, row, asked);
  const response = await fetch(`${origin}${path}`, { ...parts, ...(body !== undefined && { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${row.method} ${path} answered ${response.status}: ${text}`);
  return { text, body: JSON.parse(text) };
}

export async function signIn(server: BuiltServer, id: number, body: Sent<typeof api.signIn, 'body'>) {
  const { body: signedIn } = await call(server, { address: addressOf(id) }, api.signIn, { body });
  return `Bearer ${signedIn.token}`;
}

export async function readMembers({ open }: Installation, count: number): Promise<Person[]> {
  const { rows } = await open(({ database }) =>
    database.read((reader) =>
      reader.execute<{ id: string; phone: string }>(
        sql`select id, phone from accounts where not is_admin and status = 'active' order by id limit ${count}::int`,
      ),
    ),
  );
  return rows.map(({ id, phone }) => ({
    id: Number(id),
    phone,
    address: addressOf(Number(id)),
    authorization: '',
  }));
}

export const signInAll = async (server: BuiltServer, people: readonly Person[]) => {
  for (const person of people) {
    person.authorization = await signIn(server, person.id, {
      phone: person.phone,
      password: borrowerPassword,
    });
  }
};
