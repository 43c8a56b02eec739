import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { matStroke, weaveMat } from '#domain/mat.ts';
import { takingTurns } from './request-turns.ts';

type Weight = 'regular' | 'bold';

type TextStyle = {
  size: number;
  weight?: Weight;
  color?: string;
  align?: 'left' | 'right' | 'center';
  width?: number;
};

type Place = { x: number; y: number };

/** An element of the document's structure, which a screen reader follows. */
type Tag = PDFKit.PDFStructureElement;

/** A4 with wide margins, in points (1/72 inch). The foot is reserved for the footer. */
export const paperSize = { width: 595.28, height: 841.89, side: 50, top: 44, foot: 58 } as const;

export const contentWidth = paperSize.width - 2 * paperSize.side;
const left = paperSize.side;
const right = left + contentWidth;

/** The product's colours. */
export const colors = {
  ink: '#10233F',
  inkSoft: '#4A5A70',
  leaf: '#0B6E5F',
  leafTint: '#E3F2EE',
  line: '#D5DBE3',
  mango: '#F7A823',
  mangoTint: '#FFF3DC',
} as const;

const body: TextStyle = { size: 9.5, color: colors.ink };
const soft: TextStyle = { size: 9.5, color: colors.inkSoft };
const small: TextStyle = { size: 8, color: colors.inkSoft };
const gap = { section: 12, afterHeading: 5, row: 2.2 };

const packageFiles = createRequire(import.meta.url);

const fontFiles: Record<Weight, string> = {
  regular: '@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf',
  bold: '@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf',
};

/** Read at first use. From node_modules, so that sources and build use the same file. */
const fontBytes: Partial<Record<Weight, Buffer>> = {};

/** The characters that both fonts have, once the first paper is made. */
let printed: ReadonlySet<number> | undefined;

function charactersOf(pdf: PDFKit.PDFDocument, weight: Weight): Set<number> {
  // Missing in the library's types.
  const { _font } = pdf.font(weight) as unknown as { _font: { font: { characterSet: number[] } } };
  return new Set(_font.font.characterSet);
}

function inBothFonts(pdf: PDFKit.PDFDocument): ReadonlySet<number> {
  const bold = charactersOf(pdf, 'bold');
  return new Set([...charactersOf(pdf, 'regular')].filter((code) => bold.has(code)));
}

export type Paper = Awaited<ReturnType<typeof createPaper>>;

/**
 * A tagged A4 document (PDF/UA) with embedded fonts. A tag places text in the structure; lines and backgrounds are
 * artifacts, which a screen reader skips. Nothing flows to the next page automatically: callers `makeRoom` first.
 */
export async function createPaper(
  about: { title: string; language: string; created: Date },
  drawBehind?: (pdf: PDFKit.PDFDocument) => void,
) {
  // Loaded with the first paper: it would add a fifth of a second to every start.
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({
    size: [paperSize.width, paperSize.height],
    margins: { top: 0, bottom: 0, left: 0, right: 0 },
    autoFirstPage: false,
    bufferPages: true,
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    // Missing in the library's types.
    subset: 'PDF/UA' as PDFKit.Mixins.PDFSubsets,
    lang: about.language,
    // An empty name prevents the library from loading its own font, which would not be embedded.
    font: '',
    // The title is put unescaped into the file's XML: it must not contain & or <. So there is no author either.
    info: { Title: about.title, CreationDate: about.created, ModDate: about.created },
  });
  for (const weight of ['regular', 'bold'] as const) {
    fontBytes[weight] ??= readFileSync(packageFiles.resolve(fontFiles[weight]));
    pdf.registerFont(weight, fontBytes[weight]);
  }
  printed ??= inBothFonts(pdf);
  const chunks: Uint8Array[] = [];
  const finished = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });

  const root = pdf.struct('Document');
  pdf.addStructure(root);

  const paper = {
    /** The next free position on the page. */
    y: paperSize.top as number,

    pageCount: 0,

    addPage() {
      pdf.addPage();
      paper.pageCount += 1;
      paper.y = paperSize.top;
      if (drawBehind) paper.decorate(drawBehind);
    },

    /** Starts a new page unless `height` more fits. */
    makeRoom(height: number) {
      if (paper.y + height > paperSize.height - paperSize.foot) paper.addPage();
    },

    /** A new element at the end of `parent`. `scope`: what a table heading heads. */
    tag(type: string, parent: Tag = root, options: { scope?: 'Row' | 'Column'; title?: string } = {}): Tag {
      const element = pdf.struct(type, options);
      parent.add(element);
      return element;
    },

    heightOf(text: string, style: TextStyle): number {
      apply(style);
      return pdf.heightOfString(printable(text), optionsOf(style));
    },

    write(text: string, place: Place, style: TextStyle, tag: Tag): number {
      const height = paper.heightOf(text, style);
      tag.add(() => draw(text, place, style));
      return height;
    },

    /** Appends at the left edge, below the last text. */
    append(text: string, style: TextStyle, type = 'P') {
      paper.y += paper.write(text, { x: left, y: paper.y }, style, paper.tag(type));
    },

    decorate(draw: (pdf: PDFKit.PDFDocument) => void) {
      pdf.markContent('Artifact', { type: 'Layout' });
      pdf.save();
      draw(pdf);
      pdf.restore();
      pdf.endMarkedContent();
    },

    /** Writes text that repeats on pages and is not read out. */
    writeArtifact(text: string, place: Place, style: TextStyle) {
      pdf.markContent('Artifact', { type: 'Pagination' });
      draw(text, place, style);
      pdf.endMarkedContent();
    },

    /** Adds a footer to every page, now that their number is known, and returns the file. */
    async finish(drawFoot: (page: number, count: number) => void): Promise<Buffer> {
      const turn = takingTurns();
      for (let page = 0; page < paper.pageCount; page += 1) {
        await turn();
        pdf.switchToPage(page);
        drawFoot(page + 1, paper.pageCount);
      }
      await turn();
      pdf.flushPages();
      await turn();
      pdf.end();
      return finished;
    },
  };

  function apply({ size, weight = 'regular' }: TextStyle): void {
    pdf.font(weight).fontSize(size);
  }

  function draw(text: string, { x, y }: Place, style: TextStyle): void {
    apply(style);
    pdf.fillColor(style.color ?? 'black').text(printable(text), x, y, optionsOf(style));
  }

  paper.addPage();
  return paper;
}

const optionsOf = ({ width = contentWidth, align = 'left' }: TextStyle) => ({ width, align, lineGap: 1.5 });

/**
 * Control characters, such as those that change the writing direction, could change what a paper says. A character that
 * the fonts lack is printed as its code point, `U+0627`: a blank or a box would print a name as nothing (§paper-letters).
 */
function printable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\s\p{Zl}\p{Zp}\p{Cc}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Variation_Selector}]/gu, '')
    .replace(/[^\t-~]/gu, (char) => (printed?.has(char.codePointAt(0) ?? 0) ? char : ` ${codePoint(char)} `))
    .replace(/ +/g, ' ')
    .trim();
}

const codePoint = (char: string) => `U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;

type Row = readonly [label: string, value: string];

/** A section's heading, on one page with at least `withHeight` of its text. */
function writeHeading(paper: Paper, text: string, withHeight: number): void {
  const style = { size: 12, weight: 'bold', color: colors.leaf } as const;
  paper.y += gap.section;
  paper.makeRoom(paper.heightOf(text, style) + gap.afterHeading + withHeight);
  paper.append(text, style, 'H2');
  paper.y += gap.afterHeading;
}

/** An important sentence, on a tinted background. */
export function writeBanner(paper: Paper, text: string): void {
  const padding = 7;
  const style = { ...body, weight: 'bold', width: contentWidth - 2 * padding } as const;
  paper.y += 8;
  const height = paper.heightOf(text, style) + 2 * padding - 2;
  paper.makeRoom(height);
  paper.decorate((pdf) => pdf.roundedRect(left, paper.y, contentWidth, height, 5).fill(colors.mangoTint));
  paper.write(text, { x: left + padding, y: paper.y + padding }, style, paper.tag('P'));
  paper.y += height;
}

/** A finished mat, with a tile for each of `count` instalments; the text says in words that all is paid. */
export function drawFinishedMat(paper: Paper, count: number): void {
  const scale = 0.72;
  const { height, paths } = weaveMat(new Array<'paid'>(count).fill('paid'));
  paper.y += 16;
  paper.makeRoom(height * scale);
  paper.decorate((pdf) => {
    pdf.translate(left, paper.y).scale(scale).lineWidth(matStroke).lineJoin('round');
    for (const { part, d } of paths) {
      const color = part === 'lying' ? colors.leaf : colors.mango;
      pdf.path(d).fillAndStroke(color, color);
    }
  });
  paper.y += height * scale + 4;
}

function writeText(paper: Paper, text: string, style: TextStyle, gapAbove: number): void {
  paper.y += gapAbove;
  paper.makeRoom(paper.heightOf(text, style));
  paper.append(text, style);
}

export const writeParagraph = (paper: Paper, text: string) =>
  writeText(paper, text, { ...body, size: 11 }, 12);

export const writeNote = (paper: Paper, text: string) => writeText(paper, text, { ...small, size: 8.5 }, 4);

/** Numbered sentences, each whole on its page. */
export function writeList(paper: Paper, heading: string, items: readonly string[]): void {
  const indent = 16;
  const style = { ...body, width: contentWidth - indent };
  writeHeading(paper, heading, 40);
  const list = paper.tag('L');
  items.forEach((item, index) => {
    paper.makeRoom(paper.heightOf(item, style));
    const { y } = paper;
    const entry = paper.tag('LI', list);
    paper.write(`${index + 1}.`, { x: left, y }, { ...body, width: indent }, paper.tag('Lbl', entry));
    paper.y += paper.write(item, { x: left + indent, y }, style, paper.tag('LBody', entry)) + 2;
  });
}

type Signatures = {
  heading: string;
  consent: string;
  signers: readonly { role: string; name: string; lines: readonly string[] }[];
};

/** Signature lines side by side, with the text on one page: nobody signs a page that does not say what. */
export function writeSignatures(paper: Paper, { heading, consent, signers }: Signatures): void {
  const columnGap = 30;
  const lineHeight = 35;
  const width = (contentWidth - columnGap * (signers.length - 1)) / signers.length;
  const nameStyle = { ...body, weight: 'bold', width } as const;
  const tallestName = Math.max(...signers.map(({ name }) => paper.heightOf(name, nameStyle)));
  const lineCount = Math.max(...signers.map(({ lines }) => lines.length));
  const below = 20 + tallestName + lineHeight * lineCount;
  writeHeading(paper, heading, paper.heightOf(consent, body) + 10 + below);
  paper.append(consent, body);
  paper.y += 10;
  const top = paper.y;
  signers.forEach(({ role, name, lines }, index) => {
    const x = left + index * (width + columnGap);
    let y = top + paper.write(role, { x, y: top }, { ...soft, width }, paper.tag('P'));
    paper.write(name, { x, y }, nameStyle, paper.tag('P'));
    y += tallestName;
    for (const label of lines) {
      y += lineHeight;
      paper.decorate((pdf) => rule(pdf, x, y - 13, x + width, colors.ink));
      paper.write(label, { x, y: y - 11 }, { ...small, width }, paper.tag('P'));
    }
  });
  paper.y = top + below;
}

/** `note` is small print below. */
type Cell = {
  text: string;
  x: number;
  y?: number;
  style: TextStyle;
  heads?: 'Row' | 'Column' | undefined;
  note?: string;
};

/** A row of a table for a screen reader; each cell has its own position. */
function writeRow(paper: Paper, table: Tag, y: number, cells: readonly Cell[]): void {
  const row = paper.tag('TR', table);
  for (const { text, style, heads, note, ...place } of cells) {
    const tag = paper.tag(heads ? 'TH' : 'TD', row, heads ? { scope: heads } : {});
    paper.write(text, { y, ...place }, style, tag);
    if (note) paper.write(note, { ...place, y: y + textHeight(paper, cells) }, noteStyle(style), tag);
  }
  // The rows are written out as they come: thousands of them at the end would take long in one piece.
  row.end();
}

/** A table's header. Repeated on later pages it is an artifact. */
function writeHeader(paper: Paper, table: Tag, y: number, cells: readonly Cell[], isRepeated: boolean): void {
  if (!isRepeated) writeRow(paper, table, y, cells);
  else for (const { text, x, style } of cells) paper.writeArtifact(text, { x, y }, style);
}

const textHeight = (paper: Paper, cells: readonly Cell[]) =>
  Math.max(...cells.map(({ text, style }) => paper.heightOf(text, style)));

const noteStyle = (style: TextStyle): TextStyle => ({ ...style, ...small, weight: 'regular' });

/** A few labelled facts side by side between two lines. */
export function writeStrip(paper: Paper, facts: readonly Row[]): void {
  const width = contentWidth / facts.length;
  const labelStyle: TextStyle = { ...small, width: width - 8 };
  const valueStyle: TextStyle = { ...body, weight: 'bold', width: width - 8 };
  const top = paper.y;
  const height = 22 + Math.max(...facts.map(([, value]) => paper.heightOf(value, valueStyle)));
  paper.decorate((pdf) => {
    rule(pdf, left, top, right);
    rule(pdf, left, top + height, right);
  });
  const table = paper.tag('Table');
  facts.forEach(([label, value], index) => {
    const x = left + index * width;
    writeRow(paper, table, top + 5, [
      { text: label, x, style: labelStyle, heads: 'Row' },
      { text: value, x, y: top + 17, style: valueStyle },
    ]);
  });
  paper.y = top + height;
}

const LABEL_WIDTH = 92;

/** A labelled text over the full width, for texts that may be long. */
export function writeLabelled(paper: Paper, label: string, text: string): void {
  paper.y += 5;
  paper.makeRoom(paper.heightOf(text, { ...body, width: contentWidth - LABEL_WIDTH }));
  paper.y += writePairs(paper, [[label, text]], { x: left, y: paper.y, width: contentWidth });
}

export function writeFactColumns(
  paper: Paper,
  heading: string,
  columns: readonly { heading: string; rows: readonly Row[] }[],
): void {
  const columnGap = 22;
  const width = (contentWidth - columnGap * (columns.length - 1)) / columns.length;
  const tallest = Math.max(
    ...columns.map(({ rows }) => rows.reduce((sum, row) => sum + heightOfPair(paper, row, width), 0)),
  );
  writeHeading(paper, heading, tallest + 18);
  const top = paper.y;
  columns.forEach((column, index) => {
    const x = left + index * (width + columnGap);
    const style = { ...body, weight: 'bold', width } as const;
    const height = paper.write(column.heading, { x, y: top }, style, paper.tag('H3'));
    paper.decorate((pdf) => rule(pdf, x, top + height + 1, x + width));
    writePairs(paper, column.rows, { x, y: top + height + 4, width });
  });
  paper.y = top + 18 + tallest;
}

function heightOfPair(paper: Paper, [label, value]: Row, width: number): number {
  const ofLabel = paper.heightOf(label, { ...soft, width: LABEL_WIDTH - 4 });
  return Math.max(ofLabel, paper.heightOf(value, { ...body, width: width - LABEL_WIDTH })) + gap.row;
}

/** A table of two columns without lines. Returns its height. */
function writePairs(paper: Paper, rows: readonly Row[], { x, y: top, width }: Place & { width: number }) {
  const table = paper.tag('Table');
  let y = top;
  for (const row of rows) {
    const [label, value] = row;
    writeRow(paper, table, y, [
      { text: label, x, style: { ...soft, width: LABEL_WIDTH - 4 }, heads: 'Row' },
      { text: value, x: x + LABEL_WIDTH, style: { ...body, width: width - LABEL_WIDTH } },
    ]);
    y += heightOfPair(paper, row, width);
  }
  return y - top;
}

const weightOf = (isMain = false): Weight => (isMain ? 'bold' : 'regular');

type Figure = { label: string; figure: string; isMain?: boolean };

/** A ruled table of names and figures; the main ones are emphasised. */
export function writeFigures(paper: Paper, heading: string, header: Row, figures: readonly Figure[]): void {
  const padding = { x: 6, y: 2.6 };
  const styleOf = (isMain = false) => ({ ...body, weight: weightOf(isMain), width: 385 });
  const heightOf = ({ label, isMain }: Figure) => paper.heightOf(label, styleOf(isMain)) + 2 * padding.y - 1;
  const [label, figure] = header;
  const headerHeight = heightOf({ label, figure, isMain: true });
  const height = figures.reduce((sum, one) => sum + heightOf(one), headerHeight);
  writeHeading(paper, heading, height);

  const table = paper.tag('Table');
  const writeFigure = (one: Figure, heads?: 'Column') => {
    const x = left + padding.x;
    const style = styleOf(one.isMain);
    const figureStyle = { ...style, width: contentWidth - 2 * padding.x, align: 'right' } as const;
    writeRow(paper, table, paper.y + padding.y, [
      { text: one.label, x, style, heads: heads ?? 'Row' },
      { text: one.figure, x, style: figureStyle, heads },
    ]);
    paper.y += heightOf(one);
  };

  paper.decorate((pdf) => pdf.rect(left, paper.y, contentWidth, headerHeight).fill(colors.leafTint));
  writeFigure({ label, figure, isMain: true }, 'Column');
  for (const one of figures) {
    writeFigure(one);
    paper.decorate((pdf) => rule(pdf, left, paper.y, right));
  }
}

type TableColumn = { head: string; width: number; align?: TextStyle['align'] };

/** `note` is small print under the second cell; main rows are emphasised. */
type TableRow = { cells: readonly string[]; note?: string; isMain?: boolean };

/**
 * A ruled table over several pages, with its header on each. To a screen reader it is one table. It may be long, and
 * takes turns.
 */
export async function writeTable(
  paper: Paper,
  heading: string,
  { columns, rows }: { columns: readonly TableColumn[]; rows: readonly TableRow[] },
): Promise<void> {
  const padding = { x: 4, y: 2.6 };
  const columnGap = 2;
  const xOf = (index: number) =>
    columns.slice(0, index).reduce((x, { width }) => x + width + columnGap, left + padding.x);
  const cellsOf = ({ cells, note, isMain }: TableRow, heads?: 'Column'): Cell[] =>
    columns.map(({ width, align = 'left' }, index) => ({
      text: cells[index] ?? '',
      x: xOf(index),
      style: { ...body, size: 9, width: width - padding.x, align, weight: weightOf(isMain) },
      heads,
      ...(index === 1 && { note }),
    }));
  const heightOf = (cells: readonly Cell[]) =>
    cells.reduce(
      (height, { note, style }) => height + (note ? paper.heightOf(note, noteStyle(style)) : 0),
      textHeight(paper, cells) + 2 * padding.y - 1,
    );
  const header = cellsOf({ cells: columns.map(({ head }) => head), isMain: true }, 'Column');

  writeHeading(paper, heading, heightOf(header) + (rows[0] ? heightOf(cellsOf(rows[0])) : 0));
  const table = paper.tag('Table');
  const drawHeader = (isRepeated: boolean) => {
    paper.decorate((pdf) => pdf.rect(left, paper.y, contentWidth, heightOf(header)).fill(colors.leafTint));
    writeHeader(paper, table, paper.y + padding.y, header, isRepeated);
    paper.y += heightOf(header);
  };
  drawHeader(false);
  const turn = takingTurns();
  for (const cells of rows.map((row) => cellsOf(row))) {
    await turn();
    const page = paper.pageCount;
    paper.makeRoom(heightOf(cells));
    if (paper.pageCount > page) drawHeader(true);
    writeRow(paper, table, paper.y + padding.y, cells);
    paper.y += heightOf(cells);
    paper.decorate((pdf) => rule(pdf, left, paper.y, right));
  }
}

type ColumnsTable = {
  header: readonly [string, string, string];
  rows: readonly (readonly string[])[];
  summary?: string;
};

/** A long narrow table in columns side by side. To a screen reader it is one table, in order. */
export function writeTableInColumns(
  paper: Paper,
  heading: string,
  { header, rows, summary }: ColumnsTable,
): void {
  const rowHeight = 14;
  const columnGap = 18;
  const columnCount = rows.length > 24 ? 3 : 2;
  const rowsPerColumn = Math.ceil(rows.length / columnCount);
  const width = (contentWidth - columnGap * (columnCount - 1)) / columnCount;
  writeHeading(paper, heading, rowHeight * (rowsPerColumn + 1) + (summary === undefined ? 4 : 18));
  const top = paper.y;
  const xOf = (column: number) => left + column * (width + columnGap);
  const table = paper.tag('Table');
  const places: { x: number; width: number; align?: 'right' }[] = [
    { x: 4, width: 20, align: 'right' },
    { x: 34, width: 70 },
    { x: 90, width: width - 94, align: 'right' },
  ];
  const cellsOf = (texts: readonly string[], x: number, weight: Weight, heads?: 'Column'): Cell[] =>
    places.map((place, index) => {
      const style = { ...body, size: 9, weight, ...place };
      return { text: texts[index] ?? '', x: x + place.x, style, heads };
    });

  for (let column = 0; column < columnCount; column += 1) {
    const x = xOf(column);
    paper.decorate((pdf) => pdf.rect(x, top, width, rowHeight).fill(colors.leafTint));
    writeHeader(paper, table, top + 1.5, cellsOf(header, x, 'bold', 'Column'), column > 0);
  }
  rows.forEach((texts, index) => {
    const x = xOf(Math.floor(index / rowsPerColumn));
    const y = top + rowHeight * (1 + (index % rowsPerColumn));
    writeRow(paper, table, y + 1.5, cellsOf(texts, x, 'regular'));
    paper.decorate((pdf) => rule(pdf, x, y + rowHeight, x + width));
  });
  paper.y = top + rowHeight * (rowsPerColumn + 1) + 4;
  if (summary !== undefined) paper.append(summary, { ...body, weight: 'bold', align: 'right' });
}

function rule(pdf: PDFKit.PDFDocument, fromX: number, y: number, toX: number, color: string = colors.line) {
  pdf.moveTo(fromX, y).lineTo(toX, y).lineWidth(0.6).stroke(color);
}
