/** A loan drawn as a woven mat (banig), a tile for each instalment. Screens and papers draw the same paths. */
export type MatTile = 'paid' | 'sent' | 'late' | 'next' | 'bare';

/**
 * The tiles that one path draws. Paid tiles are by turns horizontal and vertical, each in its own colour. Of a tile whose
 * payment waits for confirmation (`sent`), one strip is woven and the other outlined.
 */
export type MatPart = 'lying' | 'standing' | Exclude<MatTile, 'paid'>;

const tilesPerRow = 12;
const tileSize = 24;
const gap = 3;
const stripGap = 2;
/** Paths are stroked this wide with round joins, which rounds the corners. */
export const matStroke = 2;

/** The first bare tile is the next one. */
export function withNext(tiles: readonly MatTile[]): MatTile[] {
  const next = tiles.indexOf('bare');
  return tiles.map((tile, index) => (index === next ? 'next' : tile));
}

/**
 * The paths of a mat, bare loom first. Rows are as even as they can be: 24 tiles are two rows of twelve. Paid tiles from
 * `freshFrom` on have paths of their own. An undefined tile leaves a hole.
 */
export function weaveMat(
  tiles: readonly (MatTile | undefined)[],
  {
    columns = Math.ceil(tiles.length / Math.ceil(tiles.length / tilesPerRow)),
    freshFrom = tiles.length,
  } = {},
) {
  const paths = new Map<string, { part: MatPart; isFresh: boolean; d: string }>();
  const strip = (tileSize - stripGap) / 2 - matStroke;
  const long = tileSize - matStroke;
  tiles.forEach((tile, index) => {
    if (!tile) return;
    const [column, row] = [index % columns, Math.floor(index / columns)];
    const [x, y] = [column, row].map((place) => place * (tileSize + gap) + matStroke / 2) as [number, number];
    const lies = (column + row) % 2 === 0;
    const far = strip + matStroke + stripGap;
    const rect = (dx: number, dy: number, width: number, height: number) =>
      `M${x + dx} ${y + dy}h${width}v${height}h${-width}z`;
    const one = lies ? rect(0, 0, long, strip) : rect(0, 0, strip, long);
    const other = lies ? rect(0, far, long, strip) : rect(far, 0, strip, long);
    const draw = (part: MatPart, d: string, isFresh = false) => {
      const path = paths.get(`${part}${isFresh}`) ?? { part, isFresh, d: '' };
      path.d += d;
      paths.set(`${part}${isFresh}`, path);
    };
    const woven = lies ? 'lying' : 'standing';
    if (tile === 'sent') {
      draw(woven, one);
      draw('sent', other);
    } else draw(tile === 'paid' ? woven : tile, one + other, tile === 'paid' && index >= freshFrom);
  });
  const sizeOf = (count: number) => count * (tileSize + gap) - gap;
  const order: readonly MatPart[] = ['bare', 'lying', 'standing', 'late', 'sent', 'next'];
  return {
    pitch: tileSize + gap,
    width: sizeOf(columns),
    height: sizeOf(Math.ceil(tiles.length / columns)),
    paths: [...paths.values()].sort((one, other) => order.indexOf(one.part) - order.indexOf(other.part)),
  };
}
