import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { findBuildFolders } from '#server/build-folders.ts';
import { readConfig } from '#server/config.ts';
import { loadWebApp, type WebApp } from '#server/http/web-app.ts';
import { systemClock } from '#server/platform/clock.ts';
import { keepPagesOf, testBrowser } from './browser.ts';
import { buildUnderTest } from './built-server.ts';
import { startTestServer, type TestServer, type TestServerOptions, testServer } from './test-server.ts';

/**
 * The server and the browser of a test file: this process serves the built web app on a port of its own, from an empty
 * database before each test. Its clock runs, since browsers have no other.
 */
export async function listeningServer({ config, deps }: TestServerOptions = {}) {
  const server = await testServer({
    config,
    deps: { clock: systemClock, ...deps },
    web: await builtWebApp(config),
  });
  return visited(server, await (config?.lender ? listen(server) : takeTheDoor(server)));
}

/** The same with data that stay for the whole file: for tests that only look at them. */
export async function standingServer() {
  const server = await startTestServer({ deps: { clock: systemClock }, web: await builtWebApp() });
  afterAll(server.close);
  return visited(server, await takeTheDoor(server));
}

const visited = async (server: TestServer, origin: string) => ({
  server: { ...server, origin },
  browser: await testBrowser(origin),
});

const listen = ({ app }: TestServer) => app.listen({ host: '127.0.0.1', port: 0 });

type Door = { origin: string; app: TestServer['app'] | undefined; answers: Set<http.ServerResponse> };

/** Files of a worker with the same pages share an address, so the browser need not load them anew. */
let door: Promise<Door> | undefined;

function openDoor(): Promise<Door> {
  return new Promise((resolve) => {
    const opened: Door = { origin: '', app: undefined, answers: new Set() };
    const server = http.createServer((request, response) => {
      if (!opened.app) return response.destroy();
      opened.answers.add(response);
      opened.app.routing(request, response);
    });
    server.unref().listen(0, '127.0.0.1', () => {
      opened.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      keepPagesOf(opened.origin);
      resolve(opened);
    });
  });
}

async function takeTheDoor({ app }: TestServer): Promise<string> {
  door ??= openDoor();
  const opened = await door;
  if (opened.app) throw new Error('a file has one server with the usual pages');
  opened.app = app;
  afterAll(async () => {
    opened.app = undefined;
    // A page that has gone leaves requests under way, whose handlers still read the database.
    const isAnswering = () => [...opened.answers].some((answer) => !answer.writableEnded);
    for (let waits = 0; waits < 100 && isAnswering(); waits += 1) await sleep(20);
    opened.answers.clear();
  });
  return opened.origin;
}

/** The pages say what the server under test is told of its lender and its rate. */
async function builtWebApp(config: TestServerOptions['config'] = {}): Promise<WebApp> {
  const build = await buildUnderTest();
  const { web } = findBuildFolders(path.join(build, 'server'));
  if (!web) throw new Error(`${build} is no build of the app`);
  const { lender, loanMonthlyRate } = { ...readConfig({}), ...config };
  return loadWebApp(web, { lender, monthlyRate: loanMonthlyRate });
}
