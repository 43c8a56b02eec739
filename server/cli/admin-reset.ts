import { runCommand } from '#server/command.ts';

// `npm run admin:reset`
await runCommand('admin-reset');
