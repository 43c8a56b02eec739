import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { programOf } from '#tests/setup/program.ts';
import { prepareDataDir } from './prepared-data.ts';

const running = new Set<ChildProcess>();

/** A folder of each test's own; with it go the processes that the test has left. */
export function ownFolder(): { readonly home: string } {
  const own = { home: '' };
  beforeEach(() => {
    own.home = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-process-'));
  });
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
    running.clear();
    fs.rmSync(own.home, { recursive: true, force: true });
  });
  return own;
}

export type Settings = { DATA_DIR: string } & Record<string, string>;

/** Starts `main` or `books/console` and does not wait for it. */
export function run(name: 'main' | 'books/console', words: string[], settings: Settings) {
  const child = spawn(process.execPath, [...programOf(name), ...words], {
    env: { PATH: process.env.PATH, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const said = { out: '', err: '' };
  child.stdout.on('data', (data) => {
    said.out += data;
  });
  child.stderr.on('data', (data) => {
    said.err += data;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, said, ended };
}

/** Runs a console command to its end. */
export async function command(words: string[], settings: Settings) {
  const { said, ended } = run('books/console', words, settings);
  return { code: await ended, ...said };
}

/** Starts the server and waits until it listens. */
export async function start(settings: Settings) {
  if (settings.DATABASE_URL === undefined) await prepareDataDir(settings.DATA_DIR);
  const server = run('main', [], settings);
  const origin = await new Promise<string>((resolve, reject) => {
    server.child.stdout.on('data', () => {
      const found = /Hiram listens on (http:\S+)/.exec(server.said.out)?.[1];
      if (found) resolve(found);
    });
    void server.ended.then((code) => reject(new Error(`ended with ${code}: ${server.said.err}`)));
  });
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    server.child.kill(signal);
    return server.ended;
  };
  return { ...server, origin, stop };
}
