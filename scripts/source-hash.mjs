import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootDir } from './project.mjs';

/** Everything a build is made from, including the scripts that make it. */
const folders = ['domain', 'contract', 'server', 'web'];
const singleFiles = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'vite.config.ts',
  'vite.server.config.ts',
  'scripts/bare-contract.mjs',
  'scripts/build-bundles.mjs',
  'scripts/compress-assets.mjs',
];

/**
 * @param {string} path relative to the checkout
 * @returns {string[]}
 */
function filesBelow(path) {
  const entries = readdirSync(join(rootDir, path), { withFileTypes: true });
  return entries
    .filter(({ name }) => !name.startsWith('.') && !name.endsWith('~'))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(`${path}/${entry.name}`) : `${path}/${entry.name}`,
    );
}

/**
 * The name of a build of the current sources: 16 hexadecimal digits of a hash of their contents. Not of modification
 * times, which a checkout or copy changes.
 */
export function sourceHash() {
  const hash = createHash('sha256');
  const files = [...folders.flatMap(filesBelow), ...singleFiles].sort();
  for (const file of files) {
    const content = readFileSync(join(rootDir, file));
    hash.update(`${file}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}
