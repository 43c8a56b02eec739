import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '#domain/limits.ts';
import { createBoundedQueue, Overloaded } from './bounded-queue.ts';
import type { Answer, Job, ReadImage, Ready } from './image-decoder.ts';
import { imageKindOf } from './image-kind.ts';

export type Images = ReturnType<typeof createImages>;

/** The bytes are not an accepted kind of image, or truncated, damaged or disguised. */
export class NotAnImage extends Error {
  override readonly name = 'NotAnImage';
}

/** More pixels than accepted, or more work than they promise. */
export class PictureTooLarge extends Error {
  override readonly name = 'PictureTooLarge';
}

const START_TIMEOUT_MS = 30_000;

/** An idle decoder ends after this long: it uses 150 MB, and a new one starts in some tenths of a second. */
const IDLE_MS = 60_000;

const usualBounds = {
  /** One person's slow picture leaves a decoder for everybody else. */
  maxRunning: 2,
  /** Each waiting upload holds up to 10 MB in memory. */
  maxWaiting: 24,
  timeoutSeconds: 15,
  /** The largest accepted image (16 bits a channel, interlaced) takes some 660 MB. */
  maxMemoryBytes: 900 * 1024 ** 2,
};

export function createImages(bounds: Partial<typeof usualBounds> = {}) {
  const { timeoutSeconds, maxMemoryBytes, ...places } = { ...usualBounds, ...bounds };
  const queue = createBoundedQueue(places);
  const all = new Set<ChildProcess>();
  let isClosed = false;
  const idle = new Map<ChildProcess, NodeJS.Timeout>();

  async function startDecoder(): Promise<ChildProcess> {
    const decoder = isClosed ? undefined : forkDecoder();
    if (!decoder) throw new Overloaded('no decoder can be started');
    all.add(decoder);
    decoder.once('exit', () => {
      all.delete(decoder);
      wake(decoder);
    });
    const { said } = await nextWords(decoder, START_TIMEOUT_MS);
    if (said === 'ready') return decoder;
    decoder.kill('SIGKILL');
    // A process that could not be started emits no exit.
    all.delete(decoder);
    throw new Overloaded('no decoder can be started');
  }

  function wake(decoder: ChildProcess): ChildProcess {
    clearTimeout(idle.get(decoder));
    idle.delete(decoder);
    return decoder;
  }

  async function decode(job: Job): Promise<Words> {
    const [sleeping] = idle.keys();
    const decoder = sleeping ? wake(sleeping) : await startDecoder();
    const answer = nextWords(decoder, timeoutSeconds * 1000);
    // If it cannot be sent, no answer comes either.
    decoder.send(job, () => undefined);
    const words = await answer;
    const isFree = words.said === 'image' || words.said === 'notAnImage' || words.said === 'tooLarge';
    if (isFree && all.has(decoder))
      idle.set(decoder, setTimeout(() => decoder.kill('SIGKILL'), IDLE_MS).unref());
    else decoder.kill('SIGKILL');
    return words;
  }

  return {
    /**
     * Reads an upload (§photos) within limits of pixels, time and memory. JPEG and HEIC become JPEG, PNG and GIF (first
     * frame) PNG; WebP stays. Throws `NotAnImage`, `PictureTooLarge` or `Overloaded`. Waiting lanes take turns.
     */
    async readImage(bytes: Buffer, lane?: string): Promise<ReadImage> {
      const kind = bytes.length > limits.documentMaxBytes ? undefined : imageKindOf(bytes);
      if (!kind) throw new NotAnImage('of no kind that is taken');
      const job = { bytes, kind, maxMemoryBytes };
      return queue.run(async () => {
        let words = await decode(job);
        // It may have died of something else; an image that kills two decoders is refused.
        if (words.said === 'ended') words = await decode(job);
        if (words.said === 'image') return words.image;
        const reason = 'reason' in words ? words.reason : undefined;
        const isDamaged = words.said === 'notAnImage' || words.said === 'ended';
        throw isDamaged ? new NotAnImage(reason) : new PictureTooLarge(reason);
      }, lane);
    },
    close(): void {
      isClosed = true;
      for (const decoder of all) decoder.kill('SIGKILL');
    },
  };
}

type Words = Answer | Ready | { said: 'outOfTime' | 'ended'; reason: string };

function nextWords(decoder: ChildProcess, timeoutMs: number): Promise<Words> {
  const heard = new AbortController();
  const { signal } = heard;
  const ended: Words = { said: 'ended', reason: 'the decoder has ended' };
  const late: Words = { said: 'outOfTime', reason: `${timeoutMs} ms` };
  const words = Promise.race([
    once(decoder, 'message', { signal }).then(([said]): Words => said),
    once(decoder, 'exit', { signal }).then(() => ended),
    sleep(timeoutMs, late, { signal }),
  ]);
  return words.catch(() => ended).finally(() => heard.abort());
}

/** The program is beside this file, in the sources and in a build. */
const isSource = import.meta.filename.endsWith('.ts');
const decoderFile = path.join(import.meta.dirname, `image-decoder${isSource ? '.ts' : '.js'}`);

/** Undefined if the machine cannot start another process, which is not the image's fault. */
function forkDecoder(): ChildProcess | undefined {
  // None of the server's settings: some are secrets.
  const { PATH, LD_LIBRARY_PATH, SystemRoot } = process.env;
  try {
    const decoder = fork(decoderFile, [], {
      // With an arena for every thread, glibc would keep four times the memory last used.
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
