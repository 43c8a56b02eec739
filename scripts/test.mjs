// `npm test`: installs what is missing (packages, Chromium, PostgreSQL), then runs every check and suite. `npm test --
// api crash` runs the steps whose name contains one of these words.
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
const { verify } = await import('./verify.mjs');
const only = process.argv.slice(2);
await verify(only.length > 0 ? { only } : {});
