// `npm test`: sets up what is missing (packages, Chromium, PostgreSQL), then every check and every suite.
// `npm test -- api crash` runs the steps whose name holds one of these words.
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
const { verify } = await import('./verify.mjs');
const only = process.argv.slice(2);
await verify(only.length > 0 ? { only } : {});
