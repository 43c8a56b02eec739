import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { Failure, fail } from '#server/failure.ts';
import { type Once, Replayed } from '#server/idempotency.ts';
import { canonicalJson } from '#server/platform/canonical-json.ts';
import { AwaitsApproval } from '#server/services/four-eyes.ts';
import type { Act, Caller } from '#server/services/session-service.ts';
import {
  type Claim,
  claimKey,
  readKey,
  storeAnswer,
  storeFailedAnswer,
} from '#server/store/idempotency-store.ts';
import { errorBody, failureOf } from './errors.ts';

/** Another request with the key was first. */
class KeyTaken extends Error {}

type Context = { name: string; row: Endpoint; actor: Caller | undefined; request: FastifyRequest };

export function createOnce(deps: Deps, context: Context): Once<Act> | undefined {
  const { row, actor, request } = context;
  if (!actor) return undefined;
  const key = row.idempotent ? idempotencyKeyOf(request) : undefined;
  if (key === undefined) {
    const unkeyed = <T>(work: (act: Act) => Promise<T>) =>
      deps.database.transaction((tx) => work({ deps, tx, actor }));
    return Object.assign(unkeyed, { earlier: async () => undefined });
  }
  const { method, url, body } = request;
  const claim = {
    accountId: actor.id,
    endpoint: context.name,
    key,
    // The order of a body's keys does not matter. The hash is keyed: from a plain hash, somebody could find a
    // short code in the body by trying all codes.
    requestHash: deps.secrets.fingerprint(canonicalJson([method, url, body]), 'request'),
    createdAt: deps.clock.now(),
  };
  const keyed = async <T>(work: (act: Act) => Promise<T>) => {
    try {
      return await deps.database.transaction(async (tx) => {
        const claiming = claimKey(tx, claim);
        // The first statement of the work is sent with the claim, without waiting for it. The database runs it once the
        // key belongs to this transaction. If it never does, everything is rolled back.
        const working = work({ deps, tx, actor });
        // It is awaited below; Node would report its failure as unhandled meanwhile.
        working.catch(() => undefined);
        if (!(await claiming)) throw new KeyTaken();
        const result = await working;
        storeAnswer(tx, claim, sealedAnswer(deps, claim, answerOf(row, result)));
        return result;
      });
    } catch (error) {
      if (error instanceof KeyTaken) return replay(deps, claim, request);
      const failure = failureOf(error);
      if (!failure || !isKeptAsAnswer(failure)) throw error;
      // The work was rolled back; the refusal itself is the first answer and is stored separately.
      const answer = sealedAnswer(deps, claim, answerOf(row, failure));
      const stored = await deps.database.transaction((tx) => storeFailedAnswer(tx, claim, answer));
      if (stored) throw error;
      // Another request has stored its answer meanwhile.
      return replay(deps, claim, request);
    }
  };
  const earlier = async () => {
    const stored = await deps.database.read((reader) => readKey(reader, claim));
    return stored && replay(deps, claim, request);
  };
  return Object.assign(keyed, { earlier });
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  const isReadable = typeof key === 'string' && /^[\x21-\x7e]+$/.test(key);
  if (!isReadable || key.length > limits.idempotencyKeyMaxLength) fail('invalid_idempotency_key');
  return key;
}

/** The status of a success: what waits is accepted, not done. */
export const statusOf = (row: Endpoint, result: unknown): number =>
  result instanceof AwaitsApproval ? 202 : (row.status ?? 200);

function answerOf(row: Endpoint, result: unknown) {
  if (result instanceof Failure) return { status: result.status, reply: errorBody(result) };
  return { status: statusOf(row, result), reply: row.reply ? row.reply.parse(result) : result };
}

/** Overload and rate limits say nothing about the request, and a reused key belongs to another. */
function isKeptAsAnswer(failure: Failure): boolean {
  const { status } = failure;
  return status < 500 && status !== 429 && failure.code !== 'idempotency_key_reused';
}

/**
 * Seals a stored answer, because it repeats personal data, and a member's is stored under an employee's key.
 */
function sealedAnswer(deps: Deps, claim: Claim, { status, reply }: { status: number; reply: unknown }) {
  return { status, reply: deps.secrets.seal(JSON.stringify(reply), replyContext(claim)) };
}

const replyContext = ({ accountId, endpoint, key }: Claim) => `reply:${accountId}:${endpoint}:${key}`;

async function replay(deps: Deps, claim: Claim, request: FastifyRequest): Promise<Replayed> {
  request.hasCommitted = true;
  const stored = await deps.database.read((reader) => readKey(reader, claim));
  if (!stored || stored.status === null) throw new Error('an idempotency key was kept without its answer');
  if (stored.requestHash !== claim.requestHash) fail('idempotency_key_reused');
  const reply = deps.secrets.open(String(stored.reply), replyContext(claim));
  if (reply === undefined) throw new Error('the answer kept for an idempotency key cannot be opened');
  return new Replayed(stored.status, JSON.parse(reply));
}
