import { runCommand } from '#server/command.ts';

// `npm run verify`. Its words are a number and a hash, which are not to be read as folders.
await runCommand('verify', process.argv.slice(2));
