import cors from '@fastify/cors';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance } from 'fastify';
import * as table from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { en } from '#contract/wording/en.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { bindAdminRoutes } from './admin-routes.ts';
import { bindAllowedIpRoutes } from './allowed-ip-routes.ts';
import { bindAuditRoutes } from './audit-routes.ts';
import { bindAuthRoutes } from './auth-routes.ts';
import { bindDocumentRoutes } from './document-routes.ts';
import { handleErrors, sendFailure } from './errors.ts';
import { bindExchangeRoutes } from './exchange-routes.ts';
import { noteUnnamedProxies } from './forwarded.ts';
import { serveHealth } from './health-routes.ts';
import { bindLoanRoutes } from './loan-routes.ts';
import { bindMemberRoutes } from './member-routes.ts';
import { bindNotificationRoutes } from './notification-routes.ts';
import { bindOpenApiRoutes } from './openapi-routes.ts';
import { bindPrivacyRoutes } from './privacy-routes.ts';
import { bindProfileRoutes } from './profile-routes.ts';
import { createBinder } from './route.ts';
import { headersOfEarlyRefusals, sendSecurityHeaders } from './security-headers.ts';
import { hangUpOnSlowReaders } from './slow-readers.ts';
import { bindStaffLoanRoutes } from './staff-loan-routes.ts';
import { answerUnknownRoutes } from './unknown-route.ts';
import { discardRefusedBodies } from './upload.ts';
import { serveLenderPictures, serveWebApp, type WebApp } from './web-app.ts';
import { bindWithdrawalRoutes } from './withdrawal-routes.ts';

/** The whole server as one Fastify instance, not yet listening. `web` is absent where only the API is wanted. */
export async function createApp(deps: Deps, web?: WebApp): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: deps.log,
    trustProxy: deps.config.trustProxy.length > 0 ? [...deps.config.trustProxy] : false,
    bodyLimit: limits.jsonBodyMaxBytes,
    connectionTimeout: limits.connectionTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // What still arrives while the server stops is served: Fastify's own refusal is not in the agreed form.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: limits.pathPartMaxLength },
    http: {
      headersTimeout: limits.headersTimeoutMs,
      maxHeaderSize: limits.headersMaxBytes,
      connectionsCheckingInterval: limits.slowClientsEveryMs,
    },
    frameworkErrors: (error, request, reply) =>
      sendFailure(error, request, reply.headers(headersOfEarlyRefusals)),
    clientErrorHandler: refuseUnreadable,
  });

  handleErrors(app);
  hangUpOnSlowReaders(app);
  discardRefusedBodies(app);
  readJsonOnly(app);
  await sendSecurityHeaders(app);
  noteUnnamedProxies(app, deps);
  if (deps.config.publicOrigin) {
    await app.register(cors, {
      origin: deps.config.publicOrigin,
      credentials: true,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: ['retry-after'],
      maxAge: 600,
    });
  }
  await app.register(multipart, {
    throwFileSizeLimit: true,
    limits: {
      fileSize: limits.documentMaxBytes,
      files: 1,
      parts: 4,
      fields: 3,
      fieldSize: 1_000,
      headerPairs: 20,
    },
  });
  measure(app, deps);

  const endpoints = table as unknown as Record<string, Endpoint>;
  const binder = createBinder(app, deps, endpoints);
  for (const bind of [
    bindAuthRoutes,
    bindProfileRoutes,
    bindPrivacyRoutes,
    bindDocumentRoutes,
    bindLoanRoutes,
    bindWithdrawalRoutes,
    bindNotificationRoutes,
    bindMemberRoutes,
    bindStaffLoanRoutes,
    bindAdminRoutes,
    bindAllowedIpRoutes,
    bindAuditRoutes,
    bindExchangeRoutes,
    bindOpenApiRoutes,
  ]) {
    bind(binder.route);
  }
  binder.finish();

  serveHealth(app, deps);
  if (web) await serveWebApp(app, web);
  serveLenderPictures(app, deps.config.lenderPictures);
  answerUnknownRoutes(app, endpoints, web);
  return app;
}

/** JSON is the only body an endpoint reads, beside the one upload. An empty body is none, whatever its type says. */
function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, body, done),
  );
}

function measure(app: FastifyInstance, deps: Deps): void {
  app.addHook('onResponse', async (request, reply) => {
    deps.metrics.countRequest({
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
  });
}

/** A request that Node itself could not read gets a JSON answer too, before any route is known. */
function refuseUnreadable(
  this: FastifyInstance,
  error: NodeJS.ErrnoException,
  socket: import('node:net').Socket,
) {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const isTooSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = isTooLarge
    ? '431 Request Header Fields Too Large'
    : isTooSlow
      ? '408 Request Timeout'
      : '400 Bad Request';
  const { code, message } = isTooLarge ? unreadable.tooLarge : unreadable.malformed;
  const body = JSON.stringify({ message, code });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const unreadable = {
  tooLarge: { code: 'headers_too_large', message: en.errors.headers_too_large },
  malformed: { code: 'malformed', message: en.errors.malformed },
};
