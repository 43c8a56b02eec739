import path from 'node:path';
import { readConfig } from '#server/config.ts';
import { loadWebApp, type WebApp } from '#server/http/web-app.ts';
import { findPlaces } from '#server/places.ts';
import { systemClock } from '#server/platform/clock.ts';
import { buildUnderTest } from './built-server.ts';
import { type TestServerOptions, testServer } from './test-server.ts';

/**
 * The server of a browser test file: this process serves the built web app on a port of its own, from an empty database
 * before each test. Its clock runs, since browsers have no other.
 */
export async function listeningServer({ config, deps }: TestServerOptions = {}) {
  const web = await builtWebApp();
  const server = await testServer({ config, deps: { clock: systemClock, ...deps }, web });
  const origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
  return { ...server, origin };
}

async function builtWebApp(): Promise<WebApp> {
  const build = await buildUnderTest();
  const { web } = findPlaces(path.join(build, 'server'));
  if (!web) throw new Error(`${build} is no build of the app`);
  const { lender, loanMonthlyRate } = readConfig({});
  return loadWebApp(web, { lender, monthlyRate: loanMonthlyRate });
}
