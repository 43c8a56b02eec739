import { availableParallelism } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import { limits } from '#domain/limits.ts';
import { createBoundedQueue } from './bounded-queue.ts';
import { type ImageKind, imageKindOf } from './image-kind.ts';

/** An image as it is stored: encoded anew, upright, without metadata. */
export type ReadImage = {
  bytes: Buffer;
  contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  widthPx: number;
  heightPx: number;
};

export type Images = {
  /** Throws `NotAnImage`, or `ImagesBusy` when too many wait already. */
  readImage(bytes: Buffer): Promise<ReadImage>;
};

/** Not an image of a kind that is taken, or cut off, damaged, disguised or too large. */
export class NotAnImage extends Error {
  constructor(cause?: unknown) {
    super('not an image', { cause });
    this.name = 'NotAnImage';
  }
}

/** Nobody more may wait for an image to be decoded: 503, come back later. */
export class ImagesBusy extends Error {
  constructor() {
    super('too many images wait to be decoded');
    this.name = 'ImagesBusy';
  }
}

const DECODE_TIMEOUT_SECONDS = 15;

/** Each one that waits holds its upload in memory, up to 10 MB. */
const DEFAULT_WAITING = 24;

// The decoders of the kinds that are taken, and no other: SVG, TIFF and PDF stay shut whatever the bytes look like.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((decoder) => `VipsForeignLoad${decoder}Buffer`),
});
// Every image is read once: a cache would only keep borrowers' documents in memory.
sharp.cache(false);

/**
 * Reads uploads (contract section 3): judged by their content, bounded in pixels and in time, a few at once. JPEG and
 * HEIC become JPEG, PNG and GIF (its first frame) become PNG, WebP stays WebP.
 */
export function createImages(
  bounds: { maxRunning?: number; maxWaiting?: number; timeoutSeconds?: number } = {},
): Images {
  const timeoutSeconds = bounds.timeoutSeconds ?? DECODE_TIMEOUT_SECONDS;
  const queue = createBoundedQueue({
    maxRunning: bounds.maxRunning ?? (availableParallelism() > 2 ? 2 : 1),
    maxWaiting: bounds.maxWaiting ?? DEFAULT_WAITING,
    full: () => new ImagesBusy(),
  });

  return {
    async readImage(bytes) {
      if (bytes.length === 0 || bytes.length > limits.documentMaxBytes) throw new NotAnImage();
      const kind = imageKindOf(bytes);
      if (!kind) throw new NotAnImage();
      return queue.run(async () => {
        try {
          return await readStrictly(bytes, kind, timeoutSeconds);
        } catch (error) {
          throw new NotAnImage(error);
        }
      });
    },
  };
}

const svgDecoder = { operation: ['VipsForeignLoadSvgBuffer'] };

/**
 * A picture from the lender's folder for paper, which takes PNG. SVG is let in for it, so it is for one picture after the
 * other and for before anybody can upload.
 */
export async function drawPicture(bytes: Buffer): Promise<Buffer> {
  sharp.unblock(svgDecoder);
  try {
    const picture = sharp(bytes, {
      density: 300,
      failOn: 'truncated',
      limitInputPixels: limits.documentMaxPixels,
    });
    return await picture.resize({ width: 800, height: 200, fit: 'inside' }).png().toBuffer();
  } finally {
    sharp.block(svgDecoder);
  }
}

/**
 * Some phones write JPEG headers, and some programs write colour profiles, that a decoder grumbles about and reads
 * all the same. After such a grumble the image is read once more, insisting only that nothing is missing.
 */
const HARMLESS = /extraneous bytes before marker|Invalid SOS parameters|Warning treated as error/;
const INCOMPLETE = /premature end/i;

async function readStrictly(bytes: Buffer, kind: ImageKind, timeoutSeconds: number): Promise<ReadImage> {
  try {
    return await encodeAnew(bytes, kind, { failOn: 'warning', timeoutSeconds });
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (!HARMLESS.test(message) || INCOMPLETE.test(message)) throw error;
    return encodeAnew(bytes, kind, { failOn: 'truncated', timeoutSeconds });
  }
}

async function encodeAnew(
  bytes: Buffer,
  kind: ImageKind,
  { failOn, timeoutSeconds }: { failOn: 'warning' | 'truncated'; timeoutSeconds: number },
): Promise<ReadImage> {
  const source = sharp(bytes, {
    failOn,
    limitInputPixels: limits.documentMaxPixels,
    sequentialRead: true,
  });
  const { format } = await source.metadata();
  // The decoder looks at the content too; should it ever see another kind than we did, the file is a disguise.
  if (format !== kind) throw new Error(`looks like ${kind}, reads as ${format}`);
  const edge = limits.documentLongEdgeMaxPx;
  const upright = source
    .autoOrient()
    .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .timeout({ seconds: timeoutSeconds });
  const encoder = encoders[kind];
  const { data, info } = await encoder.encode(upright).toBuffer({ resolveWithObject: true });
  return { bytes: data, contentType: encoder.contentType, widthPx: info.width, heightPx: info.height };
}

type Encoder = { contentType: ReadImage['contentType']; encode: (image: Sharp) => Sharp };

/** Good enough to read the small print on an identity card. */
const QUALITY = 85;

const toJpeg: Encoder = {
  contentType: 'image/jpeg',
  encode: (image) => image.flatten({ background: '#ffffff' }).jpeg({ quality: QUALITY }),
};
const toPng: Encoder = { contentType: 'image/png', encode: (image) => image.png() };
const toWebp: Encoder = { contentType: 'image/webp', encode: (image) => image.webp({ quality: QUALITY }) };

const encoders: Record<ImageKind, Encoder> = {
  jpeg: toJpeg,
  heif: toJpeg,
  png: toPng,
  gif: toPng,
  webp: toWebp,
};
