import { contentWidth, type Paper, type TextStyle } from '#server/platform/pdf-paper.ts';
import {
  body,
  colors,
  gap,
  left,
  makeRoom,
  type Row,
  right,
  rule,
  type Sheet,
  soft,
  writeHeading,
} from './contract-pdf-parts.ts';

/** A few facts side by side between two lines, each under its label. */
export function writeStrip(sheet: Sheet, facts: readonly Row[]): void {
  const { paper } = sheet;
  const width = contentWidth / facts.length;
  const labelStyle: TextStyle = { size: 8, color: colors.inkSoft, width: width - 8 };
  const valueStyle: TextStyle = { ...body, weight: 'bold', width: width - 8 };
  const top = paper.y;
  const tallest = Math.max(...facts.map(([, value]) => paper.heightOf(value, valueStyle)));
  const height = 18 + tallest + 4;
  paper.decorate((pdf) => {
    rule(pdf, left, top, right);
    rule(pdf, left, top + height, right);
  });
  const table = paper.tag('Table');
  facts.forEach(([label, value], index) => {
    const x = left + index * width;
    const row = paper.tag('TR', table);
    paper.write(label, { x, y: top + 5 }, labelStyle, paper.tag('TH', row, { scope: 'Row' }));
    paper.write(value, { x, y: top + 17 }, valueStyle, paper.tag('TD', row));
  });
  paper.y = top + height;
}

/** One labelled text over the whole width, for texts that may be long. */
export function writeLabelled(sheet: Sheet, label: string, text: string): void {
  const { paper } = sheet;
  const style = { ...body, width: contentWidth - LABEL_WIDTH };
  paper.y += 5;
  makeRoom(sheet, paper.heightOf(text, style));
  paper.y += pairs(paper, [[label, text]], { x: left, y: paper.y, width: contentWidth });
}

/** Labels and values in columns side by side, each column with its own heading. */
export function writeFactColumns(
  sheet: Sheet,
  heading: string,
  columns: readonly { heading: string; rows: readonly Row[] }[],
): void {
  const { paper } = sheet;
  const columnGap = 22;
  const width = (contentWidth - columnGap * (columns.length - 1)) / columns.length;
  const tallest = Math.max(...columns.map(({ rows }) => heightOfPairs(paper, rows, width)));
  writeHeading(sheet, heading, tallest + 18);
  const top = paper.y;
  columns.forEach((column, index) => {
    const x = left + index * (width + columnGap);
    const style = { ...body, weight: 'bold', width } as const;
    const height = paper.write(column.heading, { x, y: top }, style, paper.tag('H3'));
    paper.decorate((pdf) => rule(pdf, x, top + height + 1, x + width));
    pairs(paper, column.rows, { x, y: top + height + 4, width });
  });
  paper.y = top + 18 + tallest;
}

const LABEL_WIDTH = 92;

function heightOfPairs(paper: Paper, rows: readonly Row[], width: number): number {
  return rows.reduce((height, row) => height + heightOfPair(paper, row, width) + gap.row, 0);
}

function heightOfPair(paper: Paper, [label, value]: Row, width: number): number {
  const ofLabel = paper.heightOf(label, { ...soft, width: LABEL_WIDTH - 4 });
  return Math.max(ofLabel, paper.heightOf(value, { ...body, width: width - LABEL_WIDTH }));
}

/** A table of two columns without lines. Answers its height. */
function pairs(paper: Paper, rows: readonly Row[], place: { x: number; y: number; width: number }): number {
  const table = paper.tag('Table');
  let { y } = place;
  for (const row of rows) {
    const [label, value] = row;
    const line = paper.tag('TR', table);
    const head = paper.tag('TH', line, { scope: 'Row' });
    paper.write(label, { x: place.x, y }, { ...soft, width: LABEL_WIDTH - 4 }, head);
    const valueStyle = { ...body, width: place.width - LABEL_WIDTH };
    paper.write(value, { x: place.x + LABEL_WIDTH, y }, valueStyle, paper.tag('TD', line));
    y += heightOfPair(paper, row, place.width) + gap.row;
  }
  return y - place.y;
}

/** A ruled table of names and figures; the main ones stand out. */
export function writeFigures(
  sheet: Sheet,
  heading: string,
  header: Row,
  figures: readonly { label: string; figure: string; isMain?: boolean }[],
): void {
  const { paper } = sheet;
  const padding = { x: 6, y: 2.6 };
  const labelWidth = 385;
  const styleOf = (isMain: boolean | undefined): TextStyle => ({
    ...body,
    weight: isMain ? 'bold' : 'regular',
    width: labelWidth,
  });
  const heightOf = (label: string, style: TextStyle) => paper.heightOf(label, style) + 2 * padding.y - 1;
  const headerHeight = heightOf(header[0], styleOf(true));
  const whole = figures.reduce(
    (sum, { label, isMain }) => sum + heightOf(label, styleOf(isMain)),
    headerHeight,
  );
  writeHeading(sheet, heading, whole);

  const table = paper.tag('Table');
  const line = ([label, figure]: Row, isMain: boolean | undefined, isHeader: boolean) => {
    const row = paper.tag('TR', table);
    const place = { x: left + padding.x, y: paper.y + padding.y };
    const style = styleOf(isMain);
    const head = paper.tag('TH', row, { scope: isHeader ? 'Column' : 'Row' });
    paper.write(label, place, style, head);
    const cell = paper.tag(isHeader ? 'TH' : 'TD', row, isHeader ? { scope: 'Column' } : {});
    const figureStyle = { ...style, width: contentWidth - 2 * padding.x, align: 'right' } as const;
    paper.write(figure, place, figureStyle, cell);
    paper.y += heightOf(label, style);
  };

  paper.decorate((pdf) => pdf.rect(left, paper.y, contentWidth, headerHeight).fill(colors.leafTint));
  line(header, true, true);
  for (const { label, figure, isMain } of figures) {
    line([label, figure], isMain, false);
    paper.decorate((pdf) => rule(pdf, left, paper.y, right));
  }
}

type ColumnsTable = {
  header: readonly [string, string, string];
  rows: readonly (readonly string[])[];
  summary: string;
};

/** A long narrow table folded into columns side by side. To a screen reader it is one table, in order. */
export function writeTableInColumns(sheet: Sheet, heading: string, content: ColumnsTable): void {
  const { paper } = sheet;
  const { header, rows, summary } = content;
  const rowHeight = 14;
  const columnGap = 18;
  const columnCount = rows.length > 24 ? 3 : 2;
  const rowsPerColumn = Math.ceil(rows.length / columnCount);
  const width = (contentWidth - columnGap * (columnCount - 1)) / columnCount;
  writeHeading(sheet, heading, rowHeight * (rowsPerColumn + 1) + 18);
  const top = paper.y;
  const xOf = (column: number) => left + column * (width + columnGap);
  const table = paper.tag('Table');

  const line = (cells: readonly string[], x: number, y: number, style: TextStyle, isHeader: boolean) => {
    const row = paper.tag('TR', table);
    cells.forEach((text, index) => {
      const { offset, ...align } = scheduleCell(index, width);
      const cell = paper.tag(isHeader ? 'TH' : 'TD', row, isHeader ? { scope: 'Column' } : {});
      paper.write(text, { x: x + offset, y: y + 1.5 }, { ...style, ...align }, cell);
    });
  };

  for (let column = 0; column < columnCount; column += 1) {
    const x = xOf(column);
    paper.decorate((pdf) => pdf.rect(x, top, width, rowHeight).fill(colors.leafTint));
    const style: TextStyle = { ...body, size: 9, weight: 'bold' };
    if (column === 0) line(header, x, top, style, true);
    else {
      header.forEach((text, index) => {
        const { offset, ...align } = scheduleCell(index, width);
        paper.writeForTheEye(text, { x: x + offset, y: top + 1.5 }, { ...style, ...align });
      });
    }
  }
  rows.forEach((cells, index) => {
    const x = xOf(Math.floor(index / rowsPerColumn));
    const y = top + rowHeight * (1 + (index % rowsPerColumn));
    line(cells, x, y, { ...body, size: 9 }, false);
    paper.decorate((pdf) => rule(pdf, x, y + rowHeight, x + width));
  });
  paper.y = top + rowHeight * (rowsPerColumn + 1) + 4;
  const style = { ...body, weight: 'bold', align: 'right' } as const;
  paper.y += paper.write(summary, { x: left, y: paper.y }, style, paper.tag('P'));
}

/** Number, date, amount: where in its column a cell of the schedule stands. */
function scheduleCell(index: number, width: number): TextStyle & { offset: number } {
  const size = 9;
  if (index === 0) return { size, offset: 4, width: 20, align: 'right' };
  if (index === 1) return { size, offset: 34, width: 70 };
  return { size, offset: 90, width: width - 94, align: 'right' };
}
