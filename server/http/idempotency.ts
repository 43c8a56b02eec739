import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { errorStatus } from '#contract/errors.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { Failure, fail, KeptFailure } from '#server/failure.ts';
import { type Once, Replayed } from '#server/once.ts';
import { claimKey, readKey, storeAnswer, storeFailedAnswer } from '#server/store/idempotency-store.ts';
import { errorBody } from './errors.ts';
import type { Caller } from './guard.ts';

export { type Once, Replayed };

type Context = { name: string; row: Endpoint; caller: Caller | undefined; request: FastifyRequest };

export function createOnce(deps: Deps, context: Context): Once {
  const { row, caller, request } = context;
  const key = row.idempotent ? keyOf(request) : undefined;
  if (key === undefined || !caller) return (work) => deps.database.transaction(work);

  const claim = {
    accountId: caller.account.id,
    endpoint: context.name,
    key,
    requestHash: hashOf(request),
    createdAt: deps.clock.now(),
  };
  return async (work) => {
    try {
      return await deps.database.transaction(async (tx) => {
        if (!(await claimKey(tx, claim))) return replay(await readKey(tx, claim), claim.requestHash);
        const result = await work(tx);
        await storeAnswer(tx, claim, answerOf(row, result));
        return result;
      });
    } catch (error) {
      if (!(error instanceof Failure) || !isKeptAsAnswer(error)) throw error;
      // The work was undone with its transaction; the refusal itself is the first answer and is kept on its own.
      const refused = { status: errorStatus[error.code], reply: errorBody(error) };
      const stored = await deps.database.transaction((tx) => storeFailedAnswer(tx, claim, refused));
      if (stored) throw error;
      return replay(await deps.database.read((reader) => readKey(reader, claim)), claim.requestHash);
    }
  };
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  const isReadable = typeof key === 'string' && /^[\x21-\x7e]+$/.test(key);
  if (!isReadable || key.length > limits.idempotencyKeyMaxLength) fail('invalid_idempotency_key');
  return key;
}

function hashOf(request: FastifyRequest): string {
  const canonical = JSON.stringify([request.method, request.url, sorted(request.body)]);
  return createHash('sha256').update(canonical).digest('hex');
}

/** The same fields in another order are the same body. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, part]) => [name, sorted(part)]);
}

function answerOf(row: Endpoint, result: unknown) {
  if (result instanceof KeptFailure) {
    return { status: errorStatus[result.failure.code], reply: errorBody(result.failure) };
  }
  return { status: row.status ?? 200, reply: row.reply ? row.reply.parse(result) : result };
}

/** A refusal for load or a wait says nothing of the request itself, and a replay is no refusal of its own. */
function isKeptAsAnswer(failure: Failure): boolean {
  const status = errorStatus[failure.code];
  return status < 500 && status !== 429 && failure.code !== 'idempotency_key_reused';
}

function replay(
  stored: { requestHash: string; status: number | null; reply: unknown } | undefined,
  hash: string,
) {
  if (!stored || stored.status === null) throw new Error('an idempotency key was kept without its answer');
  if (stored.requestHash !== hash) fail('idempotency_key_reused');
  return new Replayed(stored.status, stored.reply);
}
