import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import { ipRangeCovers } from '#server/platform/ip-address.ts';
import { sendFailure } from './errors.ts';
import { isPassedOn } from './forwarded.ts';

const loopback = ['127.0.0.0/8', '::1'];

/** What watches the server asks here; these paths stand outside the endpoint table (§health). */
export function serveHealth(app: FastifyInstance, deps: Deps): void {
  app.get('/healthz', async (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (await deps.database.isReady()) return reply.send({ status: 'ready' });
    return sendFailure(new Failure('database_unavailable'), request, reply);
  });

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, deps.config.metricsToken)) return reply.callNotFound();
    return reply
      .header('cache-control', 'no-store')
      .type(deps.metrics.contentType)
      .send(await deps.metrics.text());
  });
}

/**
 * From this machine itself, unless a proxy on it passes on what came from elsewhere; or with the token. The socket's
 * address is looked at, never one that a header claims.
 */
function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  const address = request.socket.remoteAddress ?? '';
  if (!isPassedOn(request) && loopback.some((range) => ipRangeCovers(range, address))) return true;
  return token !== undefined && isSame(request.headers.authorization ?? '', `Bearer ${token}`);
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
