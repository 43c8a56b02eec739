import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const recipes = readFileSync('docs/recipes.md', 'utf8').split('\n- **').slice(1);

const product = ['domain', 'contract', 'server', 'web'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file: `${folder}/${file}`, text: readFileSync(`${folder}/${file}`, 'utf8') })),
);

const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

describe.each(recipes.map((recipe) => [recipe.split('**', 1)[0], recipe] as const))('%s', (_name, recipe) => {
  const files = quoted(recipe).filter((word) => /^[\w-]+\/.*\.(?:tsx?|md)$/.test(word));
  const examples = quoted(/\*\* \(([^)]*)\)/.exec(recipe)?.[1] ?? '');

  it('names files that are there', () => {
    expect(files).not.toEqual([]);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  it.runIf(examples.length > 0)('names every file that its example is in', () => {
    const has = new RegExp(examples.map((example) => `\\b${example}`).join('|'));
    const found = product.filter(({ text }) => has.test(text)).map(({ file }) => file);
    expect(found.length).toBeGreaterThan(1);
    expect(found.filter((file) => !files.includes(file))).toEqual([]);
  });
});
