import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { sealAuditLog } from '#server/books/audit-seals.ts';
import { vacuumTables } from '#server/books/backup-rows.ts';
import type { Deps } from '#server/deps.ts';
import { buildUnderTest } from '#tests/setup/built-server.ts';
import { growLedger } from './bulk-fill.ts';
import type { Row } from './figures.ts';
import { copyDatabase } from './growth-bench.ts';
import { type Installation, withInstallation } from './installation.ts';

const leastEntries = 100_000;
const entriesOfADay = 1_000;

/**
 * Measures full and daily checks of books with ever more entries in ledger and audit log, by the built command. With
 * `BENCH_OTHER_BUILD`, the directory of another version's build, that version checks the same books.
 */
export function measureVerify(mostEntries: number): Promise<Row[]> {
  const counts = { members: 500, loans: 500, withdrawals: 500 };
  return withInstallation('postgres', counts, async (installation) => {
    const buildDir = await buildUnderTest();
    const otherBuild = process.env.BENCH_OTHER_BUILD;
    const rows: Row[] = [];
    for (let entries = leastEntries; entries <= mostEntries; entries *= 10) {
      const databaseUrl = await copyDatabase(installation, `checked_${entries}`);
      await installation.open((deps) => growBooks(deps, entries), databaseUrl);
      const check = (build: string, words: string[]) =>
        runCommand(build, ['verify', ...words], { ...installation, databaseUrl });
      const told = `${entries.toLocaleString('en')} entries each in ledger and log`;
      const noted = (what: string, { ms, megabytes }: Awaited<ReturnType<typeof check>>) =>
        rows.push(
          { what: `${what}, ${told}`, product: ms, unit: 'ms' },
          { what: 'its most memory', product: megabytes, unit: 'MB' },
        );
      if (otherBuild) noted('full check by the other build', await check(otherBuild, []));
      noted('full check', await check(buildDir, []));
      await installation.open((deps) => growBooks(deps, entriesOfADay), databaseUrl);
      noted(
        `daily check of ${entriesOfADay.toLocaleString('en')} new ones`,
        await check(buildDir, ['--daily']),
      );
    }
    return rows;
  });
}

async function growBooks(deps: Deps, entries: number): Promise<void> {
  await growLedger(deps, entries);
  await deps.database.longTransaction('begin', (tx) =>
    tx.execute(sql`
      insert into audit_entries (action, actor_id, ip_address, target_type, target_id, after, created_at)
      select 'balance_changed', 3, '192.0.2.1', 'account', 1000 + n % 500, '{"balance":"1234.56"}',
             date_trunc('milliseconds', now())
        from generate_series(1, ${entries}::int) n`),
  );
  await sealAuditLog(deps);
  await vacuumTables(deps.database);
}

type Place = Pick<Installation, 'dataDir' | 'databaseUrl'>;

/** The time of a command of a build's console, and the most memory that it had. Throws if it ends otherwise than well. */
async function runCommand(build: string, words: string[], { dataDir, databaseUrl }: Place) {
  const startMs = performance.now();
  const child = spawn(process.execPath, [path.join(build, 'server', 'console.js'), ...words], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  let kilobytes = 0;
  const ended = once(child, 'close');
  while (child.exitCode === null) {
    const status = await fs.promises.readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    kilobytes = Math.max(kilobytes, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0));
    await Promise.race([ended, sleep(50)]);
  }
  await ended;
  if (child.exitCode !== 0) throw new Error(`${words.join(' ')}: ${out}`);
  return { ms: performance.now() - startMs, megabytes: kilobytes / 1024 };
}
