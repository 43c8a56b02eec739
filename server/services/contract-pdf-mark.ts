import { type Paper, paperSize } from '#server/platform/pdf-paper.ts';

/**
 * The word SAMPLE as strokes, a hundred units high. Drawn and not written: as text it would lie between the lines of
 * the contract whenever somebody selects or searches them.
 */
const letters: readonly { width: number; path: string }[] = [
  { width: 70, path: 'M62,18 C52,-6 10,-6 10,25 C10,56 62,44 62,74 C62,106 16,106 7,82' },
  { width: 76, path: 'M4,100 L36,0 L68,100 M16,66 L56,66' },
  { width: 94, path: 'M8,100 L8,0 L44,62 L80,0 L80,100' },
  { width: 70, path: 'M8,100 L8,0 L38,0 C70,0 70,56 38,56 L8,56' },
  { width: 60, path: 'M8,0 L8,100 L54,100' },
  { width: 60, path: 'M58,0 L8,0 L8,100 L58,100 M8,48 L50,48' },
];

const letterGap = 14;
const wordWidth = letters.reduce((width, letter) => width + letter.width + letterGap, -letterGap);

/** Draws SAMPLE across the page, large and pale, behind all that follows. */
export function markAsSample(paper: Paper, color: string): void {
  paper.decorate((pdf) => {
    const scale = 1.15;
    pdf.rotate(-52, { origin: [paperSize.width / 2, paperSize.height / 2] });
    pdf.translate((paperSize.width - wordWidth * scale) / 2, (paperSize.height - 100 * scale) / 2);
    pdf.scale(scale).lineWidth(17).lineJoin('round').lineCap('butt').strokeOpacity(0.12).strokeColor(color);
    for (const { width, path } of letters) {
      pdf.path(path).stroke();
      pdf.translate(width + letterGap, 0);
    }
  });
}
