import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';

/** Weights of the one typeface on paper. */
export type Weight = 'regular' | 'bold';

export type TextStyle = {
  size: number;
  weight?: Weight;
  color?: string;
  align?: 'left' | 'right' | 'center';
  width?: number;
};

/** An element of the document's structure, which a screen reader follows instead of the looks. */
export type Tag = PDFKit.PDFStructureElement;

/** A4 with wide margins, in points of 1/72 inch. The foot is kept free for the footer. */
export const paperSize = { width: 595.28, height: 841.89, side: 50, top: 44, foot: 58 } as const;

export const contentWidth = paperSize.width - 2 * paperSize.side;

const LINE_GAP = 1.5;

const packageFiles = createRequire(import.meta.url);

const fontFiles: Record<Weight, string> = {
  regular: '@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf',
  bold: '@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf',
};

/** Read at first use and kept. From node_modules, so the same file is found from the sources and from a build. */
const fontBytes = new Map<Weight, Buffer>();

function bytesOfFont(weight: Weight): Buffer {
  const known = fontBytes.get(weight);
  if (known) return known;
  const bytes = readFileSync(packageFiles.resolve(fontFiles[weight]));
  fontBytes.set(weight, bytes);
  return bytes;
}

export type Paper = ReturnType<typeof createPaper>;

/**
 * A tagged A4 document (PDF/UA) with embedded fonts. What is written through a tag belongs to the document's
 * structure; lines and backgrounds are artifacts, which a screen reader leaves out. Nothing flows to the next page by
 * itself: callers ask for room first.
 */
export function createPaper(about: { title: string; language: string; created: Date }) {
  const pdf = new PDFDocument({
    size: [paperSize.width, paperSize.height],
    margins: { top: 0, bottom: 0, left: 0, right: 0 },
    autoFirstPage: false,
    bufferPages: true,
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    // The library's types do not list it yet.
    subset: 'PDF/UA' as PDFKit.Mixins.PDFSubsets,
    lang: about.language,
    // An empty name keeps the library from loading a font of its own, which would not be embedded.
    font: '',
    // The title goes unescaped into the file's XML: it must hold no & or <. So there is no author either.
    info: { Title: about.title, CreationDate: about.created, ModDate: about.created },
  });
  for (const weight of ['regular', 'bold'] as const) pdf.registerFont(weight, bytesOfFont(weight));
  const chunks: Uint8Array[] = [];
  const finished = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });

  const root = pdf.struct('Document');
  pdf.addStructure(root);

  const paper = {
    /** How far down the page is written. */
    y: paperSize.top as number,

    pageCount: 0,

    /** Begins a page. `onEveryPage` draws behind what follows. */
    addPage(onEveryPage?: () => void) {
      pdf.addPage();
      paper.pageCount += 1;
      paper.y = paperSize.top;
      onEveryPage?.();
    },

    hasRoomFor: (height: number) => paper.y + height <= paperSize.height - paperSize.foot,

    /** A new element of the structure, at the end of `parent`. `scope` says what a table heading heads. */
    tag(type: string, parent: Tag = root, options: { scope?: 'Row' | 'Column'; title?: string } = {}): Tag {
      const element = pdf.struct(type, options);
      parent.add(element);
      return element;
    },

    heightOf(text: string, style: TextStyle): number {
      apply(style);
      return pdf.heightOfString(printable(text), optionsOf(style));
    },

    /** Writes text at a place, as part of a tag. Answers its height. */
    write(text: string, place: { x: number; y: number }, style: TextStyle, tag: Tag): number {
      const height = paper.heightOf(text, style);
      tag.add(() => {
        apply(style);
        pdf.fillColor(style.color ?? 'black').text(printable(text), place.x, place.y, optionsOf(style));
      });
      return height;
    },

    /** Draws what is only for the eye. */
    decorate(draw: (pdf: PDFKit.PDFDocument) => void) {
      pdf.markContent('Artifact', { type: 'Layout' });
      pdf.save();
      draw(pdf);
      pdf.restore();
      pdf.endMarkedContent();
    },

    /** Writes what repeats on pages, and is read out on none. */
    writeForTheEye(text: string, place: { x: number; y: number }, style: TextStyle) {
      pdf.markContent('Artifact', { type: 'Pagination' });
      apply(style);
      pdf.fillColor(style.color ?? 'black').text(printable(text), place.x, place.y, optionsOf(style));
      pdf.endMarkedContent();
    },

    /** Puts a foot under every page, now that their number is known, and answers the whole file. */
    finish(drawFoot: (page: number, count: number) => void): Promise<Buffer> {
      for (let page = 0; page < paper.pageCount; page += 1) {
        pdf.switchToPage(page);
        drawFoot(page + 1, paper.pageCount);
      }
      pdf.end();
      return finished;
    },
  };

  function apply({ size, weight = 'regular' }: TextStyle): void {
    pdf.font(weight).fontSize(size);
  }

  return paper;
}

const optionsOf = ({ width = contentWidth, align = 'left' }: TextStyle) => ({
  width,
  align,
  lineGap: LINE_GAP,
});

/**
 * One line's worth of plain characters: control and formatting characters, such as those that turn the direction of
 * writing, could make a paper say something else than what was stored.
 */
function printable(text: string): string {
  return text
    .replace(/[\s\p{Zl}\p{Zp}\p{Cc}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .trim();
}
