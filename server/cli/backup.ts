import { runCommand } from '#server/command.ts';

// `npm run backup`
await runCommand('backup');
