import { hash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import { ifMissing } from './file-system.ts';

/** Borrowers' documents (§reading-a-photo), by the ids of `newFileId`. Every method may throw `FilesUnavailable`. */
export type FileStore = {
  /** Once it resolves the bytes survive a power cut. */
  write(id: string, bytes: Uint8Array): Promise<void>;
  /** Undefined if there is no such file. Throws if its size is not `sizeBytes`, if given. */
  read(id: string, sizeBytes?: number): Promise<Readable | undefined>;
  /** Also removes what an interrupted write left. No error if there is none. */
  remove(id: string): Promise<void>;
};

/** The disk is full or broken, or the bucket is unreachable. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable';

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the file store is unavailable: ${reason}`, { cause });
  }
}

export type BucketSettings = {
  endpoint: string;
  name: string;
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
};

export function bucketOrDisk(where: { bucket?: BucketSettings; directory: string }): FileStore {
  return where.bucket ? createBucketFileStore(where.bucket) : createDiskFileStore(where.directory);
}

export const filesDirOf = (dataDir: string) => path.join(dataDir, 'files');

/** Base64url has neither a dot nor a slash, so a valid id can never lead out of the directory. */
const ID_SHAPE = /^[A-Za-z0-9_-]{16,64}$/;

export const isFileId = (name: string): boolean => ID_SHAPE.test(name);

function checkId(id: string): void {
  if (!isFileId(id)) throw new RangeError('not the id of a file');
}

/** Folders are named by the first two characters of the id, so that none grows too large. */
export function diskFileOf(directory: string, id: string): string {
  checkId(id);
  return path.resolve(directory, id.slice(0, 2), id);
}

/** Every failure is `FilesUnavailable`, except for an invalid id. */
function checked(store: FileStore): FileStore {
  async function guard<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    checkId(id);
    try {
      return await work();
    } catch (error) {
      throw new FilesUnavailable(error);
    }
  }
  return {
    write: (id, bytes) => guard(id, () => store.write(id, bytes)),
    read: (id, sizeBytes) => guard(id, () => store.read(id, sizeBytes)),
    remove: (id) => guard(id, () => store.remove(id)),
  };
}

export function createDiskFileStore(directory: string): FileStore {
  return checked({
    async write(id, bytes) {
      const file = diskFileOf(directory, id);
      const folder = path.dirname(file);
      const firstCreated = await mkdir(folder, { recursive: true, mode: 0o700 });
      // A new folder is only as durable as its entry in its parent.
      if (firstCreated !== undefined) {
        for (let made = folder; made.length >= firstCreated.length; made = path.dirname(made)) {
          await syncFolder(path.dirname(made));
        }
      }
      const draft = `${file}.${randomUUID()}`;
      try {
        await writeFile(draft, bytes, durably);
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      await syncFolder(folder);
    },

    async read(id, sizeBytes) {
      const handle = await open(diskFileOf(directory, id), 'r').catch(ifMissing);
      if (!handle) return undefined;
      try {
        requireSize((await handle.stat()).size, sizeBytes);
      } catch (error) {
        await handle.close();
        throw error;
      }
      return handle.createReadStream();
    },

    async remove(id) {
      const { dir, base } = path.parse(diskFileOf(directory, id));
      const names = (await readdir(dir).catch(ifMissing)) ?? [];
      for (const name of names) {
        const isDraft = name.startsWith(`${base}.`);
        if (name === base || isDraft) await rm(path.join(dir, name), { force: true });
      }
    },
  });
}

function requireSize(foundBytes: number, sizeBytes: number | undefined): void {
  if (sizeBytes === undefined || foundBytes === sizeBytes) return;
  throw new Error(`a document has ${foundBytes} bytes where it should have ${sizeBytes}`);
}

/** Readable by its owner only, and on the disk when the write resolves. */
export const durably = { flag: 'wx', mode: 0o600, flush: true } as const;

/** Makes the names in it as durable as the files. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const BUCKET_TIMEOUT_MS = 15_000;
const BUCKET_RETRIES = 2;

/** An S3-compatible bucket, addressed as `endpoint/bucket/id`, which every such service accepts. */
export function createBucketFileStore(settings: BucketSettings, timeoutMs = BUCKET_TIMEOUT_MS): FileStore {
  const client = new AwsClient({
    accessKeyId: settings.accessKeyId,
    secretAccessKey: settings.secretAccessKey,
    region: settings.region,
    service: 's3',
    retries: BUCKET_RETRIES,
  });
  const base = `${settings.endpoint.replace(/\/+$/, '')}/${encodeURIComponent(settings.name)}`;

  /** The bytes that a GET found, else undefined. A 404 is no error unless it answers a PUT: then the bucket is missing. */
  const send = (method: 'GET' | 'PUT' | 'DELETE', id: string, bytes?: Uint8Array) =>
    inTime(timeoutMs, async (signal) => {
      const response = await client.fetch(`${base}/${id}`, {
        method,
        // The signature would not cover the body without its hash.
        headers: { 'x-amz-content-sha256': hash('sha256', bytes ?? '') },
        ...(bytes ? { body: Buffer.from(bytes) } : {}),
        redirect: 'error',
        signal,
      });
      // The file is read in full: a slow reader must not hold the bucket's connection beyond the timeout.
      if (response.ok && method === 'GET') return Buffer.from(await response.arrayBuffer());
      await response.body?.cancel();
      if (response.ok) return undefined;
      if (response.status === 404 && method !== 'PUT') return undefined;
      throw new Error(`the object storage answered ${response.status} to ${method}`);
    });

  return checked({
    write: async (id, bytes) => void (await send('PUT', id, bytes)),
    remove: async (id) => void (await send('DELETE', id)),
    async read(id, sizeBytes) {
      const bytes = await send('GET', id);
      if (bytes) requireSize(bytes.length, sizeBytes);
      return bytes && Readable.from([bytes]);
    },
  });
}

/**
 * Fails if the work takes too long, even if it ignores the signal. `AbortSignal.timeout` alone can be lost: a request
 * references it weakly, and once it is collected nothing ends the wait.
 */
async function inTime<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`no answer within ${timeoutMs} ms`);
      reject(error);
      controller.abort(error);
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
