// `npm run check`: the same as `npm test`. `npm run check -- --quick` leaves out what takes minutes (the build and the
// suites that start databases, servers or browsers), for use between edits.
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
const { verify } = await import('./verify.mjs');
await verify({ isQuick: process.argv.includes('--quick') });
