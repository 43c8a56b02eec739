import { contentWidth, type Paper, paperSize, type Tag, type TextStyle } from '#server/platform/pdf-paper.ts';

/** The product's colours, as on its screens. */
export const colors = {
  ink: '#10233F',
  inkSoft: '#4A5A70',
  leaf: '#0B6E5F',
  leafTint: '#E3F2EE',
  line: '#D5DBE3',
  mango: '#F7A823',
  mangoTint: '#FFF3DC',
} as const;

/** A paper with the way its pages begin. */
export type Sheet = { paper: Paper; beginPage(): void };

/** A label or heading, and what stands beside it. */
export type Row = readonly [label: string, value: string];

export const left = paperSize.side;
export const right = left + contentWidth;

export const body: TextStyle = { size: 9.5, color: colors.ink };
export const soft: TextStyle = { size: 9.5, color: colors.inkSoft };
export const gap = { section: 12, afterHeading: 5, row: 2.2 };

/** Goes to a new page unless there is room for `height` more. */
export function makeRoom({ paper, beginPage }: Sheet, height: number): void {
  if (!paper.hasRoomFor(height)) beginPage();
}

/** A heading of a section, kept on one page with at least `withHeight` of what follows. */
export function writeHeading(sheet: Sheet, text: string, withHeight: number): void {
  const { paper } = sheet;
  const style = { size: 12, weight: 'bold', color: colors.leaf } as const;
  paper.y += gap.section;
  makeRoom(sheet, paper.heightOf(text, style) + gap.afterHeading + withHeight);
  paper.y += paper.write(text, { x: left, y: paper.y }, style, paper.tag('H2')) + gap.afterHeading;
}

/** A sentence that must not be missed, on a tinted ground. */
export function writeBanner(sheet: Sheet, text: string): void {
  const { paper } = sheet;
  const padding = 7;
  const style = { ...body, weight: 'bold', width: contentWidth - 2 * padding } as const;
  paper.y += 8;
  const height = paper.heightOf(text, style) + 2 * padding - 2;
  makeRoom(sheet, height);
  paper.decorate((pdf) => pdf.roundedRect(left, paper.y, contentWidth, height, 5).fill(colors.mangoTint));
  paper.write(text, { x: left + padding, y: paper.y + padding }, style, paper.tag('P'));
  paper.y += height;
}

export function writeNote(sheet: Sheet, text: string): void {
  const { paper } = sheet;
  const style = { size: 8.5, color: colors.inkSoft };
  paper.y += 4;
  makeRoom(sheet, paper.heightOf(text, style));
  paper.y += paper.write(text, { x: left, y: paper.y }, style, paper.tag('P'));
}

/** Numbered sentences, each kept whole on its page. */
export function writeList(sheet: Sheet, heading: string, items: readonly string[]): void {
  const { paper } = sheet;
  const indent = 16;
  const style = { ...body, width: contentWidth - indent };
  writeHeading(sheet, heading, 40);
  const list: Tag = paper.tag('L');
  items.forEach((item, index) => {
    makeRoom(sheet, paper.heightOf(item, style));
    const entry = paper.tag('LI', list);
    paper.write(
      `${index + 1}.`,
      { x: left, y: paper.y },
      { ...body, width: indent },
      paper.tag('Lbl', entry),
    );
    paper.y += paper.write(item, { x: left + indent, y: paper.y }, style, paper.tag('LBody', entry)) + 2;
  });
}

type Signatures = {
  heading: string;
  consent: string;
  signers: readonly { role: string; name: string; lines: readonly string[] }[];
};

/** Places to sign side by side, all on one page: nobody signs a page that does not say what. */
export function writeSignatures(sheet: Sheet, { heading, consent, signers }: Signatures): void {
  const { paper } = sheet;
  const columnGap = 30;
  const lineHeight = 40;
  const width = (contentWidth - columnGap * (signers.length - 1)) / signers.length;
  const nameStyle = { ...body, weight: 'bold', width } as const;
  const tallestName = Math.max(...signers.map(({ name }) => paper.heightOf(name, nameStyle)));
  const lineCount = Math.max(...signers.map(({ lines }) => lines.length));
  const below = 20 + tallestName + lineHeight * lineCount;
  const height = paper.heightOf(consent, body) + 10 + below;
  writeHeading(sheet, heading, height);
  paper.y += paper.write(consent, { x: left, y: paper.y }, body, paper.tag('P')) + 10;
  const top = paper.y;
  signers.forEach(({ role, name, lines }, index) => {
    const x = left + index * (width + columnGap);
    let y = top + paper.write(role, { x, y: top }, { ...soft, width }, paper.tag('P'));
    paper.write(name, { x, y }, nameStyle, paper.tag('P'));
    y += tallestName;
    for (const label of lines) {
      y += lineHeight;
      paper.decorate((pdf) => rule(pdf, x, y - 13, x + width, colors.ink));
      paper.write(label, { x, y: y - 11 }, { size: 8, color: colors.inkSoft, width }, paper.tag('P'));
    }
  });
  paper.y = top + below;
}

/** A thin line, for the eye. */
export function rule(
  pdf: PDFKit.PDFDocument,
  fromX: number,
  y: number,
  toX: number,
  color: string = colors.line,
) {
  pdf.moveTo(fromX, y).lineTo(toX, y).lineWidth(0.6).stroke(color);
}
