import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { notices } from '#contract/wording/notices.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { currencies } from '#domain/exchange.ts';
import { accessNotices } from '#domain/member.ts';

const sourceOf = (room: string) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(`${room}/${file}`, 'utf8'))
    .join(' ');

const server = sourceOf('server');

describe('the endpoint table', () => {
  it('has a screen for every row but those for other clients', () => {
    const web = sourceOf('web');
    const unused = Object.keys(api).filter((name) => !new RegExp(`\\b${name}\\b`).test(web));
    const ofOtherClients = ['downloadOwnData', 'listDrawers', 'readApiPage', 'readOpenApi'];
    expect(unused.sort()).toEqual(ofOtherClients.sort());
  });
});

/** The kind in each call of `tellBorrower`, or those that its property has: many actions of the log have the same names. */
const sent = [
  ...server.matchAll(/await tellBorrower\((?:\w+|\{ deps, tx \}), [\w.]+, (?:('\w+')|\w+\.(\w+))/g),
].map(([, kind, property]) => kind ?? (server.match(new RegExp(`\\b${property}: '\\w+'`, 'g')) ?? []).join());

describe('the audit log', () => {
  const logged = sent.reduce((text, kinds) => text.replace(kinds, ''), server);

  /** Written by earlier versions only, and read for as long as there is a log. */
  const ofEarlierVersions = ['loan_released'];

  // That an action without a word is written nowhere is the compiler's to see.
  it.each(Object.keys(panel.audit.actions).filter((action) => !ofEarlierVersions.includes(action)))(
    'has a use for the word of %s',
    (action) => {
      expect(logged).toContain(`'${action}'`);
    },
  );
});

describe('notices', () => {
  it('are told apart from the log where they are sent', () => {
    expect(sent).toHaveLength(server.match(/await tellBorrower\(/g)?.length ?? 0);
    expect(sent).not.toContain('');
  });

  it.each(Object.keys(notices))('%s is sent by somebody', (kind) => {
    expect(sent.join()).toContain(`'${kind}'`);
  });

  it.each(accessNotices)('%s, shown after a sign-in, is one', (kind) => {
    expect(Object.keys(notices)).toContain(kind);
  });
});

/** From the library that pdfkit reads fonts with. */
type Font = { hasGlyphForCodePoint(codePoint: number): boolean };
const fromPdfkit = createRequire(createRequire(import.meta.url).resolve('pdfkit'));
const { openSync }: { openSync(file: string): Font } = fromPdfkit('fontkit');

describe('the heading font', () => {
  const css = readFileSync('web/ui/fonts/fonts.css', 'utf8');
  const cuts = [...css.matchAll(/url\("\.\/([\w-]+\.woff2)[^}]*unicode-range: ([^;]+);/g)].map(
    ([, file = '', ranges = '']) => ({
      font: openSync(`web/ui/fonts/${file}`),
      ranges: ranges.split(', ').map((range) => {
        const [from = '', to = from] = range.replace('U+', '').split('-');
        return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) };
      }),
    }),
  );

  it.each(['₱', ...currencies.map(({ symbol }) => symbol)])(
    'has %s, where the style sheet looks for it',
    (symbol) => {
      for (const letter of symbol) {
        const point = letter.codePointAt(0) ?? 0;
        const asked = cuts.filter(({ ranges }) =>
          ranges.some(({ from, to }) => from <= point && point <= to),
        );
        const has = asked.map(({ font }) => font.hasGlyphForCodePoint(point));
        expect(has, 'after node --import tsx scripts/subset-font.ts').toEqual([true]);
      }
    },
  );
});
