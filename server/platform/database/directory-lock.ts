import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { codeOf, longestAddressBytes, unlessCode } from '#server/platform/file-system.ts';

/** Bytes that a lock's temporary name adds. */
const suffixBytes = 7;

/** A holder that takes longer to answer still holds the lock; only its name is unknown. */
const answerWithinMs = 3_000;

type Release = () => Promise<void>;

/**
 * Locks `directory` for this process: the embedded engine would let two processes overwrite each other. The lock is a
 * listening socket, `<directory>.lock`. The kernel frees it however the process ends, it can be asked who holds it, and
 * it works between containers that share a volume, where process ids mean nothing. Throws a one-line error that names
 * the directory and the process that holds it.
 */
export async function lockDirectory(directory: string): Promise<Release> {
  const place = placeBeside(directory) ?? placeInTemp(directory);
  try {
    return await lockAt(place, directory);
  } catch (error) {
    place.close();
    if (!isUnsupported(error)) throw error;
    return lockAt(placeInTemp(directory), directory);
  }
}

/** `address` is the lock's path in a form short enough; `close` frees what that form needs. */
type Place = { address: string; close(): void };

/** A long path is reached through the open parent directory, which Linux names in `/proc`. */
function placeBeside(directory: string): Place | undefined {
  const lock = `${realPath(directory)}.lock`;
  if (fits(lock)) return { address: lock, close() {} };
  if (process.platform !== 'linux') return undefined;
  const parent = fs.openSync(path.dirname(lock), 'r');
  const place = {
    address: `/proc/self/fd/${parent}/${path.basename(lock)}`,
    close: () => fs.closeSync(parent),
  };
  if (fits(place.address)) return place;
  place.close();
  return undefined;
}

/**
 * Locks on file systems without sockets. It guards only against processes with the same temporary directory.
 */
function placeInTemp(directory: string): Place {
  const name = hash('sha256', realPath(directory)).slice(0, 16);
  return { address: path.join(os.tmpdir(), `hiram-${name}.lock`), close() {} };
}

const fits = (address: string) => Buffer.byteLength(address) + suffixBytes <= longestAddressBytes;

const realPath = (directory: string) =>
  fs.existsSync(directory) ? fs.realpathSync(directory) : path.resolve(directory);

/**
 * The socket listens under a temporary name first and gets the lock's name by a hard link, which fails if the name is
 * taken. So the name never leads to a silent socket, and only one process gets it.
 */
async function lockAt(place: Place, directory: string): Promise<Release> {
  const lock = place.address;
  const own = privateName(lock);
  const server = await listen(own);
  try {
    while (!linked(own, lock)) await removeIfStale(lock, directory);
  } catch (error) {
    await closed(server);
    throw error;
  } finally {
    fs.rmSync(own, { force: true });
  }
  return async () => {
    fs.rmSync(lock, { force: true });
    await closed(server);
    place.close();
  };
}

/** Throws if the holder lives. The lock is moved aside and checked again, so that only a dead one is removed. */
async function removeIfStale(lock: string, directory: string): Promise<void> {
  const inode = inodeOf(lock);
  const holder = await askHolder(lock);
  if (holder !== undefined) throw new Error(`the data directory ${directory} is in use by ${holder}`);
  const aside = privateName(lock);
  if (!moved(lock, aside)) return;
  // Another process has taken the lock meanwhile, so it is put back.
  if (inodeOf(aside) !== inode) linked(aside, lock);
  fs.rmSync(aside, { force: true });
}

/** The process that holds the lock, in words; undefined if it has ended. */
function askHolder(lock: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = net.connect(lock);
    socket.setTimeout(answerWithinMs, () => socket.destroy());
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('close', () => resolve(answer ? `process ${answer}` : 'another process'));
    socket.on('error', (error) => {
      if (codeOf(error) === 'ECONNREFUSED' || codeOf(error) === 'ENOENT') resolve(undefined);
      else reject(error);
    });
  });
}

async function listen(address: string): Promise<net.Server> {
  const server = net.createServer((asker) => {
    asker.on('error', () => asker.destroy());
    asker.end(String(process.pid));
  });
  await once(server.listen(address), 'listening');
  return server.unref();
}

const closed = (server: net.Server) => new Promise<void>((resolve) => server.close(() => resolve()));

const privateName = (lock: string) => `${lock}-${randomBytes(3).toString('hex')}`;

/** Hard-links `name` to `existing`; false if the name is taken. */
const linked = (existing: string, name: string) => unlessCode('EEXIST', () => fs.linkSync(existing, name));

const moved = (from: string, to: string) => unlessCode('ENOENT', () => fs.renameSync(from, to));

const inodeOf = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.ino;

const isUnsupported = (error: unknown) =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL'].includes(String(codeOf(error)));
