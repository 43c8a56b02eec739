import { inflateSync } from 'node:zlib';

/** A PDF's text that a reader can select, and its source. Enough for files whose fonts are all embedded. */
export type ReadPdf = { pageCount: number; pages: string[]; text: string; source: string };

/** Glyph number (four hexadecimal digits) to what it stands for. */
type Glyphs = Map<string, string>;

/** Reads the text of every page through the fonts' own tables, as a viewer does when somebody copies it. */
export function readPdf(bytes: Buffer): ReadPdf {
  const source = bytes.toString('latin1');
  const objects = new Map<string, string>();
  for (const [, number = '', content = ''] of source.matchAll(/(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj/gs)) {
    objects.set(number, content);
  }
  const dictionary = (reference: string | undefined) => objects.get(reference ?? '') ?? '';
  const pages = [...objects.values()].filter((content) => /\/Type \/Page\b(?!s)/.test(content));
  const texts = pages.map((page) => {
    const resources = dictionary(referenceIn(page, 'Resources'));
    const fonts = new Map<string, Glyphs>();
    for (const [, name = '', number] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      fonts.set(name, readGlyphs(streamOf(dictionary(referenceIn(dictionary(number), 'ToUnicode')))));
    }
    return textOf(streamOf(dictionary(referenceIn(page, 'Contents'))), fonts);
  });
  return { pageCount: pages.length, pages: texts, text: texts.join('\n'), source };
}

function referenceIn(content: string, key: string): string | undefined {
  return new RegExp(`/${key} (\\d+) 0 R`).exec(content)?.[1];
}

function streamOf(content: string): string {
  const stream = /stream\n(.*)\nendstream/s.exec(content)?.[1];
  if (stream === undefined) throw new Error('an object of the PDF has no stream');
  const bytes = Buffer.from(stream, 'latin1');
  return (content.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
}

function readGlyphs(table: string): Glyphs {
  const glyphs: Glyphs = new Map();
  const decoded = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le');
  for (const [, first = '', last = '', listed = ''] of table.matchAll(
    /<([0-9a-f]{4})> <([0-9a-f]{4})> \[([^\]]*)\]/gi,
  )) {
    const texts = [...listed.matchAll(/<([0-9a-f ]*)>/gi)].map(([, hex = '']) =>
      decoded(hex.replaceAll(' ', '')),
    );
    const from = Number.parseInt(first, 16);
    if (Number.parseInt(last, 16) - from + 1 !== texts.length)
      throw new Error('a font table does not add up');
    texts.forEach((text, index) => {
      glyphs.set((from + index).toString(16).padStart(4, '0'), text);
    });
  }
  return glyphs;
}

/** One line for each piece of text that was placed. */
function textOf(content: string, fonts: ReadonlyMap<string, Glyphs>): string {
  const pieces: string[] = [];
  let glyphs: Glyphs = new Map();
  for (const [, font, shown = ''] of content.matchAll(
    /\/(F\d+) [\d.]+ Tf|\[((?:<[0-9a-f]*>|[-\d. ])*)\] TJ/gi,
  )) {
    if (font !== undefined) {
      glyphs = fonts.get(font) ?? new Map();
      continue;
    }
    const codes = [...shown.matchAll(/<([0-9a-f]*)>/gi)].map(([, hex = '']) => hex.toLowerCase()).join('');
    pieces.push((codes.match(/.{4}/g) ?? []).map((code) => glyphs.get(code) ?? '�').join(''));
  }
  return pieces.join('\n');
}
