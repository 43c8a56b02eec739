import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from './build-app.mjs';
import { withCheckoutLock } from './checkout-lock.mjs';
import { arePackagesInstalled, installPackages } from './packages.mjs';
import { distDir } from './project.mjs';
import { noteRunning } from './running-servers.mjs';
import { sourceHash } from './source-hash.mjs';

/** A checkout on a read-only disk runs as it is, as long as nothing has to be made. */
function isReadOnlyAndReady(/** @type {unknown} */ error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code !== 'EROFS' && code !== 'EACCES') return false;
  return arePackagesInstalled() && existsSync(join(distDir, sourceHash()));
}

/**
 * Installs and builds what is missing or stale, and nothing else. Also notes this process as one that runs the build,
 * so that it stays while the process lives.
 * @returns {Promise<string>} the build's folder
 */
export async function prepareToRun() {
  try {
    return await withCheckoutLock(async (setWorker) => {
      await installPackages(setWorker);
      const buildName = await buildApp(setWorker);
      noteRunning(buildName);
      return join(distDir, buildName);
    });
  } catch (error) {
    if (isReadOnlyAndReady(error)) return join(distDir, sourceHash());
    throw error;
  }
}

/** Installs and builds what is missing or stale, without running it. */
export async function prepareBuild() {
  return withCheckoutLock(async (setWorker) => {
    await installPackages(setWorker);
    return join(distDir, await buildApp(setWorker));
  });
}

/** Installs the packages when they are missing or stale. */
export async function prepareInstall() {
  await withCheckoutLock(installPackages);
}
