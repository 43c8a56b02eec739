import { drawScaled } from './document-upload.ts';

/** Long edge of the image analysed: print unreadable at this size was small on the card too. */
const measuredEdgePx = 640;
const spanPx = 16;
/** Minimum contrast of an edge in grey levels: above noise and JPEG blocking. */
const edgeContrast = 40;
/** With fewer edges there is nothing to judge by: a wall, darkness. */
const leastEdges = 50;
/** Sharp photos measured 0.31 to 0.9, even dark ones; unreadable ones 0.1 to 0.29. */
const blurredBelow = 0.28;

/**
 * Whether a photo is too blurred to read. False if that cannot be determined. Rejects if the browser cannot decode it.
 */
export async function looksBlurred(image: Blob): Promise<boolean> {
  const bitmap = await createImageBitmap(image);
  try {
    const context = drawScaled(bitmap, measuredEdgePx);
    if (!context) return false;
    const { width, height } = context.canvas;
    const { data } = context.getImageData(0, 0, width, height);
    // Green alone approximates brightness.
    const grey = Uint8Array.from({ length: width * height }, (_, pixel) => data[4 * pixel + 1] ?? 0);
    return isBlurred({ grey, width, height });
  } finally {
    bitmap.close();
  }
}

export type GreyImage = { grey: Uint8Array; width: number; height: number };

/**
 * Measures how steep the edges are: the share of an edge's height climbed from one pixel to the next. Unlike the
 * variance of the Laplacian it does not depend on brightness, noise or how busy the picture is. Rows and columns are
 * measured separately, since camera shake blurs in one direction only.
 */
export function isBlurred({ grey, width, height }: GreyImage): boolean {
  const rows = steepness(grey, { lines: height, lineStep: width, length: width, step: 1 });
  const columns = steepness(grey, { lines: width, lineStep: 1, length: height, step: width });
  return Math.min(rows, columns) < blurredBelow;
}

/** The sharpest tenth of the edges counts, since the background behind the card may be out of focus. */
function steepness(
  grey: Uint8Array,
  { lines, lineStep, length, step }: { lines: number; lineStep: number; length: number; step: number },
): number {
  const edges: number[] = [];
  for (let line = 0; line < lines; line += 2) {
    for (let start = 0; start + spanPx < length; start += spanPx / 2) {
      let [darkest, brightest, steepest] = [255, 0, 0];
      let before = grey[line * lineStep + start * step] ?? 0;
      for (let place = start; place <= start + spanPx; place += 1) {
        const level = grey[line * lineStep + place * step] ?? 0;
        darkest = Math.min(darkest, level);
        brightest = Math.max(brightest, level);
        steepest = Math.max(steepest, Math.abs(level - before));
        before = level;
      }
      const contrast = brightest - darkest;
      if (contrast >= edgeContrast) edges.push(steepest / contrast);
    }
  }
  if (edges.length < leastEdges) return 1;
  edges.sort((one, other) => one - other);
  return edges[Math.floor(0.9 * edges.length)] ?? 1;
}
