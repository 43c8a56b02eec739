import { expect } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint, Reply, Sent } from '#contract/endpoint.ts';
import type { ErrorBody, ErrorCode } from '#contract/errors.ts';

export type CallOptions<Row extends Endpoint> = {
  params?: Record<string, string | number>;
  query?: Record<string, string | undefined>;
  body?: Sent<Row, 'body'>;
  /** Instead of `body`: anything at all, as JSON. */
  anyBody?: unknown;
  /** Instead of `body`: the very bytes; give their `content-type` in `headers`. */
  rawBody?: string | Buffer;
  token?: string | undefined;
  headers?: Record<string, string>;
  /** Where the request comes from; 127.0.0.1 unless told otherwise. */
  address?: string;
};

export type CallResult<Row extends Endpoint> = {
  status: number;
  /** The reply, or the error body; undefined when the answer is no JSON. */
  body: (Reply<Row> extends undefined ? unknown : Reply<Row>) & Partial<ErrorBody>;
  headers: Record<string, string | undefined>;
  /** The answer as it came. */
  text: string;
  bytes: Buffer;
};

/** A body that the contract does not allow. */
class Odd {
  readonly anyBody: unknown;
  constructor(anyBody: unknown) {
    this.anyBody = anyBody;
  }
}
export const odd = (anyBody: unknown) => new Odd(anyBody);

/** Resolves to the reply, or to the whole answer where that is no JSON, and rejects when the call is refused. */
export type Call<Row extends Endpoint> = Promise<
  Reply<Row> extends undefined ? CallResult<Row> : Reply<Row>
> & {
  /** The whole answer, whether a success or not. */
  answer(): Promise<CallResult<Row>>;
  /** The whole answer, which has to be a success. */
  success(): Promise<CallResult<Row>>;
};

type Params<Row extends Endpoint> =
  Sent<Row, 'params'> extends undefined
    ? []
    : keyof Sent<Row, 'params'> extends 'id'
      ? [id: string | number]
      : [id: string | number, number: string | number];

type Extras = Pick<CallOptions<Endpoint>, 'headers' | 'address' | 'query' | 'rawBody'>;

type Payload<Row extends Endpoint> =
  Sent<Row, 'body'> extends undefined
    ? Sent<Row, 'query'> extends undefined
      ? []
      : [query?: Record<string, string | undefined>]
    : [body?: Sent<Row, 'body'> | Odd];

type Rows = typeof api;

/** A method for each row of the contract: what its path takes in the path's order, then its body, or its query. */
export type Caller = {
  [Name in keyof Rows]: (
    ...args: [...Params<Rows[Name]>, ...Payload<Rows[Name]>, extras?: Extras]
  ) => Call<Rows[Name]>;
};

class Refusal extends Error {
  readonly answer: CallResult<Endpoint>;
  constructor(row: Endpoint, answer: CallResult<Endpoint>) {
    super(`${row.method} ${row.path} answered ${answer.status}: ${answer.text}`);
    this.answer = answer;
  }
}

/** How somebody's calls are sent. */
type Send = (row: Endpoint, options: CallOptions<Endpoint>) => Promise<CallResult<Endpoint>>;

export function createCaller(send: Send): Caller {
  const methods = Object.entries<Endpoint>(api).map(([name, row]) => [
    name,
    (...args: unknown[]) => begin(row, send(row, optionsFrom(row, args))),
  ]);
  return Object.fromEntries(methods);
}

function optionsFrom(row: Endpoint, args: unknown[]): CallOptions<Endpoint> {
  const rest = [...args];
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const params = Object.fromEntries(names.map((name) => [name, rest.shift()]));
  const payload = row.body || row.query ? rest.shift() : undefined;
  const sent = payload instanceof Odd ? payload : { [row.body ? 'anyBody' : 'query']: payload };
  return { params, ...sent, ...(rest[0] as Extras) };
}

function begin(row: Endpoint, answer: Promise<CallResult<Endpoint>>) {
  const reply = answer.then((result) => {
    if (result.status >= 300) throw new Refusal(row, result);
    return row.reply ? result.body : result;
  });
  const whole = () => {
    reply.catch(() => {});
    return answer;
  };
  return Object.assign(reply, { answer: whole, success: () => reply.then(whole) });
}

/** Expects a call to be refused in this way, by its code or by parts of the error's body, which it returns. */
export async function refused(
  call: Promise<unknown>,
  status: number,
  body: ErrorCode | object = {},
): Promise<Partial<ErrorBody>> {
  const refusal = await call.then(
    () => new Error('the call was not refused'),
    (error: unknown) => error,
  );
  if (!(refusal instanceof Refusal)) throw refusal;
  const { answer } = refusal;
  expect(answer, refusal.message).toMatchObject({
    status,
    body: typeof body === 'string' ? { code: body } : body,
  });
  return answer.body;
}
