import { limits } from '#domain/limits.ts';

/**
 * Makes a photo small enough for a slow network: a JPEG no longer or wider than the limit, upright as the camera meant
 * it. What the browser cannot decode or draw (HEIC in most of them, a photo larger than a canvas may be) is sent as it
 * is, and so is one that would not become smaller: the server does the same work again in any case.
 */
export async function shrinkImage(file: File): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    try {
      const drawn = await drawJpeg(bitmap);
      return drawn && drawn.size < file.size ? drawn : file;
    } finally {
      bitmap.close();
    }
  } catch {
    return file;
  }
}

function drawJpeg(bitmap: ImageBitmap): Promise<Blob | null> {
  const scale = Math.min(1, limits.documentUploadLongEdgePx / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  // A JPEG has no transparency: without this, what was clear would turn black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', limits.documentUploadJpegQuality));
}
