import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import { createKeyedLimiter } from '#server/platform/bounded-queue.ts';
import type { Caller } from '#server/services/session-service.ts';

const tooMany = () => new Failure('too_many_requests', { retryAfterSeconds: limits.callWaitMaxMs / 1000 });

/** Keeps one account from monopolising the database. Staff calls are queued, never refused. */
export function limitAccounts(deps: Deps) {
  const bounds = { maxRunning: limits.callsAtOnce, full: tooMany };
  const unbounded = createKeyedLimiter({ ...bounds, maxWaiting: Number.POSITIVE_INFINITY });
  // While others wait, an account pauses between two calls for this many times as long as the last one took.
  const restFactor = limits.restFactor / deps.config.rateLimitScale;
  const limited = { ...bounds, maxWaitMs: limits.callWaitMaxMs, restFactor };
  const reading = { ...limited, maxWaiting: limits.readsWaiting };
  const ofBorrowers = {
    writes: createKeyedLimiter({ ...limited, maxWaiting: limits.writesWaiting }),
    reads: createKeyedLimiter(reading),
    costly: createKeyedLimiter({ ...reading, maxRunning: 1 }),
  };
  const unread = new Map<number, number>();
  const counted = new WeakSet<ServerResponse>();

  /** Counts a reply as unread until it has been sent, or its reader has gone. */
  function count(id: number, reply: ServerResponse): void {
    if (reply.destroyed || counted.has(reply)) return;
    counted.add(reply);
    unread.set(id, (unread.get(id) ?? 0) + 1);
    reply.once('close', () => {
      const left = (unread.get(id) ?? 0) - 1;
      if (left > 0) unread.set(id, left);
      else unread.delete(id);
    });
  }

  return {
    /** Authenticates only a few calls with the same token at a time. */
    authenticating<Result>({ headers: { authorization = '' } }: FastifyRequest, work: () => Promise<Result>) {
      return authorization === '' ? work() : unbounded.take(`token ${authorization}`, work);
    },

    runWithinLimits<Result>(
      row: Endpoint,
      caller: Caller | undefined,
      reply: ServerResponse,
      work: () => Promise<Result>,
    ): Promise<Result> {
      // A file arrives slowly and has limits of its own.
      if (!caller || row.takesFile) return work();
      const { id, isAdmin } = caller.account;
      const runInTurn = (kind: keyof typeof ofBorrowers, run: () => Promise<Result>) =>
        (isAdmin ? unbounded : ofBorrowers[kind]).take(`${kind} ${id}`, run);
      const kind = row.isCostly ? 'costly' : row.method === 'GET' ? 'reads' : 'writes';
      return runInTurn(kind, async () => {
        if ((unread.get(id) ?? 0) >= limits.unreadRepliesPerAccount) throw tooMany();
        // Counted before the reply exists; otherwise simultaneous calls would all pass the check.
        count(id, reply);
        return row.isCostly ? deps.costly.run(work, String(id)) : work();
      });
    },

    /** A refusal counts as unread too, until it has been sent. */
    countUnread(caller: Caller | undefined, reply: ServerResponse): void {
      if (caller) count(caller.account.id, reply);
    },
  };
}

export type Limiter = ReturnType<typeof limitAccounts>;
