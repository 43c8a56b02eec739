// `npm run check`: what a change has to pass. It is `npm test` under the name that says so; `npm run check -- --quick`
// leaves out what takes minutes (the build and the suites that start databases, servers or browsers), for use between
// two edits.
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
const { verify } = await import('./verify.mjs');
await verify({ isQuick: process.argv.includes('--quick') });
