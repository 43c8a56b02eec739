import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { type ZipEntry, zipPieces } from '#server/platform/zip-file.ts';
import { readZip } from '#tests/setup/zip.ts';

const madeAt = new Date('2026-11-20T05:57:26Z');

async function* entriesOf(...entries: ZipEntry[]) {
  yield* entries;
}

async function* pieces(...texts: string[]) {
  yield* texts;
}

const archive = (entries: AsyncIterable<ZipEntry>) => buffer(Readable.from(zipPieces(entries, madeAt)));

describe('an archive', () => {
  it('gives back what was put in, under its name', async () => {
    const picture = randomBytes(300_000);
    const files = readZip(
      await archive(
        entriesOf(
          { name: 'README.txt', bytes: Buffer.from('Ñ ₱') },
          { name: 'documents/larawan ñ.jpg', bytes: picture },
          { name: 'data.json', content: pieces('{"name": "', 'Ñusta 😀', '"}\n') },
          { name: 'nothing.txt', bytes: Buffer.alloc(0) },
          { name: 'no-text.txt', content: pieces() },
        ),
      ),
    );
    expect([...files.keys()]).toEqual([
      'README.txt',
      'documents/larawan ñ.jpg',
      'data.json',
      'nothing.txt',
      'no-text.txt',
    ]);
    expect(files.get('README.txt')?.toString()).toBe('Ñ ₱');
    expect(files.get('documents/larawan ñ.jpg')?.equals(picture)).toBe(true);
    expect(JSON.parse(String(files.get('data.json')))).toEqual({ name: 'Ñusta 😀' });
    expect(files.get('nothing.txt')).toHaveLength(0);
    expect(files.get('no-text.txt')).toHaveLength(0);
  });

  it('is readable when there is nothing in it', async () => {
    expect(readZip(await archive(entriesOf())).size).toBe(0);
  });

  it('compresses text as it is made, and makes no more than is read', async () => {
    let made = 0;
    async function* endless() {
      for (;;) {
        made += 1;
        yield `${randomBytes(48_000).toString('base64')}\n`;
      }
    }
    const reading = zipPieces(entriesOf({ name: 'endless', content: endless() }), madeAt);
    for (let read = 0; read < 5; read += 1) await reading.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(made).toBeLessThan(20);
    await reading.return(undefined);
    const madeByThen = made;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(made).toBeLessThanOrEqual(madeByThen + 1);
  });

  it('breaks off where an entry cannot be read', async () => {
    async function* broken() {
      yield 'a beginning';
      throw new Error('the books are out of reach');
    }
    await expect(archive(entriesOf({ name: 'data.json', content: broken() }))).rejects.toThrow(
      'out of reach',
    );
  });
});
