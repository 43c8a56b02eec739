import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { Failure } from '#server/failure.ts';
import { sendFailure } from './errors.ts';
import type { WebApp } from './web-app.ts';

/**
 * Answers what no route serves: JSON under `/api`, with 405 where the path has an endpoint of another method, and the
 * web app's page everywhere else that a browser goes to (§unknown-paths).
 */
export function answerUnknownRoutes(
  app: FastifyInstance,
  table: Record<string, Endpoint>,
  web?: WebApp,
): void {
  const paths = Object.values(table).map(({ method, path }) => ({ method, pattern: patternOf(path) }));

  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const pathname = request.url.split('?', 1)[0] ?? '';
    const isVisit = request.method === 'GET' || request.method === 'HEAD';
    if (web && isVisit && !/^\/api(\/|$)/.test(pathname)) return web.sendUnknownPath(request, reply);

    const methods = paths.flatMap(({ method, pattern }) => (pattern.test(pathname) ? [method] : []));
    if (methods.length === 0) return sendFailure(new Failure('not_found'), request, reply);
    reply.header('allow', [...new Set(methods)].sort().join(', '));
    return sendFailure(new Failure('method_not_allowed'), request, reply);
  });
}

/** `/api/loans/{id}` → every path of that form. */
const patternOf = (path: string) =>
  new RegExp(`^${path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
