// `npm run bench`: how long staff wait on long lists. It reports, and fails nobody: figures depend on the machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { buildUnderTest, startBuiltServer } from '#tests/setup/built-server.ts';
import { chromiumFlags } from '#tests/setup/chromium-flags.ts';
import { startPostgresServer } from '#tests/setup/postgres-server.ts';
import { mainAdminPassword } from '#tests/setup/test-server.ts';
import { findChromium } from '../../scripts/machine-tools.mjs';
import { type ListFigures, type PanelList, panelLists, visitList } from './panel-lists.ts';
import { longestStallMs } from './server-stalls.ts';

type Engine = 'postgres' | 'embedded';
type Measured = {
  list: PanelList;
  figures: ListFigures;
  /** The server's longest stall while somebody elsewhere reads the list, and with a browser on the same cores. */
  stallMs: number;
  crowdedStallMs: number;
};

const rowsOf = { postgres: 100_000, embedded: 10_000 } as const;
const visits = 3;

const { values: options } = parseArgs({
  options: { engine: { type: 'string' }, rows: { type: 'string' } },
});
const engines = (['postgres', 'embedded'] as const).filter((one) => (options.engine ?? one) === one);

for (const engine of engines) await measureEngine(engine, Number(options.rows ?? rowsOf[engine]));

async function measureEngine(engine: Engine, rows: number): Promise<void> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-bench-'));
  const postgres = engine === 'postgres' ? await startPostgresServer({ fsync: true }) : undefined;
  const settings: Record<string, string> = postgres ? { DATABASE_URL: postgres.url } : {};
  try {
    const seededMs = await seed(rows, { DATA_DIR: dataDir, ...settings });
    const server = await startBuiltServer({ dataDir, settings });
    const apart = await measureStallsApart(server.origin);
    const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
    try {
      const measured = await measureLists(browser, server.origin, apart);
      console.log(report({ engine, rows, seededMs, measured }));
    } finally {
      await browser.close();
      await server.stop();
    }
  } finally {
    await postgres?.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

async function seed(rows: number, env: Record<string, string>): Promise<number> {
  const startMs = performance.now();
  const command = path.join(await buildUnderTest(), 'server', 'cli', 'seed.js');
  const counts = ['--members', '--loans', '--withdrawals'].flatMap((kind) => [kind, String(rows)]);
  const child = spawn(process.execPath, [command, ...counts], {
    env: { PATH: process.env.PATH, MAIN_ADMIN_PASSWORD: mainAdminPassword, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error('the installation could not be filled');
  return performance.now() - startMs;
}

/**
 * Reads each list as a browser on another machine does, which is where staff have theirs. One on the same cores keeps
 * the server waiting for its turn on them, and such a wait looks like a stall of its own. The server has just started.
 */
async function measureStallsApart(origin: string): Promise<number[]> {
  const token = await signIn(origin);
  const stallsMs: number[] = [];
  for (const list of panelLists) {
    await longestStallMs(origin);
    for (let visit = 0; visit < visits; visit += 1) await readList(origin, token, list);
    stallsMs.push(await longestStallMs(origin));
  }
  return stallsMs;
}

/** What a browser asks for when the page of a list is opened. */
async function readList(origin: string, token: string, list: PanelList): Promise<void> {
  const read = async (address: string, accept = 'application/json') => {
    const headers = { accept, authorization: `Bearer ${token}` };
    const answer = await fetch(`${origin}${address}`, { headers });
    if (!answer.ok || !answer.body) throw new Error(`${address} answered ${answer.status}`);
    for await (const _piece of answer.body);
  };
  await read(`/management/${list.path}`, 'text/html');
  await Promise.all([read('/api/user/profile'), read('/api/admin/stats')]);
  await read(list.address, 'application/x-ndjson');
}

async function measureLists(browser: Browser, origin: string, apart: readonly number[]): Promise<Measured[]> {
  const token = await signIn(origin);
  const measured: Measured[] = [];
  for (const [index, list] of panelLists.entries()) {
    await longestStallMs(origin);
    const all: ListFigures[] = [];
    for (let visit = 0; visit < visits; visit += 1) {
      all.push(await visitList(browser, { origin, token }, list));
    }
    const crowdedStallMs = await longestStallMs(origin);
    measured.push({ list, figures: worstOf(all), stallMs: apart[index] ?? Number.NaN, crowdedStallMs });
  }
  return measured;
}

async function signIn(origin: string): Promise<string> {
  const response = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: mainAdminPassword }),
  });
  return ((await response.json()) as { token: string }).token;
}

function worstOf(all: readonly ListFigures[]): ListFigures {
  const [first] = all;
  if (!first) throw new Error('nothing was measured');
  const names = Object.keys(first) as (keyof ListFigures)[];
  const worst = names.map((name) => [name, Math.max(...all.map((figures) => figures[name]))]);
  return Object.fromEntries(worst) as ListFigures;
}

function report({
  engine,
  rows,
  seededMs,
  measured,
}: {
  engine: Engine;
  rows: number;
  seededMs: number;
  measured: readonly Measured[];
}): string {
  const ms = (value: number) => `${Math.round(value)} ms`;
  const line = (name: string, value: (one: Measured) => string) =>
    `| ${name} | ${measured.map(value).join(' | ')} |`;
  const load = os.loadavg().map((value) => value.toFixed(1));
  return [
    '',
    `## ${engine}, ${rows.toLocaleString('en')} of each`,
    '',
    `Filled in ${Math.round(seededMs / 1000)} s. The worst of ${visits} visits, on ${os.cpus().length} cores with a load of ${load.join(', ')}.`,
    '',
    `| | ${measured.map(({ list }) => list.name).join(' | ')} |`,
    `|---|${measured.map(() => '---:|').join('')}`,
    line('first rows, from the sidebar', ({ figures }) => ms(figures.firstRowsMs)),
    line('first rows, from the address bar, nothing cached', ({ figures }) => ms(figures.firstRowsColdMs)),
    line('most rows in the page', ({ figures }) => String(figures.rowsInPage)),
    line('a letter typed into the search', ({ figures }) => ms(figures.searchMs)),
    line('scroll to the middle', ({ figures }) => ms(figures.middleMs)),
    line('sort by a column', ({ figures }) => ms(figures.sortMs)),
    line('whole list here', ({ figures }) => ms(figures.wholeListMs)),
    line('longest freeze of the page meanwhile', ({ figures }) => ms(figures.readingFreezeMs)),
    line(
      'export as CSV',
      ({ figures }) => `${ms(figures.exportMs)}, ${(figures.exportBytes / 1e6).toFixed(1)} MB`,
    ),
    line('longest freeze of the page meanwhile', ({ figures }) => ms(figures.exportFreezeMs)),
    line('longest stall of the server, read from elsewhere', ({ stallMs }) => ms(stallMs)),
    line('longest stall with this browser on the same cores', ({ crowdedStallMs }) => ms(crowdedStallMs)),
  ].join('\n');
}
