import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#server/deps.ts';
import { ipRangeCovers } from '#server/platform/ip-address.ts';

/** What proxies say of a request that they pass on. */
const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
];

/** Whether a proxy passed the request on, or its sender wants it to look so. */
export const isPassedOn = ({ headers }: FastifyRequest): boolean =>
  forwardingHeaders.some((name) => headers[name] !== undefined);

/**
 * Whether a proxy passed it on that TRUST_PROXY does not name: then the address we see is the proxy's, and the rule about
 * allowed addresses would let in everybody or nobody.
 */
export const hidesItsSender = ({ config }: Deps, request: FastifyRequest): boolean =>
  isPassedOn(request) &&
  !config.trustProxy.some((range) => ipRangeCovers(range, request.socket.remoteAddress ?? ''));

/** Says in the log and keeps for Settings, once, that such a proxy was met. Anybody can send these headers. */
export function noteUnnamedProxies(app: FastifyInstance, deps: Deps): void {
  app.addHook('onRequest', async (request) => {
    if (deps.met.unnamedProxy !== undefined || !hidesItsSender(deps, request)) return;
    deps.met.unnamedProxy = request.socket.remoteAddress;
    deps.log.warn(
      'a request carried headers of a proxy that TRUST_PROXY does not name: if it is yours, name it; until then every address that is seen is the proxy’s',
    );
  });
}
