import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { Failure, fail, KeptFailure } from '#server/failure.ts';
import { type Once, Replayed, statusOf } from '#server/once.ts';
import { canonicalJson } from '#server/platform/canonical-json.ts';
import type { Caller } from '#server/services/session-service.ts';
import {
  type Claim,
  claimKey,
  type KeptAnswer,
  readKey,
  storeAnswer,
  storeFailedAnswer,
} from '#server/store/idempotency-store.ts';
import { errorBody } from './errors.ts';

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
    requestHash: hashOf(deps, request),
    createdAt: deps.clock.now(),
  };
  return async (work) => {
    try {
      return await deps.database.transaction(async (tx) => {
        if (!(await claimKey(tx, claim))) return replay(deps, await readKey(tx, claim), claim);
        const result = await work(tx);
        await storeAnswer(tx, claim, sealed(deps, claim, answerOf(row, result)));
        return result;
      });
    } catch (error) {
      if (!(error instanceof Failure) || !isKeptAsAnswer(error)) throw error;
      // The work was undone with its transaction; the refusal itself is the first answer and is kept on its own.
      const refused = { status: error.status, reply: errorBody(error) };
      const answer = sealed(deps, claim, refused);
      const stored = await deps.database.transaction((tx) => storeFailedAnswer(tx, claim, answer));
      if (stored) throw error;
      return replay(deps, await deps.database.read((reader) => readKey(reader, claim)), claim);
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

/**
 * The same fields in another order are the same body. Keyed: from a plain hash anybody could find a short code in the body
 * by trying them all.
 */
function hashOf(deps: Deps, request: FastifyRequest): string {
  const { method, url, body } = request;
  return deps.secrets.fingerprint(canonicalJson([method, url, body]), 'request');
}

function answerOf(row: Endpoint, result: unknown) {
  if (result instanceof KeptFailure) {
    return { status: result.failure.status, reply: errorBody(result.failure) };
  }
  return { status: statusOf(row, result), reply: row.reply ? row.reply.parse(result) : result };
}

/** A refusal for load or a wait says nothing of the request itself, and a replay is no refusal of its own. */
function isKeptAsAnswer(failure: Failure): boolean {
  const { status } = failure;
  return status < 500 && status !== 429 && failure.code !== 'idempotency_key_reused';
}

/** An answer repeats personal data, a member's under the key of an employee too, so it is kept sealed. */
function sealed(deps: Deps, claim: Claim, { status, reply }: { status: number; reply: unknown }) {
  return { status, reply: deps.secrets.seal(JSON.stringify(reply), replyContext(claim)) };
}

const replyContext = ({ accountId, endpoint, key }: Claim) => `reply:${accountId}:${endpoint}:${key}`;

function replay(deps: Deps, stored: KeptAnswer | undefined, claim: Claim) {
  if (!stored || stored.status === null) throw new Error('an idempotency key was kept without its answer');
  if (stored.requestHash !== claim.requestHash) fail('idempotency_key_reused');
  const reply = deps.secrets.open(String(stored.reply), replyContext(claim));
  if (reply === undefined) throw new Error('the answer kept for an idempotency key cannot be opened');
  return new Replayed(stored.status, JSON.parse(reply));
}
