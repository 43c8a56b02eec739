import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { paths } from '#contract/routes.ts';
import { formatManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { startSealing } from '#server/books/audit-seals.ts';
import { serveConsole } from '#server/books/console-socket.ts';
import { createApp } from '#server/http/app.ts';
import { loadWebApp } from '#server/http/web-app.ts';
import { codeOf } from '#server/platform/file-system.ts';
import { outboxFile } from '#server/platform/gateways/file-gateway.ts';
import { endLog } from '#server/platform/logger.ts';
import { startHousekeeping } from '#server/services/housekeeping-service.ts';
import { startSender } from '#server/services/message-sender.ts';
import { startNumbering } from '#server/services/receipt-service.ts';
import { findBuildFolders } from './build-folders.ts';
import { type Config, readConfig } from './config.ts';
import type { OpenDeps } from './deps.ts';
import { mainAdminPasswordLine, openInstallation, orClosed } from './open-database.ts';
import { sampleLender } from './sample-lender.ts';

/** Lines for the person at the console; everything else on standard output is the log. */
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** It cannot be read again, so it is shown last, after all log lines, even if the start fails. */
let firstPassword: string | undefined;

function passwordBox(password: string, origin = ''): string {
  if (!process.stdout.isTTY) {
    const line = mainAdminPasswordLine(password);
    const rule = '─'.repeat(line.length);
    return `\n${rule}\n${line}\n${rule}\n`;
  }
  const lines = [
    'Sign in for the first time',
    '',
    `Address    ${origin}${paths.adminLogin}`,
    `Username   ${limits.mainAdminPhone}`,
    `Password   ${password}`,
    '',
    'Shown only this once. Lost it? npm run admin:reset',
  ];
  const width = Math.max(...lines.map((line) => line.length));
  const rule = '─'.repeat(width + 4);
  const rows = lines.map((line) => `│  ${line.padEnd(width)}  │`);
  return ['', `┌${rule}┐`, ...rows, `└${rule}┘`, ''].join('\n');
}

function giveUp(error: unknown): never {
  if (firstPassword !== undefined) say(passwordBox(firstPassword));
  process.stderr.write(`Hiram cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

/** One stop may arrive as two signals: npm passes its own on, and a terminal or service manager tells both. */
const oneStopMs = 1_000;

/**
 * The first signal lets running requests finish; a later one ends the process at once. If the embedded database has
 * stopped for good, or the books are of another edition, the process ends with code 1, so that a service manager starts a
 * new one.
 */
function stopWhenTold(starting: Promise<RunningServer>): void {
  let toldAtMs: number | undefined;
  const told = () => {
    if (toldAtMs !== undefined && performance.now() - toldAtMs < oneStopMs) return;
    toldAtMs ??= performance.now();
    void stop(0);
  };
  let isStopping = false;
  const stop = async (exitCode: number) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    const server = await starting;
    const code = await server.stop({ isAtOnce: exitCode !== 0 }).then(
      () => exitCode,
      (err) => {
        server.log.error({ err }, 'stopping went wrong');
        return 1;
      },
    );
    await endLog(server.log);
    process.exit(code);
  };
  process.on('SIGTERM', told);
  process.on('SIGINT', told);
  void starting
    .then(({ stopped }) => stopped)
    .then((reason) => {
      process.stderr.write(`Hiram stops: ${reason}. What was acknowledged is safe; start it again.\n`);
      return stop(1);
    })
    // The failed start is reported elsewhere.
    .catch(() => undefined);
  process.on('uncaughtException', async (err) => {
    const server = await starting;
    server.log.fatal({ err }, 'an error that nobody caught');
    void stop(1);
  });
  process.on('unhandledRejection', async (err) => {
    const server = await starting;
    server.log.error({ err }, 'a rejection that nobody handled');
  });
}

type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** Opens everything and listens. Throws with a message for the console; what was opened is closed again. */
async function startServer() {
  const config = readConfig(process.env);
  const open = await openInstallation(config, say, (password) => {
    firstPassword = password;
  });
  return orClosed(open, () => serve(config, open));
}

async function serve(config: Config, { deps, close }: OpenDeps) {
  const { web } = findBuildFolders();
  const { lender, loanMonthlyRate: monthlyRate, demoDate: startedOn } = config;
  const demo = startedOn && { startedOn, aheadMs: deps.clock.aheadMs ?? 0 };
  const facts = { lender, monthlyRate, ...(demo && { demo }) };
  const app = await createApp(deps, web && (await loadWebApp(web, facts)));
  return orClosed(app, async () => {
    const origin = await listen(app, config);
    const closeConsole = await serveConsole(deps);
    const stopHousekeeping = startHousekeeping(deps);
    const stopSealing = startSealing(deps);
    const stopSender = startSender(deps);
    const stopNumbering = startNumbering(deps);
    return {
      config,
      origin,
      log: deps.log,
      /** Resolves, with the reason, if only a new process can serve again (`Database.stopped`). */
      stopped: deps.database.stopped,
      /** Finishes running requests within a time limit, and closes everything. */
      async stop(how: { isAtOnce: boolean }) {
        await Promise.all([app.drain(how), closeConsole(), stopSender()]);
        await Promise.all([stopHousekeeping(), stopNumbering()]);
        await stopSealing();
        await close();
      },
    };
  });
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE') throw new Error(`PORT ${port} on ${host} is used by another program`);
    if (code === 'EACCES') throw new Error(`PORT ${port} may not be used by this account`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') throw new Error(`HOST ${host} is not this machine`);
    throw error;
  }
}

const starting = startServer();
stopWhenTold(starting);
const { config, origin } = await starting.catch(giveUp);
// The lines go out in one write, so that the first never arrives without the last.
const lines = [`Hiram listens on ${origin}`];
const { lender } = config;
if (lender === sampleLender) lines.push('It shows the sample lender; LENDER_CONFIG names your own.');
else if (lender.isSample)
  lines.push(
    `It shows ${lender.tradeName ?? lender.name} as a sample: "isSample" is true in the lender’s file.`,
  );
else if (lender.certificateOfAuthorityNumber === undefined)
  lines.push('The lender’s file lacks what SEC MC 19, s. 2019 asks for: npm run lender:check -- <file>');
const { sms, email } = config.messaging;
const written = [sms, email].filter((channel) => channel?.gateway === 'file').length;
if (written > 0)
  lines.push(
    `Messages are written to ${path.join(config.dataDir, outboxFile)} and sent to nobody; codes are in that file.`,
  );
if (config.demoDate) lines.push(`Its calendar is a demo: it starts on ${formatManilaDate(config.demoDate)}.`);
if (firstPassword !== undefined) lines.push(passwordBox(firstPassword, origin));
say(lines.join('\n'));
