import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp, sourceHash } from './build-app.mjs';
import { withCheckoutLock } from './checkout-lock.mjs';
import { arePackagesInstalled, installPackages } from './packages.mjs';
import { distDir } from './project.mjs';
import { noteRunning } from './running-servers.mjs';

/** A read-only checkout runs as it is if nothing needs to be installed or built. */
function isReadOnlyAndReady(/** @type {unknown} */ error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code !== 'EROFS' && code !== 'EACCES') return false;
  return arePackagesInstalled() && existsSync(join(distDir, sourceHash()));
}

/** Installs and builds what is missing or stale, and does `work` with the build's name under the checkout lock. */
export async function prepareBuild(work = (/** @type {string} */ _buildName) => {}) {
  return withCheckoutLock(async (setWorker) => {
    await installPackages(setWorker);
    const buildName = await buildApp(setWorker);
    work(buildName);
    return join(distDir, buildName);
  });
}

/** The same, and registers this process as running the build, so that it is kept while the process lives. */
export async function prepareToRun() {
  try {
    return await prepareBuild(noteRunning);
  } catch (error) {
    if (isReadOnlyAndReady(error)) return join(distDir, sourceHash());
    throw error;
  }
}

export async function prepareInstall() {
  await withCheckoutLock(installPackages);
}
