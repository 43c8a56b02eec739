import { runImport } from '#server/restore-command.ts';

// `npm run db:import`
await runImport();
