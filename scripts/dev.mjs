// `npm run dev`: the server from source, restarted on changes, behind Vite, which hot-reloads the web app. PORT is the
// browser's port, as for `npm start`; Ctrl-C ends both.
import { once } from 'node:events';
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
const { mkdir, readFile, rm, symlink, writeFile } = await import('node:fs/promises');
const { createServer: createTcpServer } = await import('node:net');
const { join } = await import('node:path');
const { devBuildName } = await import('./build-app.mjs');
const { endGroups, runGroup } = await import('./child-group.mjs');
const { withCheckoutLock } = await import('./checkout-lock.mjs');
const { installPackages } = await import('./packages.mjs');
const { distDir, rootDir, runScript } = await import('./project.mjs');
const { noteRunning } = await import('./running-servers.mjs');

/** Laid out like a build, for the server: the landing bundle, the app's page as transformed by Vite, the migrations. */
const devDir = join(distDir, devBuildName);
const devAssets = {
  styles: '@import "/landing/landing.css";',
  scripts: ['/landing/landing-script.ts'],
  signInScripts: { en: [], fil: [] },
};

async function freePort() {
  const probe = createTcpServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  await once(probe.close(), 'close');
  return port;
}

/** Rebuilds the landing page's bundle on changes; resolves after the first build. */
async function watchLanding() {
  const { build } = await import('vite');
  const watcher = await build({
    configFile: join(rootDir, 'vite.server.config.ts'),
    mode: 'landing',
    logLevel: 'warn',
    build: { outDir: devDir, watch: {} },
  });
  if (!('on' in watcher)) throw new Error('vite did not watch');
  await new Promise((resolve) =>
    watcher.on('event', ({ code }) => {
      if (code === 'END') resolve(undefined);
    }),
  );
  return watcher;
}

/**
 * Vite serves modules and proxies pages and API calls to the server, which knows the lender's facts.
 * @param {string} serverOrigin
 */
async function startVite(serverOrigin) {
  const { createServer } = await import('vite');
  const serverPaths = /^\/(?:api(?:\/|$)|lender\/|healthz$|readyz$|metrics$)/;
  /** @param {import('node:http').IncomingMessage} request */
  const isForServer = ({ url = '', headers }) =>
    serverPaths.test(url) || headers.accept?.includes('text/html') === true;
  return createServer({
    configFile: join(rootDir, 'vite.config.ts'),
    clearScreen: false,
    server: {
      port: Number(process.env.PORT ?? 3000),
      host: process.env.HOST ?? '127.0.0.1',
      strictPort: true,
      proxy: {
        '^/': {
          target: serverOrigin,
          bypass: (request) => (isForServer(request) ? undefined : request.url),
          // Vite injects inline scripts, which the product's CSP forbids.
          configure: (proxy) =>
            proxy.on('proxyRes', ({ headers }) => {
              delete headers['content-security-policy'];
            }),
        },
      },
    },
  });
}

/** @param {import('vite').ViteDevServer} vite */
async function writeAppPage(vite) {
  const page = await readFile(join(rootDir, 'web/index.html'), 'utf8');
  await writeFile(join(devDir, 'web', 'index.html'), await vite.transformIndexHtml('/index.html', page));
}

await runScript(async () => {
  await withCheckoutLock(async (setWorker) => {
    await installPackages(setWorker);
    noteRunning(devBuildName);
  });
  for (const folder of ['web', 'landing']) {
    await rm(join(devDir, folder), { recursive: true, force: true });
    await mkdir(join(devDir, folder), { recursive: true });
  }
  await writeFile(join(devDir, 'landing', 'assets.json'), JSON.stringify(devAssets));
  await rm(join(devDir, 'migrations'), { force: true });
  await symlink(join(rootDir, 'server/store/migrations'), join(devDir, 'migrations'));

  const port = await freePort();
  const [vite, landing] = await Promise.all([startVite(`http://127.0.0.1:${port}`), watchLanding()]);
  await writeAppPage(vite);
  vite.watcher.on('change', (file) => {
    if (file === join(rootDir, 'web/index.html')) void writeAppPage(vite);
  });
  await vite.listen();

  let isEnding = false;
  const end = async (/** @type {number} */ code) => {
    if (isEnding) return;
    isEnding = true;
    await Promise.all([endGroups(), vite.close(), landing.close()]);
    process.exit(code);
  };
  process.on('SIGINT', () => void end(0)).on('SIGTERM', () => void end(0));

  const watchedToo = ['landing/landing.js', 'web/index.html'].map(
    (file) => `--include=${join(devDir, file)}`,
  );
  const tsx = join(rootDir, 'node_modules', '.bin', 'tsx');
  const server = runGroup([tsx, 'watch', '--clear-screen=false', ...watchedToo, 'server/main.ts'], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: String(port),
      DEV_BUILD_DIR: devDir,
    },
  });
  vite.printUrls();
  const outcome = await server;
  if (!isEnding) console.error(`The server's watcher has ended (${outcome}).`);
  await end(1);
});
