import { spawnSync } from 'node:child_process';
import os from 'node:os';
import { type Browser, chromium } from 'playwright-core';
import { type BuiltServer, startBuiltServer } from '#tests/setup/built-server.ts';
import { chromiumFlags } from '#tests/setup/chromium-flags.ts';
import { mainAdminPassword } from '#tests/setup/test-server.ts';
import { findChromium } from '../../scripts/machine-tools.mjs';
import { type Engine, withInstallation } from './installation.ts';
import { type ListFigures, type PanelList, panelLists, visitList } from './panel-lists.ts';
import { longestStallMs } from './server-stalls.ts';

type Measured = {
  list: PanelList;
  figures: ListFigures;
  /** The server's longest stall while somebody elsewhere reads the list. */
  stallMs: number;
  /** The same with this browser on the other cores, where there are any, and on the same ones. */
  besideStallMs: number | undefined;
  crowdedStallMs: number;
};

const visits = 3;

/** How long staff wait on lists of so many rows. */
export function measurePanel(engine: Engine, rows: number): Promise<string> {
  const counts = { members: rows, loans: rows, withdrawals: rows };
  return withInstallation(engine, counts, async ({ dataDir, settings, filledMs }) => {
    const server = await startBuiltServer({ dataDir, settings, isMeasured: true });
    try {
      const apart = await measureStallsApart(server.origin);
      const measured = await withBrowser((browser) => measureLists(browser, server.origin, apart));
      const beside = await measureStallsBeside(server);
      for (const [index, one] of measured.entries()) one.besideStallMs = beside?.[index];
      return report({ engine, rows, filledMs, measured });
    } finally {
      await server.stop();
    }
  });
}

async function withBrowser<Result>(use: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
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

/** Lets a process with all its threads, and what it starts from now on, run on these cores only. */
function keepOn(cores: string, pid: number): boolean {
  return spawnSync('taskset', ['-apc', cores, String(pid)]).status === 0;
}

/** The server on the first core and the browser on the others, as if they stood on machines of their own. */
async function measureStallsBeside({ origin, pid }: BuiltServer): Promise<number[] | undefined> {
  const last = os.cpus().length - 1;
  const isApart = last > 0 && keepOn('0', pid) && keepOn(`1-${last}`, process.pid);
  if (!isApart) return undefined;
  const token = await signIn(origin);
  try {
    return await withBrowser(async (browser) => {
      const stallsMs: number[] = [];
      for (const list of panelLists) {
        await longestStallMs(origin);
        for (let visit = 0; visit < visits; visit += 1) await visitList(browser, { origin, token }, list);
        stallsMs.push(await longestStallMs(origin));
      }
      return stallsMs;
    });
  } finally {
    keepOn(`0-${last}`, process.pid);
  }
}

/** Asks for what a browser needs when the page of a list is opened. */
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
    const stallMs = apart[index] ?? Number.NaN;
    measured.push({ list, figures: worstOf(all), stallMs, besideStallMs: undefined, crowdedStallMs });
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
  filledMs,
  measured,
}: {
  engine: Engine;
  rows: number;
  filledMs: number;
  measured: readonly Measured[];
}): string {
  const ms = (value: number) => `${Math.round(value)} ms`;
  const line = (name: string, value: (one: Measured) => string) =>
    `| ${name} | ${measured.map(value).join(' | ')} |`;
  const load = os.loadavg().map((value) => value.toFixed(1));
  const names = { postgres: 'PostgreSQL', embedded: 'Embedded engine' };
  return [
    `${names[engine]}, ${rows.toLocaleString('en')} of each, filled in ${Math.round(filledMs / 1000)} s; the worst of ${visits} visits, with a load of ${load.join(', ')}:`,
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
    line('longest stall of the server, read without a browser', ({ stallMs }) => ms(stallMs)),
    line('with this browser on another core', ({ besideStallMs }) =>
      besideStallMs === undefined ? 'no such core' : ms(besideStallMs),
    ),
    line('with this browser on the same cores', ({ crowdedStallMs }) => ms(crowdedStallMs)),
  ].join('\n');
}
