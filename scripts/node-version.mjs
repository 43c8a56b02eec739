import { readFileSync } from 'node:fs';

/**
 * Ends the process with one clear line when this Node is older than package.json's `engines` asks for.
 * Called before anything else is loaded, and written for old versions too: what comes after may not even parse there.
 */
export function requireNodeVersion() {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const [major, minor] = manifest.engines.node.replace('>=', '').split('.').map(Number);
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
  console.error(`Hiram needs Node ${major}.${minor} or later, this is ${process.versions.node}.`);
  process.exit(1);
}
