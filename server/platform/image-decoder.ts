// A separate process, started by `images.ts`: it reads strangers' files, so it can be killed, may crash, and knows no
// secret. It handles one image at a time, and ends with the server.
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import sharp, { type Sharp } from 'sharp';
import { limits } from '#domain/limits.ts';
import type { ImageKind } from './image-kind.ts';

/** A stored image: re-encoded, upright, without metadata. */
export type ReadImage = {
  bytes: Buffer;
  contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  widthPx: number;
  heightPx: number;
};

export type Job = { bytes: Buffer; kind: ImageKind; maxMemoryBytes: number };

/** `outOfMemory`: the decode cannot be cancelled; kill the process. */
export type Answer =
  | { said: 'image'; image: ReadImage }
  | { said: 'notAnImage' | 'tooLarge' | 'outOfMemory'; reason: string };

export type Ready = { said: 'ready' };

const MEMORY_LOOKED_AT_EVERY_MS = 20;

// Only the decoders of accepted kinds: SVG, TIFF and PDF stay blocked whatever the bytes are.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((decoder) => `VipsForeignLoad${decoder}Buffer`),
});
// Every image is read once: a cache would only keep borrowers' documents in memory.
sharp.cache(false);

class TooLarge extends Error {}

async function answer({ bytes, kind }: Job): Promise<Answer> {
  try {
    return { said: 'image', image: await readStrictly(bytes, kind) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { said: error instanceof TooLarge ? 'tooLarge' : 'notAnImage', reason };
  }
}

/**
 * Some phones' JPEG headers and some colour profiles only cause warnings: then it is enough that nothing is missing.
 */
const HARMLESS = /extraneous bytes before marker|Invalid SOS parameters|Warning treated as error/;
const INCOMPLETE = /premature end/i;

async function readStrictly(bytes: Buffer, kind: ImageKind): Promise<ReadImage> {
  await requireHeader(bytes, kind);
  try {
    return await encodeAnew(bytes, kind, 'warning');
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (!HARMLESS.test(message) || INCOMPLETE.test(message)) throw error;
    return encodeAnew(bytes, kind, 'truncated');
  }
}

/** Checks the header alone, before any pixel is decoded. It may lie, which the time and memory limits catch. */
async function requireHeader(bytes: Buffer, kind: ImageKind): Promise<void> {
  const header = sharp(bytes, { failOn: 'none', limitInputPixels: false });
  const { format, width, height, pages = 1 } = await header.metadata();
  // The decoder inspects the content too; if it sees another kind than we did, the file is a disguise.
  if (format !== kind) throw new Error(`looks like ${kind}, reads as ${format}`);
  const isHeif = kind === 'heif';
  const pixels = width * height * (isHeif ? 1 : pages);
  const isTooLarge =
    Math.max(width, height) > limits.documentMaxSidePx ||
    pixels > (isHeif ? limits.documentMaxPixelsHeif : limits.documentMaxPixels);
  if (isTooLarge) throw new TooLarge(`${width} × ${height} × ${pages} pixels`);
}

async function encodeAnew(bytes: Buffer, kind: ImageKind, failOn: 'warning' | 'truncated') {
  const edge = limits.documentLongEdgeMaxPx;
  const upright = sharp(bytes, { failOn, limitInputPixels: limits.documentMaxPixels, sequentialRead: true })
    .autoOrient()
    .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  const encoder = encoders[kind];
  const { data, info } = await encoder.encode(upright).toBuffer({ resolveWithObject: true });
  return { bytes: data, contentType: encoder.contentType, widthPx: info.width, heightPx: info.height };
}

type Encoder = { contentType: ReadImage['contentType']; encode: (image: Sharp) => Sharp };

/** Enough to read the small print on an identity card. */
const QUALITY = 85;

const toJpeg: Encoder = {
  contentType: 'image/jpeg',
  encode: (image) => image.flatten({ background: '#ffffff' }).jpeg({ quality: QUALITY }),
};
const toPng: Encoder = { contentType: 'image/png', encode: (image) => image.png() };
const toWebp: Encoder = { contentType: 'image/webp', encode: (image) => image.webp({ quality: QUALITY }) };

const encoders = { jpeg: toJpeg, heif: toJpeg, png: toPng, gif: toPng, webp: toWebp };

const say = (words: Answer | Ready) => void process.send?.(words);

/** The decoders' memory is native, so no flag of Node bounds it. */
function watchMemory(maxBytes: number): NodeJS.Timeout {
  const timer = setInterval(() => {
    const usedBytes = process.memoryUsage.rss();
    if (usedBytes <= maxBytes) return;
    clearInterval(timer);
    say({ said: 'outOfMemory', reason: `${Math.round(usedBytes / 1024 ** 2)} MB of memory` });
  }, MEMORY_LOOKED_AT_EVERY_MS);
  return timer;
}

process.on('message', async (job: Job) => {
  const watch = watchMemory(job.maxMemoryBytes);
  const answered = await answer(job);
  clearInterval(watch);
  say(answered);
});

// The server is gone. A running decoder would delay an orderly exit.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A terminal or service manager signals the whole process group: the server ends us after the running requests.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

// Lowest priority, and the first to be killed if memory runs out, where the system allows it.
try {
  os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {}
say({ said: 'ready' });
