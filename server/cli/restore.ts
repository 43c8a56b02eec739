import { runRestore } from '#server/restore-command.ts';

// `npm run restore`
await runRestore();
