import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { shortLived } from '#tests/setup/program.ts';

/** A process of its own that runs a TypeScript file beside this one, with its lines as they come. */
export type Child = {
  pid: number;
  /** Resolves with the next line the child prints; rejects when it ends without one. */
  nextLine(): Promise<string>;
  kill(): Promise<void>;
};

export function startChild(file: string, args: string[]): Child {
  const script = path.join(import.meta.dirname, file);
  const child = spawn(process.execPath, [...shortLived, '--import', 'tsx', script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = linesOf(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    pid: child.pid ?? 0,
    nextLine: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${file} ended without a word`);
      return value;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function* linesOf(child: ChildProcess): AsyncGenerator<string, void> {
  let rest = '';
  for await (const chunk of child.stdout ?? []) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
