import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import multipart from '@fastify/multipart';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import * as table from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { en } from '#contract/wording/en.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import { ipRangeCovers } from '#server/platform/ip-address.ts';
import { type Logger, requestLogger } from '#server/platform/logger.ts';
import { isSameSecret } from '#server/platform/secret-box.ts';
import { borrowerRoutes } from './borrower-routes.ts';
import { drainGently } from './drain.ts';
import { sendFailure } from './errors.ts';
import { findSenders, isPassedOn, readAddress, trustOf } from './forwarded.ts';
import { serveInstallable } from './installable.ts';
import { messageRoutes } from './message-routes.ts';
import { serveEndpoints } from './route.ts';
import { servicingRoutes } from './servicing-routes.ts';
import { staffRoutes } from './staff-routes.ts';
import { discardRefusedBodies } from './upload.ts';
import { serveLenderPictures, serveWebApp, type WebApp } from './web-app.ts';

export class OneLineARequest extends LogController {
  /** Without redaction, which takes as long as a database read: the serializers name everything they write. */
  readonly #log: Logger;

  constructor(log: Logger) {
    super();
    this.#log = log.child({}, { redact: [] });
  }

  override incomingRequest(): void {}

  override requestCompleted(err: Error | null | undefined, req: FastifyRequest, res: FastifyReply): void {
    const { failureCode: code, admitted } = req;
    const line = {
      req,
      res,
      responseTime: res.elapsedTime,
      ...(code && { code, accountId: admitted?.caller?.account.id }),
    };
    if (err) res.log.error({ ...line, err }, 'request errored');
    else this.#log.info({ reqId: req.id, ...line }, 'request completed');
  }
}

/** The whole server as one Fastify instance, not yet listening. `web` is absent if only the API is wanted. */
export async function createApp(deps: Deps, web?: WebApp): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new OneLineARequest(deps.log),
    childLoggerFactory: requestLogger,
    genReqId: requestIds(deps),
    trustProxy: deps.config.trustProxy.length > 0 ? [...deps.config.trustProxy] : false,
    bodyLimit: limits.jsonBodyMaxBytes,
    connectionTimeout: limits.connectionTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // Requests that arrive while the server stops are served: Fastify's own refusal has another format.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: limits.pathPartMaxLength },
    http: {
      headersTimeout: limits.headersTimeoutMs,
      maxHeaderSize: limits.headersMaxBytes,
      connectionsCheckingInterval: limits.slowClientsEveryMs,
    },
    frameworkErrors: (error, request, reply) =>
      sendFailure(error, request, reply.headers({ ...headersOfEarlyRefusals, 'x-request-id': request.id })),
    clientErrorHandler: refuseUnreadable,
  });

  app.setErrorHandler(sendFailure);
  hangUpOnSlowReaders(app);
  discardRefusedBodies(app);
  readJsonOnly(app);
  sendSecurityHeaders(app);
  findSenders(app, deps);
  drainGently(app);
  if (deps.config.publicOrigin) {
    await app.register(cors, {
      origin: deps.config.publicOrigin,
      credentials: true,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: ['retry-after', 'link', 'x-request-id'],
      maxAge: 600,
    });
  }
  const ofForms = { files: 1, parts: 4, fields: 3, fieldSize: 1_000, headerPairs: 20 };
  await app.register(multipart, {
    throwFileSizeLimit: true,
    limits: { fileSize: limits.documentMaxBytes, ...ofForms },
  });
  measure(app, deps);

  serveEndpoints(app, deps, table, {
    ...borrowerRoutes(),
    ...staffRoutes,
    ...servicingRoutes,
    ...messageRoutes,
  });
  serveHealth(app, deps);
  if (web) {
    await serveWebApp(app, web, deps.clock);
    const logo = deps.config.lenderPictures?.find((picture) => picture.path === web.lender.logo);
    serveInstallable(app, web.lender, async () => logo?.bytes ?? web.readIcon());
  }
  serveLenderPictures(app, deps.config.lenderPictures);
  answerUnknownRoutes(app, web);
  return app;
}

const passedId = /^[\w.:-]{8,100}$/;

/** Takes over the name that our proxy gave the request, so that both logs name it alike. */
function requestIds({ config }: Deps): (request: IncomingMessage) => string {
  const isTrusted = trustOf(config.trustProxy);
  return ({ headers: { 'x-request-id': given }, socket }) => {
    const isPassed = typeof given === 'string' && passedId.test(given);
    const peer = readAddress(socket.remoteAddress ?? '');
    return isPassed && peer !== undefined && isTrusted(peer) ? given : randomUUID();
  };
}

/** Endpoints read only JSON, except the upload. An empty body counts as none, whatever its type. */
function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, body, done),
  );
}

function measure(app: FastifyInstance, deps: Deps): void {
  app.addHook('onResponse', (request, reply, done) => {
    deps.metrics.countRequest({
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });
}

/** Requests that Node cannot parse get a JSON reply too, before routing. */
function refuseUnreadable(this: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const otherwise = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
  const status = isTooLarge ? '431 Request Header Fields Too Large' : otherwise;
  const code: ErrorCode = isTooLarge ? 'headers_too_large' : 'malformed';
  const body = JSON.stringify({ message: en.errors[code], code });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** JSON under `/api`, 405 if only the method is unknown; elsewhere the web app's page (§unknown-paths). */
function answerUnknownRoutes(app: FastifyInstance, web?: WebApp): void {
  const paths = Object.values(table).map(({ method, path }) => ({ method, pattern: patternOf(path) }));

  app.setNotFoundHandler((request, reply) => {
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

const loopback = ['127.0.0.0/8', '::1'];

/** For monitoring; not in the endpoint table (§health). */
function serveHealth(app: FastifyInstance, deps: Deps): void {
  app.get('/healthz', async (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (app.isDraining) return reply.code(503).send({ status: 'stopping' });
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
 * Admits callers who have the token, and callers on this machine, which the socket's address tells. A call that comes through a
 * local proxy is not one of them.
 */
function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  const address = request.socket.remoteAddress ?? '';
  if (!isPassedOn(request) && loopback.some((range) => ipRangeCovers(range, address))) return true;
  return token !== undefined && isSameSecret(`Bearer ${token}`, request.headers.authorization ?? '');
}

const everySeconds = 1;

/** Readers slower than any network keep replies in memory. The socket's timeout ends those that read nothing. */
function hangUpOnSlowReaders(app: FastifyInstance): void {
  /**
   * The bytes handed to each connection at the last check, and how far its reader is
   * ahead of the minimum pace.
   */
  const seen = new Map<Socket, { handedBytes: number; aheadBytes: number }>();

  app.server.on('connection', (socket) => {
    seen.set(socket, { handedBytes: 0, aheadBytes: 0 });
    socket.once('close', () => seen.delete(socket));
  });

  const timer = setInterval(() => {
    for (const [socket, reader] of seen) {
      const handedBytes = socket.bytesWritten;
      const waitingBytes = socket.writableLength;
      if (waitingBytes === 0) reader.aheadBytes = 0;
      else {
        // Nobody can see how much of a chunk has been sent.
        const newBytes = handedBytes - reader.handedBytes;
        const pace = everySeconds * limits.replyMinBytesPerSecond;
        reader.aheadBytes = Math.min(reader.aheadBytes + newBytes, waitingBytes) - pace;
      }
      reader.handedBytes = handedBytes;
      if (reader.aheadBytes < -limits.replySlowSeconds * limits.replyMinBytesPerSecond) socket.destroy();
    }
  }, everySeconds * 1_000).unref();

  app.addHook('onClose', async () => clearInterval(timer));
}

/** Browser features that no page uses. Upload photos come from the phone's own camera app. */
const unusedFeatures = (
  'accelerometer camera display-capture encrypted-media geolocation gyroscope magnetometer microphone midi ' +
  'payment publickey-credentials-get screen-wake-lock serial usb xr-spatial-tracking'
).split(' ');

const aYearSeconds = 31_536_000;

/** Headers of every answer (decision 016). */
const securityHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    // Radix positions its toasts and tooltips with style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    // PDFs to print, made by the page.
    'frame-src blob:',
    ...['font', 'connect', 'manifest'].map((what) => `${what}-src 'self'`),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // The browser refuses strings where they could become script. The one policy names the one worker (`web/lib/offline.ts`).
    "require-trusted-types-for 'script'",
    'trusted-types offline-page',
  ].join(';'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

/** Headers for requests refused before any route or hook, such as one with an unreadable address. */
const headersOfEarlyRefusals = {
  ...securityHeaders,
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cache-control': 'no-store',
};

function sendSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', request.id);
    // A proxy named in TRUST_PROXY terminates TLS and says so with X-Forwarded-Proto. A server reached without TLS must
    // not promise it.
    if (request.protocol === 'https') reply.header('strict-transport-security', `max-age=${aYearSeconds}`);
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isApiPath(request.url)) reply.header('cache-control', 'no-store');
    done();
  });
}

/** Decoded as the router does it: `/%61pi/…` counts. */
function isApiPath(url: string): boolean {
  try {
    return /^\/api(?:[/?]|$)/.test(decodeURI(url));
  } catch {
    return true;
  }
}
