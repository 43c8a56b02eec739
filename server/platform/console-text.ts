import path from 'node:path';

/** Shows a line at the console. Throws if nobody is there any more. */
export type Say = (line: string) => void;

/** The words after the command's name, how to answer, and what tells that nobody waits for it any more. */
export type ConsoleCall = { words: readonly string[]; say: Say; stopping?: AbortSignal };

const everyMs = 2_000;

/** Reports the progress of long work: every two seconds, and less often the longer it takes, some sixty lines in an hour. */
export function createProgress(say: Say): Say {
  const startMs = performance.now();
  let saidMs = startMs;
  return (line) => {
    const nowMs = performance.now();
    if (nowMs - saidMs < Math.max(everyMs, (nowMs - startMs) / 10)) return;
    saidMs = nowMs;
    say(line);
  };
}

/** `1,234 rows`, `1 row`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** `startMs` is of `performance.now()`: `4.2 s`. */
export function secondsSince(startMs: number): string {
  return `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
}

/** Why a command cannot run, in one sentence for the person at the console. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Resolves folders where they were typed, not where the server runs. */
export const withFolders = (typed: readonly string[]): string[] =>
  typed.map((word) => (isOption(word) ? word : path.resolve(word)));

/**
 * Reads the words after a command by its usage line, such as `npm run backup -- <folder> [--with-key]`.
 * `folder` is empty if the command takes none.
 */
export function readWords(words: readonly string[], usage: string) {
  const folders = words.filter((word) => !isOption(word));
  const options = words.filter(isOption);
  const isUnderstood =
    folders.length === (usage.includes('<folder>') ? 1 : 0) &&
    options.every((option) => usage.includes(`[${option}]`));
  if (!isUnderstood) throw new Refusal(`Usage: ${usage}`);
  return {
    folder: folders[0] ?? '',
    withKey: options.includes('--with-key'),
    withoutKey: options.includes('--without-key'),
    isApplied: options.includes('--apply'),
  };
}

const isOption = (word: string) => word.startsWith('--');
