import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDirectory } from '#server/platform/database/directory-lock.ts';
import { type Child, startChild } from './child-process.ts';

const locker = 'hold-directory-child.ts';

describe('the lock of a data directory', () => {
  let home: string;
  let children: Child[];
  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-lock-'));
    children = [];
  });
  afterEach(async () => {
    await Promise.all(children.map((child) => child.kill()));
    fs.rmSync(home, { recursive: true });
  });

  function start(directory: string): Child {
    const child = startChild(locker, [directory]);
    children.push(child);
    return child;
  }

  it('refuses a second process in one line with the directory and the first one’s process id', async () => {
    const directory = path.join(home, 'database');
    const first = start(directory);
    expect(await first.nextLine()).toBe('locked');
    const refusal = await lockDirectory(directory).catch((error) => error);
    expect(refusal.message).toBe(`the data directory ${directory} is in use by process ${first.pid}`);
    expect(await start(directory).nextLine()).toBe(refusal.message);
  });

  it('is free again after kill -9 and after a release', async () => {
    const directory = path.join(home, 'database');
    const first = start(directory);
    await first.nextLine();
    await first.kill();
    const release = await lockDirectory(directory);
    expect(await start(directory).nextLine()).toContain(`in use by process ${process.pid}`);
    await release();
    expect(await start(directory).nextLine()).toBe('locked');
  });

  it('works for paths longer than the address of a socket can be, however they are reached', async () => {
    const long = path.join(home, 'a'.repeat(80), 'b'.repeat(80));
    fs.mkdirSync(long, { recursive: true });
    const release = await lockDirectory(path.join(long, 'database'));
    const detour = path.join(home, 'short');
    fs.symlinkSync(long, detour);
    expect(await start(path.join(long, 'database')).nextLine()).toContain(`by process ${process.pid}`);
    expect(await start(path.join(detour, 'database')).nextLine()).toContain(`by process ${process.pid}`);
    await release();
    expect(fs.readdirSync(long)).toEqual([]);
  });

  it('has one winner when many find a dead process’s lock together', async () => {
    const directory = path.join(home, 'database');
    for (let round = 0; round < 20; round += 1) {
      await leaveDeadLock(directory);
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)));
      const winners = tries.filter((one) => one.status === 'fulfilled');
      expect(winners).toHaveLength(1);
      await Promise.all(winners.map((one) => one.value()));
      expect(fs.readdirSync(home)).toEqual([]);
    }
  });

  /** Leaves what a killed process does: a socket that nobody listens on. */
  async function leaveDeadLock(directory: string): Promise<void> {
    const release = await lockDirectory(directory);
    const lock = `${directory}.lock`;
    fs.linkSync(lock, `${lock}.kept`);
    await release();
    fs.renameSync(`${lock}.kept`, lock);
  }
});
