import { crc32, inflateRawSync } from 'node:zlib';

/** The files of a ZIP archive by their names, in their order. Throws where a size or a checksum is not as it says. */
export function readZip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  if (end < 0) throw new Error('no directory at the end of the archive');
  const count = archive.readUInt16LE(end + 10);
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let number = 0; number < count; number += 1) {
    if (archive.readUInt32LE(at) !== 0x0201_4b50) throw new Error(`no entry ${number} in the directory`);
    const method = archive.readUInt16LE(at + 10);
    const crc = archive.readUInt32LE(at + 16);
    const packedBytes = archive.readUInt32LE(at + 20);
    const plainBytes = archive.readUInt32LE(at + 24);
    const nameBytes = archive.readUInt16LE(at + 28);
    const head = archive.readUInt32LE(at + 42);
    const name = archive.toString('utf8', at + 46, at + 46 + nameBytes);
    if (archive.readUInt32LE(head) !== 0x0403_4b50) throw new Error(`${name} has no head`);
    const start = head + 30 + archive.readUInt16LE(head + 26) + archive.readUInt16LE(head + 28);
    const packed = archive.subarray(start, start + packedBytes);
    const plain = method === 8 ? inflateRawSync(packed) : packed;
    if (plain.length !== plainBytes || crc32(plain) !== crc) throw new Error(`${name} is damaged`);
    files.set(name, plain);
    at += 46 + nameBytes;
  }
  if (at + archive.readUInt16LE(end + 20) !== end) throw new Error('the directory is not where it says');
  return files;
}
