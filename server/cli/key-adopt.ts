import { runCommand } from '#server/command.ts';

// `npm run key:adopt`
await runCommand('key-adopt');
