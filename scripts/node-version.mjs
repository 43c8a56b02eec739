import { readFileSync } from 'node:fs';

/**
 * Exits with one clear line if Node is older than `engines` in package.json. Runs before anything else is loaded and
 * must parse on old versions, since later modules may not.
 */
export function requireNodeVersion() {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const [major, minor] = manifest.engines.node.replace('>=', '').split('.').map(Number);
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
  console.error(`Hiram needs Node ${major}.${minor} or later, this is ${process.versions.node}.`);
  process.exit(1);
}
