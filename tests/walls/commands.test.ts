import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (file: string) => readFileSync(file, 'utf8');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
const pages = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'docs/recipes.md'];

/** A page tells its reader to type these: lines of its blocks for a shell, and commands within its sentences. */
function commandsOf(page: string): string[] {
  const text = read(page);
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.split('\n'));
  const quoted = [...text.matchAll(/`((?:npm|npx|node) [^`]+)`/g)].map(([, command = '']) => command);
  return [...blocks, ...quoted].map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== '');
}

const commands = [...new Set(pages.flatMap(commandsOf))].sort();

/** Everything that a script of package.json or a program may take its options from. */
const sources = ['scripts', 'server/books', 'tests/bench']
  .flatMap((folder) => readdirSync(folder).map((file) => `${folder}/${file}`))
  .filter((file) => /\.(?:mjs|ts)$/.test(file))
  .map(read)
  .join('\n');

/** A command may begin with settings: `PORT=3001`, or a value in quotes. */
const settings = /^(?:[A-Z_]+=(?:'[^']*'|\S*)\s+)+/;

/** A command does nothing without its script, program, file and options: the first that is not there, or undefined. */
function missingPart(command: string): string | undefined {
  const [program = '', ...rest] = command.replace(settings, '').split(/\s+/);
  if (program === 'cp') return rest.slice(0, 1).find((file) => !existsSync(file));
  // It follows a file that a running server writes.
  if (program === 'tail') return undefined;
  if (program === 'npx') {
    const [tool = '', ...given] = rest;
    if (!existsSync(`node_modules/.bin/${tool}`)) return tool;
    return given.find((word) => word.includes('/') && !existsSync(word));
  }
  if (program === 'node') return rest.find((word) => word.includes('/') && !existsSync(word));
  if (program !== 'npm') return program;
  const name = rest[0] === 'run' ? rest[1] : rest[0];
  const script = scripts[name ?? ''];
  if (!script) return name;
  const file = script.split(' ').find((word) => /\.(?:mjs|ts)$/.test(word));
  if (file && !existsSync(file)) return file;
  const consoleName = /run\.mjs (\S+)$/.exec(script)?.[1];
  if (consoleName && !sources.includes(`'${consoleName}'`)) return consoleName;
  const options = command.match(/--[a-z][\w-]*/g) ?? [];
  return options.find((option) => !new RegExp(`\\b${option.slice(2)}\\b`).test(sources));
}

describe('a command that the documents print', () => {
  // Most of them install, serve, build or change data, and none is run here: what each names is there.
  it.each(commands)('is there: %s', (command) => {
    expect(missingPart(command)).toBeUndefined();
  });

  // These are asked for the files that they would run.
  const ofTests = commands.filter((command) => command.startsWith('npx vitest run '));
  it.each(ofTests)('finds its tests: %s', (command) => {
    const words = command.replace('npx vitest run ', '').split(' ');
    const given = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', ...words];
    const listed = execFileSync(process.execPath, given, { encoding: 'utf8' });
    for (const file of words.filter((word) => word.includes('/'))) expect(listed).toContain(file);
  });

  it('is one of several, a test among them', () => {
    expect(commands.length).toBeGreaterThan(20);
    expect(ofTests).not.toEqual([]);
  });
});
