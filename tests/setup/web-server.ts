import path from 'node:path';
import { afterAll } from 'vitest';
import { readConfig } from '#server/config.ts';
import { loadWebApp, type WebApp } from '#server/http/web-app.ts';
import { findPlaces } from '#server/places.ts';
import { systemClock } from '#server/platform/clock.ts';
import { buildUnderTest } from './built-server.ts';
import { startTestServer, type TestServer, type TestServerOptions, testServer } from './test-server.ts';

/**
 * The server of a browser test file: this process serves the built web app on a port of its own, from an empty database
 * before each test. Its clock runs, since browsers have no other.
 */
export async function listeningServer({ config, deps }: TestServerOptions = {}) {
  const server = await testServer({
    config,
    deps: { clock: systemClock, ...deps },
    web: await builtWebApp(config),
  });
  return { ...server, origin: await listen(server) };
}

/** The same with data that stay for the whole file: for tests that only look at them. */
export async function standingServer() {
  const server = await startTestServer({ deps: { clock: systemClock }, web: await builtWebApp() });
  afterAll(server.close);
  return { ...server, origin: await listen(server) };
}

const listen = ({ app }: TestServer) => app.listen({ host: '127.0.0.1', port: 0 });

/** The pages say what the server under test is told of its lender and its rate. */
async function builtWebApp(config: TestServerOptions['config'] = {}): Promise<WebApp> {
  const build = await buildUnderTest();
  const { web } = findPlaces(path.join(build, 'server'));
  if (!web) throw new Error(`${build} is no build of the app`);
  const { lender, loanMonthlyRate } = { ...readConfig({}), ...config };
  return loadWebApp(web, { lender, monthlyRate: loanMonthlyRate });
}
