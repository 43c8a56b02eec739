import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { profileFields } from '#domain/profile.ts';

/** The part of a logger that the HTTP library needs, so that the server's and a request's have one type. */
export type Logger = Pick<pino.BaseLogger, 'level' | LogLevel> & {
  child(bindings: pino.Bindings, options?: pino.ChildLoggerOptions): Logger;
};

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Redacted at the top of a line and one level deep (§settings): a second defence, since nothing should log them. */
const withheld = [
  'authorization cookie token tokenHash metricsToken secretKey secretAccessKey databaseUrl body query',
  'password currentPassword newPassword plainPassword mainAdminPassword passwordHash otp otpCode',
  `phone username ${Object.keys(profileFields).join(' ')}`,
].flatMap((names) => names.split(' '));

const redact = {
  paths: [
    ...withheld.flatMap((name) => [name, `*.${name}`]),
    ...['*.headers.authorization', '*.headers.cookie'],
  ],
  censor: '[withheld]',
};

/** JSON lines on standard output, readable lines on a terminal. */
export function createLogger(settings: {
  level: LogLevel;
  destination?: pino.DestinationStream;
  isTerminal?: boolean;
}): Logger {
  const { level, isTerminal = settings.destination === undefined && process.stdout.isTTY } = settings;
  const options: pino.LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { req: loggedRequest, res: ({ statusCode }) => ({ statusCode }), err: loggedError },
    redact,
  };
  const destination = settings.destination ?? process.stdout;
  if (isTerminal) return pino(options, { write: (line) => destination.write(readableLine(line)) });
  return settings.destination ? pino(options, destination) : pino(options);
}

const { chindingsSym: written, streamSym } = pino.symbols;

/** Adds the request to each line. Pino's own `child` redacts its bindings, which takes longer than the lines do. */
export function requestLogger(log: Logger, bindings: pino.Bindings): Logger {
  const before: unknown = Reflect.get(log, written);
  return Object.assign(Object.create(log), {
    [written]: `${before},${JSON.stringify(bindings).slice(1, -1)}`,
  });
}

const lastLinesMs = 1_000;

/** Writes the last lines. Pino never lets a process end while nobody reads its log. */
export async function endLog(log: Logger): Promise<void> {
  const stream: pino.DestinationStream | ReturnType<typeof pino.destination> = Reflect.get(log, streamSym);
  if (!('destroy' in stream)) return;
  const closed = once(stream, 'close');
  stream.end();
  await Promise.race([closed, sleep(lastLinesMs)]).catch(() => undefined);
  stream.destroy();
}

/** `14:03:22 info  GET /api/loans/user 200 4 ms` */
function readableLine(json: string): string {
  const { level, time, pid, reqId, msg, req, res, responseTime, err, ...others } = JSON.parse(json);
  const parts = [
    res && msg === 'request completed' ? '' : msg,
    req && `${req.method} ${req.path}`,
    res?.statusCode,
    responseTime !== undefined && `${Math.round(responseTime)} ms`,
    ...Object.entries(others).map(([name, value]) => `${name}=${JSON.stringify(value)}`),
  ];
  const clock = new Date(time).toLocaleTimeString('en-GB');
  const line = [clock, String(level).padEnd(5), ...parts.filter((part) => part || part === 0)].join(' ');
  return [line, ...errorLines(err)].map((text) => `${withoutControls(text)}\n`).join('');
}

function errorLines(error?: LoggedError): string[] {
  if (!error) return [];
  const { type, message, code, constraint, stack = '', cause } = error;
  const marks = [code, constraint].filter(Boolean).join(', ');
  const head = `  ${type}: ${message}${marks && ` (${marks})`}`;
  return [head, ...stack.split('\n').filter(Boolean), ...errorLines(cause)];
}

/** A stranger's text must not move the cursor or colour the screen. */
const withoutControls = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd');

const PATH_MAX_LENGTH = 200;

/** Leaves out query, headers and address: a search for a member names that member. */
function loggedRequest(request: { method?: string; url?: string }) {
  const [path = ''] = (request.url ?? '').split('?');
  return { method: request.method, path: path.slice(0, PATH_MAX_LENGTH) };
}

type LoggedError = {
  type: string;
  message: string;
  code?: string;
  constraint?: string;
  stack?: string;
  cause?: LoggedError;
};

const MESSAGE_MAX_LENGTH = 1_000;
const CAUSES_MAX = 4;

/** Named properties only: database errors also contain the row (`detail`, `where`) and the parameters. */
function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'something else than an error was thrown' };
  const code = textProperty(error, 'code');
  const constraint = textProperty(error, 'constraint');
  const hasCause = error.cause !== undefined && depth < CAUSES_MAX;
  return {
    type: error.name,
    message: safeMessage(error, code),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    stack: stackFrames(error),
    ...(hasCause ? { cause: loggedError(error.cause, depth + 1) } : {}),
  };
}

/** Drizzle lists parameters after the query; PostgreSQL's class 22 and JSON's syntax errors quote the value itself. */
function safeMessage(error: Error, code: string | undefined): string {
  const [message = ''] = error.message.split('\nparams:');
  const quotesInput = error instanceof SyntaxError || /^22[0-9A-Z]{3}$/.test(code ?? '');
  return (quotesInput ? message.replace(/(["'`]).*\1/gs, '…') : message).slice(0, MESSAGE_MAX_LENGTH);
}

/** Returns only the frames: a stack begins with the message. */
function stackFrames(error: Error): string {
  const lines = (error.stack ?? '').split('\n');
  return lines.filter((line) => /^\s+at /.test(line)).join('\n');
}

function textProperty(error: Error, name: string): string | undefined {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : undefined;
}
