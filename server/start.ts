import type { FastifyInstance } from 'fastify';
import { startSealing } from '#server/books/audit-seals.ts';
import { serveConsole } from '#server/books/console-socket.ts';
import type { Say } from '#server/books/console-text.ts';
import type { Config } from './config.ts';
import type { OpenDeps } from './deps.ts';
import { createApp } from './http/app.ts';
import { loadWebApp } from './http/web-app.ts';
import { openInstallation } from './open-database.ts';
import { findPlaces } from './places.ts';
import type { Logger } from './platform/logger.ts';
import { startHousekeeping } from './services/housekeeping-service.ts';

export type RunningServer = {
  /** Where it listens, as an address for a browser. */
  origin: string;
  log: Logger;
  /** Resolves, with the reason, when only a new process can serve again (`Database.stopped`). */
  stopped: Promise<string>;
  /** Takes no new requests, finishes those under way within a bound, and closes everything. */
  stop(): Promise<void>;
};

/** How long requests under way may take when the server is told to stop. */
const drainMs = 10_000;

/** Opens everything and listens. Throws with what to tell; what was opened is closed again. */
export async function startServer(
  config: Config,
  say: Say,
  showPassword: (password: string) => void,
): Promise<RunningServer> {
  const open = await openInstallation(config, say, showPassword);
  try {
    return await serve(config, open);
  } catch (error) {
    await open.close();
    throw error;
  }
}

async function serve(config: Config, { deps, close }: OpenDeps): Promise<RunningServer> {
  const { web } = findPlaces();
  const facts = { lender: config.lender, monthlyRate: config.loanMonthlyRate };
  const app = await createApp(deps, web && (await loadWebApp(web, facts)));
  try {
    const origin = await listen(app, config);
    const closeConsole = await serveConsole(deps);
    const stopHousekeeping = startHousekeeping(deps);
    const stopSealing = startSealing(deps);
    return {
      origin,
      log: deps.log,
      stopped: deps.database.stopped ?? new Promise(() => {}),
      async stop() {
        await Promise.all([drain(app), closeConsole()]);
        await Promise.all([stopHousekeeping(), stopSealing()]);
        await close();
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') throw new Error(`PORT ${port} on ${host} is used by another program`);
    if (code === 'EACCES') throw new Error(`PORT ${port} may not be used by this account`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') throw new Error(`HOST ${host} is not this machine`);
    throw error;
  }
}

async function drain(app: FastifyInstance): Promise<void> {
  const bound = setTimeout(() => app.server.closeAllConnections(), drainMs);
  try {
    await app.close();
  } finally {
    clearTimeout(bound);
  }
}
