import { runCommand } from '#server/command.ts';

// `npm run db:export`
await runCommand('db-export');
