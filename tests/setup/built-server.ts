import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { buildApp } from '../../scripts/build-app.mjs';
import { withCheckoutLock } from '../../scripts/checkout-lock.mjs';
import { distDir } from '../../scripts/project.mjs';
import { shortLived } from './program.ts';
import { mainAdminPassword } from './test-server.ts';

/** The product's server as a process of its own, as `npm start` runs it. */
export type BuiltServer = {
  origin: string;
  port: number;
  pid: number;
  /** Resolves when it has ended, by itself or not: its exit code, and all that it wrote to standard error. */
  ended: Promise<{ code: number | null; complained: string }>;
  /** Tells it to stop, as a service manager does, and waits until it has; resolves to its exit code. */
  stop(): Promise<number | null>;
};

export type BuiltServerOptions = {
  dataDir: string;
  /** Any free one unless told otherwise. */
  port?: number;
  settings?: Record<string, string>;
  /** Instead of the build to test. */
  buildDir?: string | undefined;
  /** How fast it answers is asked of it too. */
  isMeasured?: boolean;
};

const startWithinMs = 60_000;

/** Nothing answers there, so rates are the built-in ones and no test waits for the internet. */
const deadRateService = 'http://127.0.0.1:1/rates';

/** The build to test: the one that the run names, else one made of the present sources. */
export async function buildUnderTest(): Promise<string> {
  const named = process.env.TEST_BUILD_DIR;
  if (named) return path.resolve(named);
  return path.join(distDir, await withCheckoutLock(buildApp));
}

/**
 * Starts the built server and waits until it listens. When it ends instead, rejects with what it wrote to standard
 * error.
 */
export async function startBuiltServer({
  dataDir,
  port = 0,
  settings,
  buildDir,
  isMeasured = false,
}: BuiltServerOptions): Promise<BuiltServer> {
  const { PATH, HOME, TZ } = process.env;
  const child = spawn(
    process.execPath,
    [...(isMeasured ? [] : shortLived), path.join(buildDir ?? (await buildUnderTest()), 'server', 'main.js')],
    {
      env: {
        PATH,
        HOME,
        TZ,
        DATA_DIR: dataDir,
        PORT: String(port),
        MAIN_ADMIN_PASSWORD: mainAdminPassword,
        RATE_SERVICE_URL: deadRateService,
        LOG_LEVEL: 'warn',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const ended = once(child, 'close');
  let complained = '';
  child.stderr.on('data', (chunk) => {
    complained += chunk;
  });
  // A run that is broken off leaves no server behind.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  void ended.then(() => process.removeListener('exit', kill));

  const origin = await listening(child);
  return {
    origin,
    port: Number(new URL(origin).port),
    pid: child.pid ?? 0,
    ended: ended.then(() => ({ code: child.exitCode, complained })),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    let complained = '';
    const timeout = setTimeout(() => child.kill('SIGKILL'), startWithinMs);
    child.stderr?.on('data', (chunk) => {
      complained += chunk;
    });
    child.stdout?.on('data', (chunk) => {
      said += chunk;
      const origin = /^Hiram listens on (\S+)$/m.exec(said)?.[1];
      if (origin === undefined) return;
      clearTimeout(timeout);
      resolve(origin);
    });
    child.once('close', () => {
      clearTimeout(timeout);
      reject(new Error(complained || `the server ended before it listened:\n${said}`));
    });
  });
}
