/** Long edge of the picture that is measured: print too small to be read at this size is small on the card too. */
const measuredEdgePx = 640;
const spanPx = 16;
/** Grey levels between the two sides of what counts as an edge: more than noise and JPEG's blocks have. */
const edgeContrast = 40;
/** With fewer edges than this there is nothing to judge by: a wall, the dark. */
const leastEdges = 50;
/** Sharp photos measured 0.31 to 0.9, in the dark too; those with print that nobody can read 0.1 to 0.29. */
const blurredBelow = 0.28;

/** Whether a photo is too blurred to read from. False where that cannot be told, or the browser cannot decode it. */
export async function looksBlurred(image: Blob): Promise<boolean> {
  const bitmap = await createImageBitmap(image);
  try {
    const scale = Math.min(1, measuredEdgePx / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    const context = canvas.getContext('2d');
    if (!context) return false;
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
    // Green alone is nearly the brightness.
    const grey = Uint8Array.from({ length: width * height }, (_, pixel) => data[4 * pixel + 1] ?? 0);
    return isBlurred({ grey, width, height });
  } finally {
    bitmap.close();
  }
}

export type GreyImage = { grey: Uint8Array; width: number; height: number };

/**
 * By how much of its height an edge climbs from one pixel to the next: all of it where the photo is sharp, little where
 * it is a slope. Unlike the variance of the Laplacian it does not depend on how bright, noisy or full the picture is.
 * Along rows and columns apart, since a hand that shook blurs in one direction only.
 */
export function isBlurred({ grey, width, height }: GreyImage): boolean {
  const rows = steepness(grey, { lines: height, lineStep: width, length: width, step: 1 });
  const columns = steepness(grey, { lines: width, lineStep: 1, length: height, step: width });
  return Math.min(rows, columns) < blurredBelow;
}

/** That of the sharpest tenth of all edges: what lies behind the card may be out of focus. */
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
