import { runCommand } from '#server/command.ts';

// `npm run seed`. Its words are numbers, which are not to be read as folders.
await runCommand('seed', process.argv.slice(2));
