import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { FilesUnavailable } from '#server/platform/file-store.ts';
import { storeDocument } from '#server/services/document-service.ts';
import { findCaller } from '#server/services/session-service.ts';
import { readStoredFiles } from '#server/store/document-store.ts';
import { gate } from '#tests/setup/gate.ts';
import { formWithFile, photo } from '#tests/setup/photo.ts';
import { keepSteadyHouse } from '#tests/setup/steady-house.ts';
import { passingServer, testServer } from '#tests/setup/test-server.ts';

/**
 * These tests cut an upload or its removal short at any point, and expect housekeeping
 * to take away what is left.
 */
const server = await testServer();

const folder = path.join(server.dataDir, 'files');
const storedNames = () =>
  (fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
    .filter((name) => name.includes(path.sep))
    .map((name) => path.basename(name));
const rows = () => server.database.read(readStoredFiles);

/** The process never gets beyond this: it was killed in it. */
const death = () => new Promise<never>(() => {});

/** The upload of a process that dies on its way: it is never answered, so nobody waits for it. */
async function uploadWith(token: string, parts: Partial<Deps>): Promise<void> {
  const deps = { ...server.deps, ...parts };
  const caller = await findCaller(server.deps, token, { address: '127.0.0.1', isAddressKnown: true });
  void storeDocument(deps, caller, await photo());
}

const { files } = server.deps;

/** Resolves when the piece of work before the death is done. */
function dyingAfter<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>) {
  const { open: tell, passed: reached } = gate();
  const dying = async (...args: Args) => {
    await work(...args);
    tell();
    return death();
  };
  return { dying, reached };
}

describe('an upload whose process was killed', () => {
  const points: [name: string, work: Deps['files']['write'], left: number][] = [
    ['before the bytes', async () => {}, 0],
    ['in the middle of them', writeHalf, 1],
    ['after them', (id, bytes) => files.write(id, bytes), 1],
  ];

  it.each(points)('%s leaves nothing that housekeeping does not find', async (_, work, left) => {
    const { token } = await server.registerBorrower();
    const before = storedNames().length;
    const { dying, reached } = dyingAfter(work);
    await uploadWith(token, { files: { ...files, write: dying } });
    await reached;
    expect(storedNames()).toHaveLength(before + left);
    expect(await rows()).toHaveLength(1);

    server.clock.advance({ hours: limits.unusedDocumentHours });
    await keepSteadyHouse(server.deps);
    expect(await rows()).toHaveLength(1);
    server.clock.advance({ ms: 1 });
    await keepSteadyHouse(server.deps);
    expect(await rows()).toEqual([]);
    expect(storedNames()).toHaveLength(before);
  });

  async function writeHalf(id: string, bytes: Uint8Array): Promise<void> {
    const inner = path.join(folder, id.slice(0, 2));
    fs.mkdirSync(inner, { recursive: true });
    fs.writeFileSync(path.join(inner, `${id}.0123-4567`), bytes.subarray(0, bytes.length / 2));
  }
});

describe('housekeeping', () => {
  it('that was killed between bytes and row takes up where it was', async () => {
    const borrower = await server.registerBorrower();
    const { id } = await server.upload(borrower.token);
    server.clock.advance({ hours: limits.unusedDocumentHours, ms: 1 });
    const { dying, reached } = dyingAfter((one: string) => files.remove(one));
    void keepSteadyHouse({ ...server.deps, files: { ...files, remove: dying } });
    await reached;
    expect(await rows()).toHaveLength(1);
    // Nobody can attach a file while it is being cleared away: it would be a document without a picture.
    const body = { selfieUrl: `/api/files/${id}` };
    expect((await borrower.updateProfile(body).answer()).body.code).toBe('foreign_document');
    await keepSteadyHouse(server.deps);
    expect(await rows()).toEqual([]);
  });

  it('goes on after a file that cannot be removed, and comes back for it', async () => {
    const { token } = await server.registerBorrower();
    const before = storedNames().length;
    const ids = [];
    for (let n = 0; n < 4; n += 1) ids.push((await server.upload(token)).id);
    const [stuck] = ids.sort();
    server.clock.advance({ hours: limits.unusedDocumentHours, ms: 1 });
    const warnings: unknown[] = [];
    const stubborn = async (id: string) => {
      if (id === stuck) throw new FilesUnavailable(new Error('not now'));
      await files.remove(id);
    };
    await keepSteadyHouse({
      ...server.deps,
      files: { ...files, remove: stubborn },
      log: { ...server.deps.log, warn: (details: unknown) => void warnings.push(details) } as never,
    });
    expect((await rows()).map(({ id }) => id)).toEqual([stuck]);
    expect(warnings).toHaveLength(1);
    await keepSteadyHouse(server.deps);
    expect(await rows()).toEqual([]);
    expect(storedNames()).toHaveLength(before);
  });

  it('leaves alone what an account has, however old, also when it moves to another place', async () => {
    const borrower = await server.registerBorrower();
    const { url } = await server.upload(borrower.token);
    await borrower.updateProfile({ idFrontUrl: url });
    server.clock.advance({ days: 2 });
    await keepSteadyHouse(server.deps);
    await borrower.updateProfile({ idBackUrl: url });
    await keepSteadyHouse(server.deps);
    expect(await rows()).toHaveLength(1);
    // Replaced, it is what housekeeping removes, and nobody can take it back.
    const fresh = await server.upload(borrower.token);
    await borrower.updateProfile({ idFrontUrl: fresh.url, idBackUrl: fresh.url });
    const again = await borrower.updateProfile({ selfieUrl: url }).answer();
    expect(again.body.code).toBe('foreign_document');
    await keepSteadyHouse(server.deps);
    expect((await rows()).map(({ id }) => id)).toEqual([fresh.id]);
  });
});

describe('a file store out of reach', () => {
  it('is a 503 in words, leaves no row, and is told to whoever can mend it', async () => {
    const outOfReach = () => Promise.reject(new FilesUnavailable(new Error('ENOSPC')));
    let write: Deps['files']['write'] = outOfReach;
    const store = {
      write: (id: string, bytes: Uint8Array) => write(id, bytes),
      read: outOfReach,
      remove: async () => {},
    };
    const broken = await passingServer({ deps: { files: store } });
    const borrower = await broken.registerBorrower();
    const { payload: rawBody, headers } = formWithFile(await photo());
    const refused = await borrower.uploadDocument({ rawBody, headers }).answer();
    expect([refused.status, refused.body]).toEqual([
      503,
      { code: 'documents_unavailable', message: en.errors.documents_unavailable },
    ]);
    expect(await broken.database.read(readStoredFiles)).toEqual([]);
    write = async () => {};
    const { id } = await broken.upload(borrower.token);
    const unread = await borrower.readFile(id).answer();
    expect([unread.status, unread.body.code]).toEqual([503, 'documents_unavailable']);
    expect(broken.takeErrors()).toEqual([
      expect.stringContaining('ENOSPC'),
      expect.stringContaining('ENOSPC'),
    ]);
  });
});
