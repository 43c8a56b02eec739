import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#server/deps.ts';
import { ipRangeCovers } from '#server/platform/ip-address.ts';

const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
];

/** Whether a proxy forwarded the request, or its sender pretends so. */
export const isPassedOn = ({ headers }: FastifyRequest): boolean =>
  forwardingHeaders.some((name) => headers[name] !== undefined);

/** Came through a proxy that TRUST_PROXY does not name: the allow-list would see the proxy's address. */
export const hidesItsSender = ({ config }: Deps, request: FastifyRequest): boolean =>
  isPassedOn(request) &&
  !config.trustProxy.some((range) => ipRangeCovers(range, request.socket.remoteAddress ?? ''));

/** Logs the first such proxy, and shows it in Settings. Anybody can send these headers. */
export function noteUnnamedProxies(app: FastifyInstance, deps: Deps): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (deps.met.unnamedProxy === undefined && hidesItsSender(deps, request)) {
      deps.met.unnamedProxy = request.socket.remoteAddress;
      deps.log.warn(
        'a request carried headers of a proxy that TRUST_PROXY does not name: if it is yours, name it; until then every address that is seen is the proxy’s',
      );
    }
    done();
  });
}
