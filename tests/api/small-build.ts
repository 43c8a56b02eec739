import fs from 'node:fs';
import path from 'node:path';
import { lastingDirectory } from '#tests/setup/temporary-directory.ts';

/** A build in miniature: what the server has to serve, not what is in it. Answers where its parts are. */
export function smallBuild(files: Record<string, string | Buffer>) {
  const build = lastingDirectory();
  const index = '<!doctype html><html><head><title>App</title></head><body></body></html>';
  for (const [name, content] of Object.entries({ 'web/index.html': index, ...files })) {
    const file = path.join(build, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
  return {
    directory: path.join(build, 'web'),
    landingBundle: path.join(build, 'landing/landing.mjs'),
    landingAssets: path.join(build, 'landing/assets.json'),
  };
}
