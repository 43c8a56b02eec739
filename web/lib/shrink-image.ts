import { limits } from '#domain/limits.ts';

/**
 * Scales a photo down to an upright JPEG for slow networks. Sent unchanged if the browser cannot decode or draw it
 * (HEIC in most browsers, or larger than a canvas) or if it would not get smaller: the server processes every photo
 * anyway.
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
  // JPEG has no transparency: clear areas would turn black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', limits.documentUploadJpegQuality));
}
