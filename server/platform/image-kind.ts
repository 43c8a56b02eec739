/** Accepted kinds of image (§photos), named as the decoder names them. */
export type ImageKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'heif';

/** A PNG ends with this chunk, checksum included, and a GIF with a semicolon, which some programs pad with zeros. */
const PNG_END = Buffer.from('IEND\xae\x42\x60\x82', 'latin1');
const GIF_END = 0x3b;

/** The brands of HEIC, HEIF and AVIF still images (ISO/IEC 23008-12, MPEG-H part 12). */
const HEIF_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'mif1', 'mif2', 'avif']);

/**
 * Tells an image's kind by its content, never by its name. The decoder would also read SVG and TIFF, which
 * can name or hide other content.
 */
export function imageKindOf(bytes: Buffer): ImageKind | undefined {
  const kind = kindBySignature(bytes);
  if (kind === undefined || isAlsoAnotherDocument(bytes)) return undefined;
  return isCutAtItsEnd(bytes, kind) ? undefined : kind;
}

/** The decoder stops at the last pixel and does not notice a missing end; JPEG, WebP and HEIF it checks itself. */
function isCutAtItsEnd(bytes: Buffer, kind: ImageKind): boolean {
  if (kind === 'png') return !bytes.includes(PNG_END);
  if (kind === 'gif') return bytes.findLast((byte) => byte !== 0) !== GIF_END;
  return false;
}

function kindBySignature(bytes: Buffer): ImageKind | undefined {
  const ascii = (start: number, end: number) => bytes.toString('latin1', start, end);
  if (ascii(0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (ascii(0, 6) === 'GIF87a' || ascii(0, 6) === 'GIF89a') return 'gif';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'webp';
  if (ascii(4, 8) === 'ftyp' && HEIF_BRANDS.has(ascii(8, 12))) return 'heif';
  return undefined;
}

/** PDF readers look for its header this far into a file. */
const PDF_HEADER_WITHIN_BYTES = 1024;

/** The end record of a ZIP archive: 22 bytes, the last two of them the length of a comment. */
const ZIP_END_BYTES = 22;
const ZIP_COMMENT_MAX_BYTES = 0xffff;

/** Long enough that pixels do not spell them by chance. */
const PAGE_MARKS = ['<script', '<SCRIPT', '<!doctype', '<!DOCTYPE', '<?php '].map((mark) =>
  Buffer.from(mark),
);

/** Re-encoding would remove it, but no camera makes such a file. A video after the image is common, and passes. */
function isAlsoAnotherDocument(bytes: Buffer): boolean {
  return (
    bytes.subarray(0, PDF_HEADER_WITHIN_BYTES).includes('%PDF-') ||
    PAGE_MARKS.some((mark) => bytes.includes(mark)) ||
    endsAsZip(bytes)
  );
}

function endsAsZip(bytes: Buffer): boolean {
  const tail = bytes.subarray(-(ZIP_END_BYTES + ZIP_COMMENT_MAX_BYTES));
  const start = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (start === -1 || start + ZIP_END_BYTES > tail.length) return false;
  return start + ZIP_END_BYTES + tail.readUInt16LE(start + ZIP_END_BYTES - 2) === tail.length;
}
