import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '#tests/setup/postgres-server.ts';
import { withClient } from '#tests/setup/test-database.ts';

/** The postmaster first, then every process that it has started. */
export function processesOf({ url }: Pick<PostgresServer, 'url'>): Promise<number[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query('show data_directory');
    const pidFile = path.join(String(rows[0]?.data_directory), 'postmaster.pid');
    const postmaster = Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0]);
    const children = await client.query<{ pid: number }>('select pid from pg_stat_activity');
    return [postmaster, ...children.rows.map(({ pid }) => pid)];
  });
}

/** Long enough for the kernel to take away what was killed; a new server refuses to start beside an old one's child. */
const burialMs = 50;

/** `kill -9` for the postmaster and all its children: no word to anybody, no shutdown of any kind. */
export async function killPostgres(server: PostgresServer): Promise<void> {
  signal(await processesOf(server), 'SIGKILL');
  // Its keeper, which waits for this process's word.
  await server.kill();
  await sleep(burialMs);
}

/** Sends a signal to those that are still there. */
export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // Gone already.
    }
  }
}
