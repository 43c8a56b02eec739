import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { isTorture } from '#tests/setup/torture.ts';

const root = mkdtempSync('/var/tmp/image-');
afterAll(() => rmSync(root, { recursive: true, force: true }));

const at = (stage: string, file: string) => path.join(root, stage, path.resolve('/app', file));
const port = 4_780;

/** Goes through a container file's steps in plain folders, one a stage, as far as they concern files and commands. */
function build(containerFile: string) {
  let stage = '';
  const commands: Record<string, string[]> = {};
  for (const line of containerFile.replaceAll('\\\n', '').split('\n')) {
    const [word = '', ...args] = line.trim().split(/\s+/);
    if (word === 'FROM') {
      stage = args[2] ?? 'last';
      mkdirSync(at(stage, '.'), { recursive: true });
    } else if (word === 'COPY') {
      const from = args[0]?.startsWith('--from=') ? args.shift()?.slice('--from='.length) : undefined;
      const target = args.pop() ?? '';
      for (const part of args) {
        const into = target.endsWith('/') ? path.join(target, path.basename(part)) : target;
        cpSync(from ? at(from, part) : part, at(stage, into), { recursive: true, verbatimSymlinks: true });
      }
    } else if (word === 'RUN' && !line.includes('/data')) {
      execFileSync('sh', ['-c', args.join(' ')], { cwd: at(stage, '.'), stdio: 'pipe' });
    } else if (word === 'CMD' || word === 'HEALTHCHECK') {
      commands[word] = JSON.parse(line.slice(line.indexOf('["')));
    }
  }
  return commands;
}

// Installs and builds from nothing, hence not in every run.
it.runIf(isTorture)(
  'an image’s steps give a server that writes to its volume only',
  async () => {
    const { CMD = [], HEALTHCHECK = [] } = build(readFileSync('deploy/Containerfile', 'utf8'));
    const app = at('last', '.');
    expect(existsSync(path.join(app, 'node_modules', 'vite'))).toBe(false);
    const data = path.join(root, 'data');
    const env = { ...process.env, NODE_ENV: 'production', PORT: String(port), DATA_DIR: data, TZ: 'UTC' };
    const built = new Date();
    const server = spawn(CMD[0] ?? '', CMD.slice(1), { cwd: app, env, stdio: 'ignore' });
    try {
      const isHealthy = () => {
        try {
          execFileSync(HEALTHCHECK[0] ?? '', HEALTHCHECK.slice(1), { env, stdio: 'ignore' });
          return true;
        } catch {
          return false;
        }
      };
      await expect.poll(isHealthy, { timeout: 60_000, interval: 500 }).toBe(true);
      const page = await fetch(`http://127.0.0.1:${port}/`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Hiram')]);
      const sinceBuilt = ['-newermt', built.toISOString()];
      const written = execFileSync('find', [app, '-type', 'f', ...sinceBuilt], { encoding: 'utf8' });
      expect(written).toBe('');
    } finally {
      server.kill('SIGTERM');
      await new Promise((resolve) => server.once('exit', resolve));
    }
  },
  300_000,
);
