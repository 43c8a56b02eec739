import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/** A comment that begins with one of these is half a sentence: nobody in it does anything. */
const opening = /^\W*(?:What|Whether|Of|By|As|Who|Those|Unless|Until)\b/;

const isLineComment = (line: string) => /^\s*\/\//.test(line);

function beginsComment(line: string, before: string): boolean {
  if (isLineComment(line)) return !isLineComment(before);
  return /^\s*\{?\/\*+ /.test(line) || (/^\s*\/\*+$/.test(before) && /^\s*\*/.test(line));
}

/** Returns the comments that begin with one of these words. Several lines of `//` are one comment. */
function halfSentencesIn(source: string): { line: number; text: string }[] {
  const lines = source.split('\n');
  return lines
    .map((text, index) => ({ line: index + 1, text, before: lines[index - 1] ?? '' }))
    .filter(({ text, before }) => opening.test(text) && beginsComment(text, before))
    .map(({ line, text }) => ({ line, text: text.trim() }));
}

const folders = ['contract', 'domain', 'scripts', 'server', 'tests', 'web'];
const sources = folders
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  )
  .concat(readdirSync('.'))
  .filter((file) => /\.(?:tsx?|mjs)$/.test(file));

it('no comment is half a sentence: say who does it, and why', () => {
  const found = sources.flatMap((file) =>
    halfSentencesIn(readFileSync(file, 'utf8')).map(({ line, text }) => `${file}:${line} ${text}`),
  );
  expect(found).toEqual([]);
});

it('half a sentence is found in every kind of comment, and only where that begins', () => {
  const planted = [
    '/** What a loan costs. */',
    'const a = 1;',
    '/**',
    ' * Whether it is paid.',
    ' * As typed.',
    ' */',
    '  // Of a loan.',
    '  // By its borrower.',
    'As(b);',
    '    {/* Until it is known. */}',
    '/** Returns what a loan costs. */',
    '// Offers nothing.',
  ];
  expect(halfSentencesIn(planted.join('\n')).map(({ line }) => line)).toEqual([1, 4, 7, 10]);
});
