import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { isPassedOn } from './forwarded.ts';

/**
 * A stopping server goes on taking connections for so long, so that a proxy that asks `/readyz` learns
 * of it (§stopping). Longer than a proxy keeps an idle connection to it, and than nginx passes over a
 * server that had refused one.
 */
export const noticeMs = 4_000;

/** A proxy that has asked nothing for so long has nothing under way and no connection left. */
const watchedForMs = 60_000;

/** Requests under way may take so long after that. */
export const finishMs = 10_000;

declare module 'fastify' {
  interface FastifyInstance {
    readonly isDraining: boolean;
    /** Finishes what is under way, and closes. At once where the server has stopped working. */
    drain(how?: { isAtOnce: boolean }): Promise<void>;
  }
}

/** Ends so that no proxy loses a request: see §stopping. */
export function drainGently(app: FastifyInstance): void {
  let isDraining = false;
  let watchedAtMs = Number.NEGATIVE_INFINITY;

  app.decorate('isDraining', { getter: () => isDraining });

  app.addHook('onRequest', (request, reply, done) => {
    if (isPassedOn(request) || request.url === '/readyz') watchedAtMs = performance.now();
    if (isDraining) reply.header('connection', 'close');
    done();
  });
  // The answers to requests that were under way when the signal came end their connections too.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining) reply.header('connection', 'close');
    done();
  });

  app.decorate('drain', async ({ isAtOnce } = { isAtOnce: false }) => {
    isDraining = true;
    if (!isAtOnce && performance.now() - watchedAtMs < watchedForMs) await sleep(noticeMs);
    const bound = setTimeout(() => app.server.closeAllConnections(), finishMs);
    try {
      await app.close();
    } finally {
      clearTimeout(bound);
    }
  });
}
