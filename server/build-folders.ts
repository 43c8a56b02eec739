import { existsSync } from 'node:fs';
import path from 'node:path';
import type { WebBuild } from './http/web-app.ts';

/** Where the server finds its parts. `web` is absent if it runs from its sources, where Vite serves. */
export type BuildFolders = { migrations: string; web?: WebBuild };

/** `npm run dev` prepares a folder like a build, for the server that runs from its sources. */
const { DEV_BUILD_DIR: devBuildDir } = process.env;
const ownFolder = devBuildDir ? path.join(devBuildDir, 'server') : import.meta.dirname;

/** Relative to this file: a build has `server/` beside `web/`, `landing/` and `migrations/`. */
export function findBuildFolders(here = ownFolder): BuildFolders {
  const built = path.join(here, '..', 'migrations');
  if (!existsSync(built)) return { migrations: path.join(here, 'store', 'migrations') };
  const beside = (...names: string[]) => path.join(here, '..', ...names);
  return {
    migrations: built,
    web: {
      directory: beside('web'),
      landingBundle: beside('landing', 'landing.js'),
      landingAssets: beside('landing', 'assets.json'),
    },
  };
}
