import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { limits } from '#domain/limits.ts';
import { createBoundedQueue } from './bounded-queue.ts';
import type { Answer, Job, ReadImage, Ready } from './image-decoder.ts';
import { imageKindOf } from './image-kind.ts';

export type Images = {
  /**
   * Reads an upload (§photos) within bounds of pixels, time and memory. JPEG and HEIC become JPEG, PNG and GIF (its first
   * frame) PNG, WebP stays. Throws `NotAnImage`, `PictureTooLarge` or `ImagesBusy`. Waiting lanes take turns.
   */
  readImage(bytes: Buffer, lane?: string): Promise<ReadImage>;
  close(): void;
};

/** Not an image of a kind that is taken, or cut off, damaged or disguised. */
export class NotAnImage extends Error {
  constructor(cause?: unknown) {
    super('not an image', { cause });
    this.name = 'NotAnImage';
  }
}

/** More pixels than are taken, or more work than they promise. */
export class PictureTooLarge extends Error {
  constructor(cause: unknown) {
    super('too large a picture', { cause });
    this.name = 'PictureTooLarge';
  }
}

/** Nobody more may wait for an image to be decoded: 503, come back later. */
export class ImagesBusy extends Error {
  constructor() {
    super('too many images wait to be decoded');
    this.name = 'ImagesBusy';
  }
}

/** Two, so that one person's slow picture leaves a decoder for everybody else. */
const DECODERS = 2;
const DECODE_TIMEOUT_SECONDS = 15;
const START_TIMEOUT_SECONDS = 30;

/** The largest that is taken (16 bits a channel, interlaced) takes some 660 MB. */
const DECODE_MAX_MEMORY_BYTES = 900 * 1024 ** 2;

/** Each one that waits holds its upload in memory, up to 10 MB. */
const DEFAULT_WAITING = 24;

/** An idle decoder ends after this long: it holds 150 MB, and a new one starts in some tenths of a second. */
const IDLE_MS = 60_000;

type Bounds = {
  maxRunning?: number;
  maxWaiting?: number;
  timeoutSeconds?: number;
  maxMemoryBytes?: number;
};

export function createImages({
  maxRunning = DECODERS,
  maxWaiting = DEFAULT_WAITING,
  timeoutSeconds = DECODE_TIMEOUT_SECONDS,
  maxMemoryBytes = DECODE_MAX_MEMORY_BYTES,
}: Bounds = {}): Images {
  const queue = createBoundedQueue({ maxRunning, maxWaiting, full: () => new ImagesBusy() });
  const all = new Set<ChildProcess>();
  let isClosed = false;
  const idle = new Map<ChildProcess, NodeJS.Timeout>();

  async function startDecoder(): Promise<ChildProcess> {
    const decoder = isClosed ? undefined : forkDecoder();
    if (!decoder) throw new ImagesBusy();
    all.add(decoder);
    decoder.once('exit', () => {
      all.delete(decoder);
      clearTimeout(idle.get(decoder));
      idle.delete(decoder);
    });
    const { said } = await nextWords(decoder, START_TIMEOUT_SECONDS * 1000);
    if (said === 'ready') return decoder;
    decoder.kill('SIGKILL');
    all.delete(decoder);
    throw new ImagesBusy();
  }

  function awake(): ChildProcess | undefined {
    const [decoder] = idle.keys();
    if (!decoder) return undefined;
    clearTimeout(idle.get(decoder));
    idle.delete(decoder);
    return decoder;
  }

  async function decode(job: Job): Promise<Words> {
    const decoder = awake() ?? (await startDecoder());
    const answer = nextWords(decoder, timeoutSeconds * 1000);
    // What cannot be sent is not answered either.
    decoder.send(job, () => undefined);
    const words = await answer;
    const isFree = words.said === 'image' || words.said === 'notAnImage' || words.said === 'tooLarge';
    if (isFree && all.has(decoder))
      idle.set(decoder, setTimeout(() => decoder.kill('SIGKILL'), IDLE_MS).unref());
    else decoder.kill('SIGKILL');
    return words;
  }

  return {
    async readImage(bytes, lane) {
      const kind = bytes.length > limits.documentMaxBytes ? undefined : imageKindOf(bytes);
      if (!kind) throw new NotAnImage();
      const job = { bytes, kind, maxMemoryBytes };
      return queue.run(async () => {
        let words = await decode(job);
        // Perhaps it died of something else; an image that kills two is none.
        if (words.said === 'ended') words = await decode(job);
        if (words.said === 'image') return words.image;
        throw words.said === 'notAnImage' || words.said === 'ended'
          ? new NotAnImage(words.reason)
          : new PictureTooLarge(words.said === 'ready' ? undefined : words.reason);
      }, lane);
    },
    close() {
      isClosed = true;
      for (const decoder of all) decoder.kill('SIGKILL');
    },
  };
}

type Words = Answer | Ready | { said: 'outOfTime' | 'ended'; reason: string };

function nextWords(decoder: ChildProcess, timeoutMs: number): Promise<Words> {
  return new Promise((resolve) => {
    const hear = (words: Words) => {
      clearTimeout(timer);
      decoder.off('message', hear);
      decoder.off('exit', end);
      decoder.off('error', end);
      resolve(words);
    };
    const end = () => hear({ said: 'ended', reason: 'the decoder has ended' });
    const timer = setTimeout(() => hear({ said: 'outOfTime', reason: `${timeoutMs} ms` }), timeoutMs);
    decoder.on('message', hear);
    decoder.on('exit', end);
    decoder.on('error', end);
  });
}

/** Beside this file, in the sources and in a build. */
const isSource = import.meta.filename.endsWith('.ts');
const decoderFile = path.join(import.meta.dirname, `image-decoder${isSource ? '.ts' : '.js'}`);

/** Undefined when the machine lets no further process start, which is no fault of the image. */
function forkDecoder(): ChildProcess | undefined {
  // None of the server's settings: some are secrets.
  const { PATH, LD_LIBRARY_PATH, SystemRoot } = process.env;
  try {
    const decoder = fork(decoderFile, [], {
      // With an arena for every thread, glibc would keep four times what a decoder used last.
      env: { PATH, LD_LIBRARY_PATH, SystemRoot, MALLOC_ARENA_MAX: '1' },
      execArgv: isSource ? ['--import', 'tsx'] : [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    decoder.on('error', () => undefined);
    return decoder;
  } catch {
    return undefined;
  }
}
