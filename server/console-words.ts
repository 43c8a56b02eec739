import path from 'node:path';
import { Refusal } from './refusal.ts';

/** What was typed after a command's name. A folder is seen from where it was typed, not from where the server runs. */
export function typedWords(argv: readonly string[]): string[] {
  return argv.slice(2).map((word) => (isOption(word) ? word : path.resolve(word)));
}

/**
 * Reads a command's words by its usage line, such as `npm run backup -- <folder> [--with-key]`, and refuses with that
 * line what does not fit it. `folder` is empty where the command takes none.
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
  };
}

const isOption = (word: string) => word.startsWith('--');
