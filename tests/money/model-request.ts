import { expect } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpointNames, type World } from './model-world.ts';
import { type Oracle, type Person, staffId, whyKeptOut } from './oracle.ts';

/** A request as a command sends it: by a person with their token, by staff, or by nobody in particular. */
export type Request = {
  row: Endpoint;
  by: Person | 'staff' | 'nobody';
  params?: Record<string, number>;
  body?: Record<string, unknown>;
  key?: string | undefined;
};

/** The answer that the oracle demands, and what has happened once it came. */
export type Verdict = {
  status: number;
  code?: string;
  /** The facts that the reply must hold, among others. */
  reply?: Record<string, unknown>;
  happened?: (reply: Record<string, unknown>) => void;
  /** Refused by its form alone: it takes no key up. */
  isMalformed?: true;
};

export type Model = Oracle<Request> & {
  /**
   * The events that came about in all runs so far, by name: a model that never gets anywhere proves nothing.
   */
  seen: Map<string, number>;
};

/** Answers what must be answered, and changes nothing: that is for the verdict's `happened`. */
export type Judge = (model: Model) => Verdict;

export type Answer = { status: number; body: unknown; text: string };

export const refused = (status: number, code: string): Verdict => ({ status, code });

export const malformed: Verdict = { status: 400, code: 'validation_failed', isMalformed: true };

/** Sends a request and holds the answer against the oracle's, which then moves on. `killAfter` ends all in between. */
export async function exchange(
  model: Model,
  world: World,
  request: Request,
  judge: Judge,
  killAfter?: number,
): Promise<void> {
  model.sent += 1;
  const keptOut = guard(model, request);
  const found = keptOut ? undefined : keptFor(model, request);
  const verdict = keptOut ?? judgeWithKey(model, request, judge, found);
  const answer =
    killAfter === undefined
      ? await send(world, request)
      : await sendThroughKill(world, request, killAfter, () => count(model, 'killed before the answer'));

  const body = (answer.body ?? {}) as Record<string, unknown>;
  const words = { request: `${request.row.method} ${request.row.path}`, sent: request.body ?? null };
  const told = { ...words, status: answer.status, ...(verdict.code ? { code: body.code } : {}) };
  const expected = { ...words, status: verdict.status, ...(verdict.code ? { code: verdict.code } : {}) };
  expect(told, answer.text).toEqual(expected);
  if (verdict.reply) expect(body).toMatchObject(verdict.reply);
  verdict.happened?.(body);
  const isKept = request.key !== undefined && !keptOut && !found && !verdict.isMalformed;
  if (isKept) keep(model, request, answer.status, body);
  const replayed = found && verdict.status === found.status && verdict.code !== 'idempotency_key_reused';
  const name = endpointNames.get(request.row) ?? '';
  count(
    model,
    `${name} ${verdict.status}${verdict.code ? ` ${verdict.code}` : ''}${replayed ? ' again' : ''}`,
  );
}

export function count(model: Model, what: string): void {
  model.seen.set(what, (model.seen.get(what) ?? 0) + 1);
}

function guard(model: Model, { by }: Request): Verdict | undefined {
  if (by === 'staff' || by === 'nobody') return undefined;
  return whyKeptOut(by, model.nowMs);
}

/** The same key and body is answered as the first time, and nothing happens; with another body it is a conflict. */
function judgeWithKey(
  model: Model,
  request: Request,
  judge: Judge,
  found: Model['kept'][number] | undefined,
): Verdict {
  if (!found) return judge(model);
  if (found.identity === identityOf(request)) return { status: found.status, reply: found.reply };
  // A body that is none at all is told so before its key is looked at.
  const alone = judge(model);
  return alone.isMalformed ? alone : refused(409, 'idempotency_key_reused');
}

function keptFor(model: Model, request: Request) {
  if (request.key === undefined) return undefined;
  const endpoint = endpointNames.get(request.row);
  const ownerId = ownerOf(request);
  return model.kept.find(
    (one) => one.ownerId === ownerId && one.endpoint === endpoint && one.key === request.key,
  );
}

function keep(model: Model, request: Request, status: number, body: Record<string, unknown>): void {
  // The code and the password that are shown are the present ones, also in an answer given again.
  const { otpCode: _code, plainPassword: _password, ...reply } = body;
  model.kept.push({
    ownerId: ownerOf(request),
    endpoint: endpointNames.get(request.row) ?? '',
    key: request.key ?? '',
    identity: identityOf(request),
    request,
    status,
    reply,
    atMs: model.nowMs,
  });
}

const ownerOf = ({ by }: Request) => (typeof by === 'object' ? by.id : staffId);

function identityOf({ row, params, body }: Request): string {
  const fields = Object.entries(body ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([row.method, row.path, params ?? null, fields]);
}

async function send(world: World, { row, by, params, body, key }: Request): Promise<Answer> {
  const token = by === 'staff' ? await world.staffToken() : by === 'nobody' ? undefined : by.session?.token;
  return world.call(row, {
    ...(params ? { params } : {}),
    ...(body ? { anyBody: body } : {}),
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    token,
    address: by === 'nobody' ? world.nextAddress() : '127.0.0.1',
  });
}

/**
 * Sends as a careful client does, again with the same key until it is told. An earlier answer still holds.
 */
async function sendThroughKill(
  world: World,
  request: Request,
  killAfter: number,
  wasUntold: () => void,
): Promise<Answer> {
  if (request.by === 'staff') await world.staffToken();
  const first = await world.killDuring(killAfter, () => send(world, request));
  const isTold = first !== undefined && first.status < 500;
  if (first && !isTold) expect(first.status, first.text).toBe(503);
  if (!isTold) wasUntold();
  const again = await send(world, request);
  if (isTold) expect(again.text).toBe(first.text);
  return again;
}
