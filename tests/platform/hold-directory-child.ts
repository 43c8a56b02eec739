import { lockDirectory } from '#server/platform/database/directory-lock.ts';

/** Locks the directory given, says whether it could, and stays. */
try {
  await lockDirectory(process.argv[2] ?? '');
  process.stdout.write('locked\n');
  setInterval(() => {}, 60_000);
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}
