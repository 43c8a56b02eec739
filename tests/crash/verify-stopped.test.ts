import { describe, expect, it } from 'vitest';
import { readConfig } from '#server/config.ts';
import { openInstallation } from '#server/open-database.ts';
import { hasPostgres, startPostgresServer } from '#tests/setup/postgres-server.ts';
import { withClient } from '#tests/setup/test-database.ts';
import { mainAdminPassword } from '#tests/setup/test-server.ts';
import { command, ownFolder, run } from './processes.ts';

const own = ownFolder();

/** Without the lines of progress, which a slow machine has. */
const linesOf = (out: string) =>
  out.split('\n').filter((line) => line !== '' && !line.endsWith(' checked …'));

/** The page under way is read to its end, and perhaps another before the signal is heard. */
const stopLine = /^Stopped at the (.+), part \d+ of \d+\. npm run verify -- --continue goes on there\.$/;

const goingOnFrom = (lines: readonly string[]) => {
  const place = stopLine.exec(lines.at(-1) ?? '')?.[1];
  return expect.stringMatching(new RegExp(`^Going on with the full check of \\S+Z, at the ${place}\\.$`));
};

describe.skipIf(!hasPostgres())('a full check of the books', () => {
  it('stops at SIGTERM and SIGINT after its page, and goes on where it stopped', async () => {
    const postgres = await startPostgresServer();
    try {
      const settings = {
        DATA_DIR: own.home,
        DATABASE_URL: postgres.url,
        MAIN_ADMIN_PASSWORD: mainAdminPassword,
        LOG_LEVEL: 'warn',
      };
      const { close } = await openInstallation(readConfig(settings), () => {});
      await close();

      /** Signals the command while it waits for a table that somebody has locked. */
      const stopped = (words: string[], table: string, signal: NodeJS.Signals) =>
        withClient(postgres.url, async (client) => {
          await client.query(`begin; lock table ${table} in access exclusive mode`);
          const verify = run('books/console', ['verify', ...words], settings);
          const waiting = `select 1 from pg_locks where not granted`;
          await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
          verify.child.kill(signal);
          await client.query('commit');
          return { code: await verify.ended, err: verify.said.err, lines: linesOf(verify.said.out) };
        });

      const first = await stopped([], 'loan_borrowers', 'SIGTERM');
      expect(first).toMatchObject({ code: 1, err: '', lines: [expect.stringMatching(stopLine)] });
      const second = await stopped(['--continue'], 'journal_movements', 'SIGINT');
      expect(second).toMatchObject({ code: 1, err: '' });
      expect(second.lines).toEqual([goingOnFrom(first.lines), expect.stringMatching(stopLine)]);
      const last = await command(['verify', '--continue'], settings);
      expect(last).toMatchObject({ code: 0, err: '' });
      expect(linesOf(last.out)).toEqual([
        goingOnFrom(second.lines),
        expect.stringMatching(/^The books are sound: 0 ledger entries, 1 account, /),
      ]);
    } finally {
      await postgres.stop();
    }
  });
});
