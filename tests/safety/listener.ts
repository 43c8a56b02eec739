import { expect } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { readPdf } from '#tests/setup/pdf-text.ts';
import type { TestServer } from '#tests/setup/test-server.ts';
import type { Secret, Who } from './marked-secrets.ts';

type Name = keyof typeof api;
const rows = new Map(Object.entries(api as unknown as Record<string, Endpoint>));

type Asking = {
  params?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: unknown;
  rawBody?: string | Buffer;
  headers?: Record<string, string>;
  /** Whose session the answer begins. */
  keepAs?: Who;
  /** The answer is to be a refusal. */
  refused?: boolean;
};

type Heard = { name: string; who: Who; status: number; text: string };

/** Calls the server in somebody's name and keeps every word of every answer. */
export function createListener(server: TestServer) {
  const replies: Heard[] = [];
  const secrets: { secret: Secret; text: string }[] = [];
  const sessions = new Map<Who, { id: number; token: string }>();

  const hear = (name: string, who: Who, status: number, text: string) =>
    replies.push({ name, who, status, text });

  async function as(who: Who, name: Name, asking: Asking) {
    const { keepAs, refused = false, body, ...rest } = asking;
    const row = rows.get(name) ?? expect.fail(`there is no ${name}`);
    const response = await server.app.inject(
      requestOf(row, { ...rest, body, token: sessions.get(who)?.token }),
    );
    const { statusCode: status, body: text, rawPayload } = response;
    const isPdf = rawPayload.subarray(0, 5).toString() === '%PDF-';
    const json = String(response.headers['content-type']).startsWith('application/json')
      ? response.json()
      : undefined;
    expect([name, who, status >= 400, text.slice(0, 300)]).toEqual([name, who, refused, text.slice(0, 300)]);
    hear(
      name,
      who,
      status,
      `${JSON.stringify(response.headers)}${isPdf ? readPdf(rawPayload).text : ''}${withoutToken(text, json)}`,
    );
    if (typeof json?.token === 'string') secrets.push({ secret: 'token', text: json.token });
    // A renewed token comes without its owner.
    if (keepAs) sessions.set(keepAs, { id: json.user?.id ?? idOf(keepAs), token: json.token });
    return { status, body: json };
  }

  /** Every row that changes nothing, in everybody's name, with the ids of the first loan and the first borrower. */
  async function readEverything(): Promise<void> {
    const everybody: Who[] = ['visitor', 'borrower', 'other borrower', 'admin', 'main admin'];
    for (const [name, row] of rows) {
      if (row.method !== 'GET') continue;
      for (const who of everybody) {
        for (const accept of row.produces === 'jsonOrLines' ? ['*/*', 'application/x-ndjson'] : ['*/*']) {
          const id = row.path.includes('/users/') ? idOf('borrower') : 1;
          const response = await server.app.inject(
            requestOf(row, { params: { id }, headers: { accept }, token: sessions.get(who)?.token }),
          );
          const isPdf = row.produces === 'pdf' && response.statusCode === 200;
          const text = isPdf ? readPdf(response.rawPayload).text : response.body;
          hear(name, who, response.statusCode, JSON.stringify(response.headers) + text);
        }
      }
    }
  }

  const idOf = (who: Who): number => sessions.get(who)?.id ?? expect.fail(`${who} has not signed in`);

  return { as, readEverything, idOf, replies, secrets };
}

/** The one answer that begins a session holds its token; any other is a fault. */
const withoutToken = (text: string, json: { token?: unknown } | undefined) =>
  typeof json?.token === 'string' ? text.replace(json.token, '') : text;

function requestOf(
  row: Endpoint,
  asking: Omit<Asking, 'keepAs' | 'refused'> & { token: string | undefined },
) {
  const { params = {}, query, body, rawBody, headers, token } = asking;
  const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    method: row.method,
    url: row.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name])),
    ...(query ? { query } : {}),
    ...(payload === undefined ? {} : { payload }),
    headers: {
      ...(payload !== undefined && rawBody === undefined ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
  };
}
