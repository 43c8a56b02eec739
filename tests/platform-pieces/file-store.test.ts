import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  bucketOrDisk,
  createBucketFileStore,
  createDiskFileStore,
  FilesUnavailable,
  filesDirOf,
} from '#server/platform/file-store.ts';
import { newFileId } from '#server/platform/randomness.ts';
import { programOf } from '#tests/setup/program.ts';
import { temporaryDirectory } from '#tests/setup/temporary-directory.ts';

const bytes = Buffer.from('the bytes of a document');
const freshId = () => newFileId();

const hostileIds = [
  '',
  'short',
  '../../../../etc/passwd',
  '..%2f..%2f..%2fetc%2fpasswd',
  'aaaaaaaaaaaaaaaa/bbbb',
  'aaaaaaaaaaaaaaaa\0.jpg',
  'aaaaaaaaaaaaaaaa.jpg',
  'a'.repeat(65),
];

describe('the disk file store', () => {
  it('returns what was written, readable by its owner only, and leaves no drafts', async () => {
    const directory = path.join(temporaryDirectory(), 'data', 'files');
    const store = createDiskFileStore(directory);
    const id = freshId();
    await store.write(id, bytes);
    const stream = await store.read(id);
    expect(stream && (await buffer(stream))).toEqual(bytes);
    const folder = path.join(directory, id.slice(0, 2));
    expect(await readdir(folder)).toEqual([id]);
    expect((await stat(path.join(folder, id))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('answers undefined for an absent file, also after a removal, which can be repeated', async () => {
    const store = createDiskFileStore(temporaryDirectory());
    const id = freshId();
    expect(await store.read(id)).toBeUndefined();
    await store.write(id, bytes);
    await store.remove(id);
    await store.remove(id);
    expect(await store.read(id)).toBeUndefined();
  });

  it('removes with a file what an interrupted write of it left', async () => {
    const directory = temporaryDirectory();
    const store = createDiskFileStore(directory);
    const [id, other] = [freshId(), freshId()];
    const folder = path.join(directory, id.slice(0, 2));
    const neighbour = `${id.slice(0, 2)}${other.slice(2)}`;
    await store.write(id, bytes);
    await store.write(neighbour, bytes);
    await writeFile(path.join(folder, `${id}.0123-4567`), bytes.subarray(0, 5));
    await store.remove(id);
    expect(await readdir(folder)).toEqual([neighbour]);
  });

  it('reports a failing disk', async () => {
    const inTheWay = path.join(temporaryDirectory(), 'files');
    await writeFile(inTheWay, '');
    const store = createDiskFileStore(inTheWay);
    await expect(store.write(freshId(), bytes)).rejects.toThrow(FilesUnavailable);
    await expect(store.read(freshId())).rejects.toThrow(FilesUnavailable);
    await expect(store.remove(freshId())).rejects.toThrow(FilesUnavailable);
  });

  it('refuses to read a file of an unexpected size', async () => {
    const store = createDiskFileStore(temporaryDirectory());
    const id = freshId();
    await store.write(id, bytes);
    const stream = await store.read(id, bytes.length);
    expect(stream && (await buffer(stream))).toEqual(bytes);
    await expect(store.read(id, bytes.length + 1)).rejects.toThrow(FilesUnavailable);
    await expect(store.read(id, bytes.length - 1)).rejects.toThrow(FilesUnavailable);
    expect(await store.read(freshId(), 1)).toBeUndefined();
  });

  it('is never seen half written, and the last writer wins entirely', async () => {
    const directory = temporaryDirectory();
    const store = createDiskFileStore(directory);
    const id = freshId();
    const versions = Array.from({ length: 8 }, (_, version) => Buffer.alloc(300_000, version));
    await store.write(id, versions[0] ?? bytes);
    const writing = Promise.all(versions.map((version) => store.write(id, version)));
    for (let round = 0; round < 20; round += 1) {
      const stream = await store.read(id);
      const seen = stream ? await buffer(stream) : Buffer.alloc(0);
      expect(seen).toHaveLength(300_000);
      expect(new Set(seen).size).toBe(1);
    }
    await writing;
    expect(await readdir(path.join(directory, id.slice(0, 2)))).toEqual([id]);
  });

  it.each(hostileIds)('touches nothing for the id %j', async (id) => {
    const directory = temporaryDirectory();
    const store = createDiskFileStore(directory);
    await expect(store.write(id, bytes)).rejects.toThrow('not the id of a file');
    await expect(store.read(id)).rejects.toThrow('not the id of a file');
    await expect(store.remove(id)).rejects.toThrow('not the id of a file');
    expect(await readdir(directory)).toEqual([]);
  });
});

const credentials = { accessKeyId: 'AKIDSAMPLE', secretAccessKey: 'sample/secret+key', region: 'us-east-1' };

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

/** The signature that AWS Signature Version 4 prescribes for a request, computed apart from the library in use. */
function signatureOf(request: IncomingMessage, body: Buffer): string {
  const header = (name: string) => String(request.headers[name] ?? '');
  const signedNames = /SignedHeaders=([^,]+)/.exec(header('authorization'))?.[1] ?? '';
  const canonical = [
    request.method,
    request.url,
    '',
    ...signedNames.split(';').map((name) => `${name}:${header(name).trim()}`),
    '',
    signedNames,
    sha256(body),
  ].join('\n');
  const moment = header('x-amz-date');
  const scope = `${moment.slice(0, 8)}/${credentials.region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n');
  const key = scope
    .split('/')
    .reduce<Buffer>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      Buffer.from(`AWS4${credentials.secretAccessKey}`),
    );
  return createHmac('sha256', key).update(toSign).digest('hex');
}

type BucketServer = {
  endpoint: string;
  objects: Map<string, Buffer>;
  failNext: (status: number, times: number) => void;
};

/** An object storage with one bucket, `documents`, that refuses what is not signed properly. */
async function startBucket(): Promise<BucketServer> {
  const objects = new Map<string, Buffer>();
  let failing = { status: 0, times: 0 };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const answer = (status: number, content?: Buffer) => response.writeHead(status).end(content);
    if (failing.times > 0) {
      failing = { ...failing, times: failing.times - 1 };
      response.setHeader('location', 'http://127.0.0.1:9/elsewhere');
      return answer(failing.status);
    }
    if (!request.headers.authorization?.endsWith(`Signature=${signatureOf(request, body)}`))
      return answer(403);
    if (request.headers['x-amz-content-sha256'] !== sha256(body)) return answer(400);
    const key = request.url ?? '';
    if (!key.startsWith('/documents/')) return answer(404);
    if (request.method === 'PUT') {
      objects.set(key, body);
      return answer(200);
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return answer(204);
    }
    const found = objects.get(key);
    return found ? answer(200, found) : answer(404, Buffer.from('<Error><Code>NoSuchKey</Code></Error>'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    failNext: (status, times) => {
      failing = { status, times };
    },
  };
}

describe('the bucket file store', () => {
  it('writes, reads and removes with signed requests, the bucket in the path', async () => {
    const bucket = await startBucket();
    const store = createBucketFileStore({
      ...credentials,
      endpoint: `${bucket.endpoint}/`,
      name: 'documents',
    });
    const id = freshId();
    expect(await store.read(id)).toBeUndefined();
    await store.write(id, bytes);
    expect(bucket.objects.get(`/documents/${id}`)).toEqual(bytes);
    const stream = await store.read(id);
    expect(stream && (await buffer(stream))).toEqual(bytes);
    await expect(store.read(id, bytes.length + 1)).rejects.toThrow(FilesUnavailable);
    await store.remove(id);
    await store.remove(id);
    expect(bucket.objects.size).toBe(0);
  });

  it('takes over the documents of a disk, and later only what came meanwhile', async () => {
    const bucket = await startBucket();
    const dataDir = temporaryDirectory();
    const disk = createDiskFileStore(filesDirOf(dataDir));
    const [first, second] = [freshId(), freshId()];
    await disk.write(first, bytes);
    const copy = (settings: Record<string, string>) =>
      new Promise((resolve) => {
        const words = [...programOf('books/console'), 'documents-copy'];
        const env = { PATH: process.env.PATH, DATA_DIR: dataDir, ...settings };
        execFile(process.execPath, words, { env }, (error, out, err) =>
          resolve({ code: error?.code ?? 0, said: out + err }),
        );
      });
    const settings = {
      S3_ENDPOINT: bucket.endpoint,
      S3_BUCKET: 'documents',
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      S3_REGION: credentials.region,
    };
    expect(await copy({})).toEqual({ code: 1, said: expect.stringMatching(/^Set S3_ENDPOINT/) });
    expect(await copy(settings)).toEqual({ code: 0, said: '1 document copied; 0 lay there already.\n' });
    await disk.write(second, Buffer.from('later'));
    expect(await copy(settings)).toEqual({ code: 0, said: '1 document copied; 1 lay there already.\n' });
    expect(bucket.objects.get(`/documents/${first}`)).toEqual(bytes);
    expect(bucket.objects.get(`/documents/${second}`)?.toString()).toBe('later');
    // A bucket that refuses: said, and exit code 1.
    bucket.failNext(503, 9);
    expect(await copy(settings)).toMatchObject({ code: 1 });
  });

  it('retries a storage hiccup, and fails when it stays down', async () => {
    const bucket = await startBucket();
    const store = createBucketFileStore({ ...credentials, endpoint: bucket.endpoint, name: 'documents' });
    const id = freshId();
    bucket.failNext(503, 2);
    await store.write(id, bytes);
    expect(bucket.objects.size).toBe(1);
    bucket.failNext(503, 3);
    await expect(store.read(id)).rejects.toThrow('answered 503 to GET');
  });

  it('fails for a wrong key, a missing bucket and a redirect', async () => {
    const bucket = await startBucket();
    const id = freshId();
    const settings = { ...credentials, endpoint: bucket.endpoint, name: 'documents' };
    const wrongKey = createBucketFileStore({ ...settings, secretAccessKey: 'wrong' });
    await expect(wrongKey.write(id, bytes)).rejects.toThrow('answered 403 to PUT');
    await expect(wrongKey.read(id)).rejects.toThrow('answered 403 to GET');
    const nowhere = createBucketFileStore({ ...settings, name: 'elsewhere' });
    await expect(nowhere.write(id, bytes)).rejects.toThrow('answered 404 to PUT');
    bucket.failNext(307, 1);
    await expect(createBucketFileStore(settings).write(id, bytes)).rejects.toThrow();
    expect(bucket.objects.size).toBe(0);
  });

  it('reports unreachable storage', async () => {
    const store = createBucketFileStore({
      ...credentials,
      endpoint: 'http://127.0.0.1:9',
      name: 'documents',
    });
    await expect(store.write(freshId(), bytes)).rejects.toThrow(FilesUnavailable);
    await expect(store.read(freshId())).rejects.toThrow(FilesUnavailable);
    await expect(store.remove(freshId())).rejects.toThrow(FilesUnavailable);
  });

  it.each(['before its answer', 'within its answer'])('fails in time when storage hangs %s', async (when) => {
    const server = createServer((request, response) => {
      request.resume();
      if (when === 'within its answer') response.writeHead(200, { 'content-length': 100 }).write('half');
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store = createBucketFileStore({ ...credentials, endpoint, name: 'documents' }, 300);
    // The garbage collector loses now whatever only it can lose.
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const collecting = setInterval(collect, 5);
    onTestFinished(() => clearInterval(collecting));
    for (let round = 0; round < 5; round += 1) {
      const startMs = performance.now();
      await expect(store.read(freshId())).rejects.toThrow(FilesUnavailable);
      expect(performance.now() - startMs).toBeLessThan(3_000);
    }
  });

  it('sends nothing for an invalid id', async () => {
    const store = createBucketFileStore({
      ...credentials,
      endpoint: 'http://127.0.0.1:9',
      name: 'documents',
    });
    for (const id of hostileIds) await expect(store.write(id, bytes)).rejects.toThrow('not the id of a file');
  });
});

describe('bucketOrDisk', () => {
  it('uses the bucket if there is one, else the directory', async () => {
    const directory = temporaryDirectory();
    const bucket = await startBucket();
    const id = freshId();
    const settings = { ...credentials, endpoint: bucket.endpoint, name: 'documents' };
    await bucketOrDisk({ bucket: settings, directory }).write(id, bytes);
    expect(await readdir(directory)).toEqual([]);
    await bucketOrDisk({ directory }).write(id, bytes);
    expect(await readdir(directory)).toEqual([id.slice(0, 2)]);
  });
});
