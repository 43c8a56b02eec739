// A process of its own, started by `images.ts`: it reads what strangers send, so it can be killed, may crash, and knows
// no secret. It answers one image at a time, and ends with the server.
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import sharp, { type Sharp } from 'sharp';
import { limits } from '#domain/limits.ts';
import type { ImageKind } from './image-kind.ts';

/** An image as it is stored: encoded anew, upright, without metadata. */
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

// The decoders of the kinds that are taken, and no other: SVG, TIFF and PDF stay shut whatever the bytes look like.
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

/** Some phones' JPEG headers and some colour profiles only draw warnings: then it suffices that nothing is missing. */
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

/** Judges by the header alone, before a pixel is decoded. It may lie, which time and memory then find out. */
async function requireHeader(bytes: Buffer, kind: ImageKind): Promise<void> {
  const header = sharp(bytes, { failOn: 'none', limitInputPixels: false });
  const { format, width, height, pages = 1 } = await header.metadata();
  // The decoder looks at the content too; should it ever see another kind than we did, the file is a disguise.
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

/** Good enough to read the small print on an identity card. */
const QUALITY = 85;

const toJpeg: Encoder = {
  contentType: 'image/jpeg',
  encode: (image) => image.flatten({ background: '#ffffff' }).jpeg({ quality: QUALITY }),
};
const toPng: Encoder = { contentType: 'image/png', encode: (image) => image.png() };
const toWebp: Encoder = { contentType: 'image/webp', encode: (image) => image.webp({ quality: QUALITY }) };

const encoders = { jpeg: toJpeg, heif: toJpeg, png: toPng, gif: toPng, webp: toWebp };

const say = (words: Answer | Ready) => void process.send?.(words);

/** The decoders' memory is not the language's, so no flag of Node bounds it. */
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

// The server is gone, however it went. A decoder at work would hold up an orderly end.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Said to the whole group by a terminal or a service manager: the server ends us when it has answered what is under way.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

// Whoever waits for something else comes first, and short of memory this process is the one to lose: where that may be
// said at all.
try {
  os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {}
say({ said: 'ready' });
