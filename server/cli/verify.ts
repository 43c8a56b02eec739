import { runCommand } from '#server/command.ts';

// `npm run verify`
await runCommand('verify');
