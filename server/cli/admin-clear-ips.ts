import { runCommand } from '#server/command.ts';

// `npm run admin:clear-ips`
await runCommand('admin-clear-ips');
