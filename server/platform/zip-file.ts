import { crc32, createDeflateRaw } from 'node:zlib';

/** A file of an archive: bytes that are at hand, stored as they are, or what is still being read or made, compressed. */
export type ZipEntry = { name: string } & ({ bytes: Buffer } | { content: Content });

type Content = AsyncIterable<string | Buffer>;

/** What the directory at the end tells of an entry. */
type Listed = {
  name: Buffer;
  flags: number;
  method: number;
  crc: number;
  packedBytes: number;
  plainBytes: number;
  offset: number;
};

const versionNeeded = 20;
const stored = 0;
const deflated = 8;
/** Names are UTF-8; checksum and sizes follow the content of what was not known beforehand. */
const utf8Names = 0x0800;
const sizesFollow = 0x0008;
const largest = 0xffff_ffff;

/**
 * A ZIP archive (PKWARE's APPNOTE 6.3, without the 64-bit extension), piece by piece as somebody reads it, so that no more
 * than a piece of it is in memory. Throws a RangeError when it grows beyond what the plain form can hold.
 */
export async function* zipPieces(entries: AsyncIterable<ZipEntry>, madeAt: Date): AsyncGenerator<Buffer> {
  const stamp = dosMoment(madeAt);
  const listed: Listed[] = [];
  let offset = 0;
  const counted = (piece: Buffer) => {
    offset += piece.length;
    if (offset > largest) throw new RangeError('the archive is larger than its form can hold');
    return piece;
  };

  for await (const entry of entries) {
    const name = Buffer.from(entry.name);
    const at = offset;
    if ('bytes' in entry) {
      const { bytes } = entry;
      const size = { crc: crc32(bytes), packedBytes: bytes.length, plainBytes: bytes.length };
      const one = { name, flags: utf8Names, method: stored, offset: at, ...size };
      listed.push(one);
      yield counted(entryHead(one, stamp));
      yield counted(bytes);
      continue;
    }
    const flags = utf8Names | sizesFollow;
    const nothing = { crc: 0, packedBytes: 0, plainBytes: 0 };
    const one = { name, flags, method: deflated, offset: at, ...nothing };
    yield counted(entryHead(one, stamp));
    for await (const piece of packed(entry.content, one)) yield counted(piece);
    listed.push(one);
    yield counted(numbers([4, 0x0807_4b50], [4, one.crc], [4, one.packedBytes], [4, one.plainBytes]));
  }
  const directory = Buffer.concat(listed.map((one) => directoryLine(one, stamp)));
  yield Buffer.concat([directory, directoryEnd(listed.length, directory.length, offset)]);
}

/** The content compressed; what became of it is written into `one`. */
async function* packed(content: Content, one: Listed): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw();
  const feeding = feed(content, one, deflate);
  // Told to the reader by the stream's own error.
  feeding.catch((error: Error) => deflate.destroy(error));
  try {
    for await (const piece of deflate as AsyncIterable<Buffer>) {
      one.packedBytes += piece.length;
      yield piece;
    }
    await feeding;
  } finally {
    deflate.destroy();
  }
}

async function feed(
  content: Content,
  one: Listed,
  deflate: ReturnType<typeof createDeflateRaw>,
): Promise<void> {
  for await (const part of content) {
    if (deflate.destroyed) return;
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    one.crc = crc32(bytes, one.crc);
    one.plainBytes += bytes.length;
    if (!deflate.write(bytes)) await roomIn(deflate);
  }
  deflate.end();
}

/** Resolves when there is room again, or nobody reads any more. */
const roomIn = (deflate: ReturnType<typeof createDeflateRaw>) =>
  new Promise<void>((resolve) => {
    const go = () => {
      deflate.off('drain', go);
      deflate.off('close', go);
      resolve();
    };
    deflate.once('drain', go);
    deflate.once('close', go);
  });

const entryHead = ({ name, flags, method, crc, packedBytes, plainBytes }: Listed, stamp: DosMoment) =>
  Buffer.concat([
    numbers(
      [4, 0x0403_4b50],
      [2, versionNeeded],
      [2, flags],
      [2, method],
      [2, stamp.time],
      [2, stamp.date],
      [4, crc],
      [4, packedBytes],
      [4, plainBytes],
      [2, name.length],
      [2, 0],
    ),
    name,
  ]);

const directoryLine = (one: Listed, stamp: DosMoment) =>
  Buffer.concat([
    numbers(
      [4, 0x0201_4b50],
      [2, versionNeeded],
      [2, versionNeeded],
      [2, one.flags],
      [2, one.method],
      [2, stamp.time],
      [2, stamp.date],
      [4, one.crc],
      [4, one.packedBytes],
      [4, one.plainBytes],
      [2, one.name.length],
      // No extra field, no comment, first disk, no attributes.
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, one.offset],
    ),
    one.name,
  ]);

const directoryEnd = (count: number, bytes: number, offset: number) =>
  numbers([4, 0x0605_4b50], [2, 0], [2, 0], [2, count], [2, count], [4, bytes], [4, offset], [2, 0]);

/** Whole numbers, the lowest byte first, each in so many bytes. */
function numbers(...parts: [bytes: 2 | 4, value: number][]): Buffer {
  const buffer = Buffer.alloc(parts.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of parts) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}

type DosMoment = { time: number; date: number };

/** UTC, to two seconds: the form has no time zone. */
function dosMoment(at: Date): DosMoment {
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  };
}
