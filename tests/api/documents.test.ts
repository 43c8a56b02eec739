import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { en } from '#contract/wording/en.ts';
import { limits } from '#domain/limits.ts';
import { createDiskRoom, NoRoom } from '#server/platform/disk-room.ts';
import { FilesUnavailable } from '#server/platform/file-store.ts';
import { runHousekeeping } from '#server/services/housekeeping-service.ts';
import { findFile, readStoredFiles } from '#server/store/document-store.ts';
import { accounts, files } from '#server/store/schema.ts';
import { refused } from '#tests/setup/caller.ts';
import { form, formWithFile, photo } from '#tests/setup/photo.ts';
import { passingServer, testServer } from '#tests/setup/test-server.ts';

const server = await testServer({ engine: 'postgres' });

const send = (token: string, { payload, headers }: ReturnType<typeof form>) =>
  server.as(token).uploadDocument({ rawBody: payload, headers });

/** Over 20 kB, however it is encoded. */
function noisyPhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  return sharp({ create: { width: 400, height: 400, channels: 3, background: '#123456', noise } })
    .jpeg()
    .toBuffer();
}

/** Every file that lies in the data directory, drafts too. */
const storedFiles = () => {
  const folder = path.join(server.dataDir, 'files');
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes(path.sep));
};

describe('an upload', () => {
  it('answers with its address and what it became', async () => {
    const borrower = await server.registerBorrower();
    const { status, body } = await send(
      borrower.token,
      formWithFile(await photo({ width: 80, height: 60 })),
    ).answer();
    expect(status).toBe(201);
    expect(body).toEqual({
      url: `/api/files/${body.id}`,
      id: expect.stringMatching(/^[A-Za-z0-9_-]{32}$/),
      contentType: 'image/jpeg',
      size: expect.any(Number),
      width: 80,
      height: 60,
    });
    const read = await borrower.readFile(body.id).answer();
    expect([read.status, read.bytes.length]).toEqual([200, body.size]);
    expect(await sharp(read.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 80, height: 60 });
  });

  it('keeps no metadata', async () => {
    const borrower = await server.registerBorrower();
    const withPlace = await sharp(await photo())
      .withExif({ IFD0: { Copyright: 'Maria' }, IFD3: { GPSLatitude: '14/1 35/1 0/1' } })
      .toBuffer();
    expect((await sharp(withPlace).metadata()).exif).toBeDefined();
    const { id } = await server.upload(borrower.token, withPlace);
    const { bytes } = await borrower.readFile(id).answer();
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    expect(bytes.includes('Maria')).toBe(false);
  });

  it.each(['jpeg', 'png', 'webp', 'gif'] as const)('may be %s, whatever its name says', async (format) => {
    const { token } = await server.registerBorrower();
    const image = await sharp(await photo())
      .toFormat(format)
      .toBuffer();
    const { status } = await send(
      token,
      form([
        { name: 'file', filename: '../../evil.php\u0000.svg', contentType: 'text/html', content: image },
      ]),
    ).answer();
    expect(status).toBe(201);
  });

  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['PDF', Buffer.from('%PDF-1.7\n1 0 obj')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    [
      'text that begins like a JPEG',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('no image')]),
    ],
  ])('of %s is a 415 and leaves nothing behind', async (_, content) => {
    const { token } = await server.registerBorrower();
    const before = storedFiles();
    const { status, body } = await send(token, formWithFile(content)).answer();
    expect([status, body.code]).toEqual([415, 'not_an_image']);
    expect(storedFiles()).toEqual(before);
  });

  it('that is cut off is a 415', async () => {
    const { token } = await server.registerBorrower();
    const whole = await noisyPhoto();
    await refused(send(token, formWithFile(whole.subarray(0, whole.length / 2))), 415);
  });

  it('beyond ten megabytes is a 413, announced or not', async () => {
    const { token } = await server.registerBorrower();
    const image = await photo();
    const tooLarge = Buffer.concat([image, Buffer.alloc(limits.documentMaxBytes - image.length + 1)]);
    const { payload, headers } = formWithFile(tooLarge);
    const answers = [
      await send(token, { payload, headers }).answer(),
      await send(token, {
        payload,
        headers: { ...headers, 'transfer-encoding': 'chunked', 'content-length': '' },
      }).answer(),
      await send(token, formWithFile(Buffer.alloc(limits.documentMaxBytes * 2))).answer(),
    ];
    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([413, 'too_large']);
      expect(body.message).toContain('10 MB');
    }
  });

  it('of exactly ten megabytes is taken', async () => {
    const { token } = await server.registerBorrower();
    const image = await photo();
    const exact = Buffer.concat([image, Buffer.alloc(limits.documentMaxBytes - image.length)]);
    expect((await send(token, formWithFile(exact)).answer()).status).toBe(201);
  });

  it.each([
    ['without any part', form([])],
    ['without a file', form([{ name: 'note', content: 'hello' }])],
    ['with text in the part', form([{ name: 'file', content: 'hello' }])],
    [
      'with another name',
      form([{ name: 'photo', filename: 'a.jpg', contentType: 'image/jpeg', content: 'x' }]),
    ],
    ['with an empty file', formWithFile(Buffer.alloc(0))],
  ])('%s is a 400 that names the field', async (_, body) => {
    const { token } = await server.registerBorrower();
    const answer = await send(token, body).answer();
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect(answer.body.errors).toHaveProperty('file');
  });

  it('of two files is a 400', async () => {
    const { token } = await server.registerBorrower();
    const content = await photo();
    const part = { name: 'file', filename: 'a.jpg', contentType: 'image/jpeg', content };
    await refused(send(token, form([part, part])), 400);
  });

  it('that breaks off is a 400', async () => {
    const { token } = await server.registerBorrower();
    const { payload, headers } = formWithFile(await photo());
    for (const end of [40, 200, payload.length - 10]) {
      const { status } = await send(token, { payload: payload.subarray(0, end), headers }).answer();
      expect(status, String(end)).toBe(400);
    }
    const noBoundary = await send(token, {
      payload,
      headers: { 'content-type': 'multipart/form-data' },
    }).answer();
    expect([400, 415]).toContain(noBoundary.status);
  });

  it('that is no form is a 415', async () => {
    const borrower = await server.registerBorrower();
    const asJson = await server.call(api.uploadDocument, { token: borrower.token, anyBody: { file: 'x' } });
    expect([asJson.status, asJson.body.code]).toEqual([415, 'unsupported_media_type']);
    await refused(
      borrower.uploadDocument({ rawBody: await photo(), headers: { 'content-type': 'image/jpeg' } }),
      415,
    );
  });

  it('of a visitor is a 401', async () => {
    const { payload, headers } = formWithFile(await photo());
    await refused(server.visitor.uploadDocument({ rawBody: payload, headers }), 401);
  });

  it('leaves no file behind when its row cannot be written', async () => {
    const { token } = await server.registerBorrower();
    const before = storedFiles();
    const database = {
      ...server.database,
      transaction: () => Promise.reject(new Error('the row cannot be written')),
    };
    const { files, secrets } = server.deps;
    const broken = await passingServer({ deps: { database, files, secrets } });
    const { payload, headers } = formWithFile(await photo());
    const answer = await broken.app.inject({
      method: 'POST',
      url: '/api/upload',
      payload,
      headers: { ...headers, authorization: `Bearer ${token}` },
    });
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('cannot be written');
    expect(broken.takeErrors()).toHaveLength(1);
    expect(storedFiles()).toEqual(before);
  });
});

describe('photos that nobody has attached', () => {
  const isThere = async (token: string, { id }: { id: string }) =>
    (await server.as(token).readFile(id).answer()).status === 200;
  const hasFile = ({ id }: { id: string }) => storedFiles().some((name) => name.endsWith(id));

  async function uploadSome(token: string, count: number) {
    const photos = [];
    for (let n = 0; n < count; n += 1) {
      server.clock.advance({ seconds: 1 });
      photos.push(await server.upload(token));
    }
    return photos as [(typeof photos)[number], ...typeof photos];
  }

  it('are at most twelve of one account: the oldest goes, and none that is attached or another’s', async () => {
    const borrower = await server.registerBorrower();
    const other = await server.registerBorrower();
    const [attached] = await uploadSome(borrower.token, 1);
    await borrower.updateProfile({ idFrontUrl: attached.url });
    const [others] = await uploadSome(other.token, 1);
    const [oldest, second, ...rest] = await uploadSome(borrower.token, limits.unusedDocumentsPerAccount);
    expect(await isThere(borrower.token, oldest)).toBe(true);

    const [newest] = await uploadSome(borrower.token, 1);
    expect([await isThere(borrower.token, oldest), hasFile(oldest)]).toEqual([false, false]);
    expect(await server.database.read((reader) => findFile(reader, oldest.id))).toBeUndefined();
    await refused(borrower.updateProfile({ selfieUrl: oldest.url }), 400, 'foreign_document');
    for (const kept of [attached, second, ...rest, newest]) {
      expect([kept && (await isThere(borrower.token, kept)), kept && hasFile(kept)]).toEqual([true, true]);
    }
    expect(await isThere(other.token, others)).toBe(true);
  });

  it('are at most sixty megabytes of one account', async () => {
    const borrower = await server.registerBorrower();
    const photos = await uploadSome(borrower.token, 3);
    const [attached, large, small] = photos;
    await borrower.updateProfile({ idFrontUrl: attached.url });
    // Only the sizes in the rows matter here: sixty real megabytes would take a minute.
    const sizes = [
      [attached, 2 ** 30] as const,
      [large, limits.unusedDocumentsPerAccountMaxBytes - 5_000] as const,
    ];
    for (const [photo, bytes] of sizes) {
      await server.database.transaction((tx) =>
        tx
          .update(files)
          .set({ sizeBytes: bytes })
          .where(eq(files.id, photo?.id ?? '')),
      );
    }
    const [fits] = await uploadSome(borrower.token, 1);
    const hasRow = async ({ id = '' } = {}) =>
      (await server.database.read((reader) => findFile(reader, id))) !== undefined;
    expect(await Promise.all([...photos, fits].map(hasRow))).toEqual([true, true, true, true]);
    const { payload, headers } = formWithFile(await noisyPhoto());
    await borrower.uploadDocument({ rawBody: payload, headers });
    expect(await Promise.all([...photos, fits].map(hasRow))).toEqual([true, false, true, true]);
    expect(small && hasFile(small)).toBe(true);
  });

  it('are not dropped while they are being attached', async () => {
    const { token, id: memberId } = await server.registerBorrower();
    const staff = await server.signInMainAdmin();
    const [oldest] = await uploadSome(staff, limits.unusedDocumentsPerAccount);
    const attaching = server.main.updateMember(memberId, { selfieUrl: oldest.url }).answer();
    const [newest, attached] = await Promise.all([server.upload(staff), attaching]);
    expect(await isThere(staff, newest)).toBe(true);
    // Either came first; a member with a photo that is not there would be neither.
    if (attached.status === 200) expect(await isThere(token, oldest)).toBe(true);
    else expect([attached.body.code, hasFile(oldest)]).toEqual(['foreign_document', false]);
  });

  it('are not dropped when they were attached while the new one waited for their row', async () => {
    const { id: memberId } = await server.registerBorrower();
    const staff = await server.signInMainAdmin();
    const [oldest] = await uploadSome(staff, limits.unusedDocumentsPerAccount);
    const uploading = sleep(100).then(() => server.upload(staff));
    await server.database.transaction(async (tx) => {
      await tx.select().from(files).where(eq(files.id, oldest.id)).for('update');
      await sleep(800);
      await tx.update(accounts).set({ selfieFileId: oldest.id }).where(eq(accounts.id, memberId));
    });
    await uploading;
    expect([await isThere(staff, oldest), hasFile(oldest)]).toEqual([true, true]);
  });

  it('are found by housekeeping when the process dies before their bytes are gone', async () => {
    const borrower = await server.registerBorrower();
    const [oldest] = await uploadSome(borrower.token, limits.unusedDocumentsPerAccount);
    const { remove } = server.deps.files;
    server.deps.files.remove = () => Promise.reject(new FilesUnavailable(new Error('not now')));
    try {
      await uploadSome(borrower.token, 1);
    } finally {
      server.deps.files.remove = remove;
    }
    expect(hasFile(oldest)).toBe(true);
    const late = await borrower.updateProfile({ selfieUrl: oldest.url }).answer();
    expect(late.body.code).toBe('foreign_document');
    await runHousekeeping(server.deps);
    expect([hasFile(oldest), await isThere(borrower.token, oldest)]).toEqual([false, false]);
  });
});

describe('a disk with little room', () => {
  it('takes no photo into the room reserved for the database, says so, and keeps serving', async () => {
    let freeBytes = limits.diskReserveBytes - 1;
    const room = createDiskRoom({ freeBytes: async () => freeBytes, reserveBytes: limits.diskReserveBytes });
    const full = await passingServer({ engine: 'postgres', deps: { room } });
    const borrower = await full.registerBorrower();
    const { payload: rawBody, headers } = formWithFile(await noisyPhoto());
    const upload = () => borrower.uploadDocument({ rawBody, headers });
    const told = { code: 'storage_full', message: en.errors.storage_full };
    expect(await refused(upload(), 507)).toEqual(told);
    // Room for the reserve, and not for the photo as well.
    freeBytes = limits.diskReserveBytes + 10_000;
    await refused(upload(), 507);
    expect(await full.database.read(readStoredFiles)).toEqual([]);
    await full.registerBorrower();
    freeBytes = limits.diskReserveBytes + 1_000_000;
    expect((await upload().answer()).status).toBe(201);
    expect(full.takeErrors()).toEqual([
      expect.stringContaining('MB free'),
      expect.stringContaining('MB free'),
    ]);
  });

  it('counts what is being written', async () => {
    const room = createDiskRoom({ freeBytes: async () => 100, reserveBytes: 40 });
    let finish = () => {};
    const first = room.take(50, () => new Promise<void>((resolve) => (finish = resolve)));
    await expect(room.take(20, async () => 1)).rejects.toBeInstanceOf(NoRoom);
    finish();
    await first;
    expect(await room.take(20, async () => 1)).toBe(1);
  });
});

describe('reading a document', () => {
  it('is for its owner and staff only', async () => {
    const { token } = await server.registerBorrower();
    const other = await server.registerBorrower();
    const admin = await server.createAdmin();
    const { id } = await server.upload(token);
    const read = (reader?: string) => server.as(reader).readFile(id);
    await read(token);
    await read(admin.token);
    await refused(read(), 401);
    const foreign = await read(other.token).answer();
    const absent = await other.readFile('A'.repeat(32)).answer();
    expect([foreign.status, foreign.text]).toEqual([404, absent.text]);
  });

  it('is for the member it is attached to when staff uploaded it', async () => {
    const { token, id: memberId } = await server.registerBorrower();
    const other = await server.registerBorrower();
    const staff = await server.signInMainAdmin();
    const { url, id } = await server.upload(staff);
    const read = async (reader: string) => (await server.as(reader).readFile(id).answer()).status;
    expect(await read(token)).toBe(404);
    await server.main.updateMember(memberId, { selfieUrl: url });
    expect(await read(token)).toBe(200);
    expect(await read(other.token)).toBe(404);
  });

  it('is for staff from an allowed address only', async () => {
    const { token } = await server.registerBorrower();
    const { id } = await server.upload(token);
    const staff = await server.signInMainAdmin();
    await server.main.addAllowedIp({ ipAddress: '127.0.0.1' });
    const read = (reader: string, address: string) => server.as(reader).readFile(id, { address });
    expect((await read(staff, '198.51.100.1').answer()).body.code).toBe('ip_not_allowed');
    await read(staff, '127.0.0.1');
    await read(token, '198.51.100.1');
  });

  it('serves images that cannot run anything', async () => {
    const borrower = await server.registerBorrower();
    const { id, size } = await server.upload(borrower.token);
    const { headers } = await borrower.readFile(id).answer();
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(size),
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it.each([
    ['shorter', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['empty', () => Buffer.alloc(0)],
    ['longer', (bytes: Buffer) => Buffer.concat([bytes, bytes])],
  ])('that is %s on disk than its row says is a 503, before anything of it is sent', async (_, change) => {
    const borrower = await server.registerBorrower();
    const { id } = await server.upload(borrower.token);
    const file = path.join(server.dataDir, 'files', id.slice(0, 2), id);
    fs.writeFileSync(file, change(fs.readFileSync(file)));
    const { status, body, headers } = await borrower.readFile(id).answer();
    expect([status, body.code]).toEqual([503, 'documents_unavailable']);
    expect(headers['content-type']).toMatch(/^application\/json/);
    // Whoever takes their data with them gets what is whole, and is not told that this is there.
    const archive = await borrower.downloadOwnArchive({ password: borrower.password }).answer();
    expect(archive.status).toBe(200);
    expect(archive.bytes.includes(`unused-${id}`)).toBe(false);
    expect(server.takeErrors()).toEqual([expect.stringContaining('bytes')]);
  });

  it.each(['x', '..%2F..%2Fetc%2Fpasswd', 'A'.repeat(65), 'a.b', '%00'.repeat(16)])(
    'with the id %s is a 404',
    async (id) => {
      const { token } = await server.registerBorrower();
      const { statusCode } = await server.app.inject({
        url: `/api/files/${id}`,
        headers: { authorization: `Bearer ${token}` },
      });
      expect(statusCode).toBe(404);
    },
  );
});

describe('housekeeping', () => {
  it('removes uploads that were attached to nothing for a day, and no others', async () => {
    const borrower = await server.registerBorrower();
    const attached = await server.upload(borrower.token);
    const unused = await server.upload(borrower.token);
    await borrower.updateProfile({ idFrontUrl: attached.url });
    server.clock.advance({ hours: limits.unusedDocumentHours });
    const fresh = await server.upload(borrower.token);
    server.clock.advance({ ms: 1 });
    await runHousekeeping(server.deps);
    const read = async (id: string) => (await borrower.readFile(id).answer()).status;
    expect([await read(attached.id), await read(unused.id), await read(fresh.id)]).toEqual([200, 404, 200]);
    expect(await server.database.read((reader) => findFile(reader, unused.id))).toBeUndefined();
    expect(storedFiles().some((name) => name.endsWith(unused.id))).toBe(false);
  });
});
