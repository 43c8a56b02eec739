import { createHash, hash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, realpath, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { StringDecoder } from 'node:string_decoder';
import * as z from 'zod/mini';
import { findBuildFolders } from '#server/build-folders.ts';
import type { Config } from '#server/config.ts';
import { createDeps, type Deps } from '#server/deps.ts';
import {
  type ConsoleCall,
  counted,
  createProgress,
  Refusal,
  readWords,
  type Say,
  withFolders,
} from '#server/platform/console-text.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import {
  createDiskFileStore,
  diskFileOf,
  durably,
  type FileStore,
  syncFolder,
} from '#server/platform/file-store.ts';
import { codeOf } from '#server/platform/file-system.ts';
import { noteBackup } from '#server/platform/last-backup.ts';
import {
  createSecretBox,
  findSecretBox,
  findSecretKey,
  fingerprintOfKey,
  KEY_FILE,
  keepSecretKey,
  secretKeyOf,
  withoutSecrets,
} from '#server/platform/secret-box.ts';
import { forgetChecks } from '#server/store/check-store.ts';
import { readStoredFiles } from '#server/store/document-store.ts';
import { writeAsStored } from '#server/store/edition-store.ts';
import { eraseLiveAccess } from '#server/store/erasure-store.ts';
import { holdMessages } from '#server/store/message-store.ts';
import { hasMigration, migrateDatabase, readMigration } from '#server/store/migrate.ts';
import { findNewestSeal } from './audit-seals.ts';
import {
  findFilledTable,
  inOneLongTransaction,
  inSnapshot,
  insertRowLines,
  lockTables,
  readRowLines,
  readSequences,
  readTables,
  restartSequences,
  type Table,
  vacuumTables,
} from './backup-rows.ts';
import { verifyAndTell } from './verify.ts';

/** Raise it if older backups can no longer be read. */
const formatVersion = 1;

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const name = z.string().check(z.regex(/^\w+$/));
const count = z.int().check(z.nonnegative());

/** `manifest.json`: written last, so a folder without one is no backup. */
const Manifest = z.object({
  format: z.literal(formatVersion),
  madeAt: z.iso.datetime(),
  migration: name,
  /** Parents first. `tables/accounts.ndjson` has the rows of `accounts`. */
  tables: z.array(
    z.object({
      name,
      columns: z.array(z.object({ name, type: z.string() })),
      key: z.array(name),
      rows: count,
      sha256,
    }),
  ),
  sequences: z.array(z.object({ name, next: z.string().check(z.regex(/^\d+$/)) })),
  /** Listed in `documents.ndjson`. */
  documents: z.object({ count, sha256 }),
  /**
   * The fingerprint of the key that sealed the secrets. The key itself is in
   * `secret.key` only with `--with-key`.
   */
  keyFingerprint: z.nullable(z.string()),
  newestSeal: z.nullable(z.object({ number: count, hash: sha256 })),
  /** HMAC of everything else. Older versions, and servers without a key, wrote none. */
  mac: z.optional(z.nullable(sha256)),
});

type Manifest = z.output<typeof Manifest>;

const DocumentLine = z.object({ id: z.string(), sizeBytes: count, sha256 });

const placesIn = (folder: string) => ({
  manifest: path.join(folder, 'manifest.json'),
  tables: path.join(folder, 'tables'),
  table: (tableName: string) => path.join(folder, 'tables', `${tableName}.ndjson`),
  documentList: path.join(folder, 'documents.ndjson'),
  documents: path.join(folder, 'documents'),
});

type Request = { folder: string; withKey: boolean; migrations: string };

/** Copies one snapshot of all tables, and their documents. Only the embedded engine blocks others. */
export async function backUp(deps: Deps, { folder, withKey, migrations }: Request, say: Say) {
  const secretKey = findSecretKey(deps.config);
  if (withKey && !secretKey) throw new Refusal('There is no secret key yet that could go into the backup.');
  await prepareFolder(folder);
  const { files, ...copied } = await inSnapshot(deps.database, (reader) =>
    copyRows(reader, folder, migrations, say),
  );

  // After the rows, which hold the snapshot open. Documents never change; only those in use are missed, since others
  // may be deleted meanwhile.
  const lostDocuments: string[] = [];
  const to = createDiskFileStore(placesIn(folder).documents);
  async function* copyDocuments() {
    for (const { id, sizeBytes, isInUse } of files) {
      const bytes = await bytesOf(deps.files, id);
      if (bytes?.length === sizeBytes) {
        await to.write(id, bytes);
        yield [JSON.stringify({ id, sizeBytes, sha256: sha256Of(bytes) })];
      } else if (isInUse) {
        lostDocuments.push(id);
      }
    }
  }
  const told = telling(copyDocuments(), say, (written) => `documents: ${counted(written, 'file')} …`);
  const documents = await writeLines(placesIn(folder).documentList, told);

  if (withKey && secretKey) keepSecretKey(folder, secretKey);
  const manifest = {
    ...copied,
    madeAt: deps.clock.now().toISOString(),
    documents,
    keyFingerprint: secretKey ? fingerprintOfKey(secretKey) : null,
  };
  await writeManifest(folder, manifest, secretKey);
  await noteBackup(deps.config.dataDir, deps.clock.now());
  return {
    rows: rowsIn(manifest),
    documents: documents.count,
    /** Documents in use that the file store lacks or has changed. */
    lostDocuments,
    isProvable: secretKey !== undefined,
  };
}

const rowsIn = ({ tables }: Pick<Manifest, 'tables'>) => tables.reduce((sum, { rows }) => sum + rows, 0);

async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const isEmpty = (await readdir(folder)).length === 0;
    if (!isEmpty) throw new Refusal(`${folder} is not empty: a backup needs a folder of its own.`);
    await mkdir(placesIn(folder).tables, { mode: 0o700 });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`The folder ${folder} cannot be used: ${reason}.`);
  }
}

async function copyRows(reader: Reader, folder: string, migrations: string, say: Say) {
  const places = placesIn(folder);
  const tables: Manifest['tables'] = [];
  for (const table of await readTables(reader)) {
    const line = (rows: number) => `${table.name}: ${counted(rows, 'row')} …`;
    const batches = telling(readRowLines(reader, table), say, line);
    const written = await writeLines(places.table(table.name), batches);
    tables.push({ ...table, rows: written.count, sha256: written.sha256 });
  }
  await syncFolder(places.tables);
  const seal = await findNewestSeal(reader);
  return {
    migration: await readMigration(reader, migrations),
    tables,
    sequences: await readSequences(reader),
    newestSeal: seal ? { number: seal.number, hash: seal.hash } : null,
    files: await readStoredFiles(reader),
  };
}

/**
 * Restores a backup into an empty database of either engine. It checks the MAC and everything in the manifest, writes
 * the documents, then all rows in one transaction, which reads them back and compares them line by line, and erases
 * sessions, codes and stored replies. Later migrations run last, so that a backup of an older version can be used.
 * `withKey` uses the key in the folder, which anybody who can write there could have replaced. `withoutKey` restores
 * without proof: the key is lost, or the backup is from an older version. A `Refusal` leaves the tables empty.
 */
export async function restore(deps: Deps, request: Request & { withoutKey: boolean }, say: Say) {
  const { folder, withKey, withoutKey, migrations } = request;
  const brought = withKey ? await readBroughtKey(folder) : undefined;
  const present = findSecretKey(deps.config);
  if (present && brought && !present.equals(brought)) {
    throw new Refusal('Another secret key is in use here than the one in the backup: take one of them away.');
  }
  const secretKey = present ?? brought;
  const { manifest, isProved } = await readManifest(folder, secretKey);
  const isKeyRight = secretKey !== undefined && fingerprintOfKey(secretKey) === manifest.keyFingerprint;
  if (!isProved) {
    if (!withoutKey) throw new Refusal(unproved(folder, manifest, secretKey && { isKeyRight }));
    say(withoutProof);
  }
  await checkBackup(folder, manifest, say);
  if (!hasMigration(migrations, manifest.migration)) {
    throw new Refusal('The backup was made by a newer version of Hiram: use that one.');
  }
  await migrateDatabase(deps.database, migrations, manifest.migration);
  await deps.database.read(async (reader) => refuseUnlessEmpty(await readTables(reader), reader));

  if (brought && !deps.config.secretKey) keepSecretKey(deps.config.dataDir, brought);
  await putDocumentsBack(deps.files, folder, manifest, say);
  await inOneLongTransaction(deps.database, (tx) => restoreRows(tx, folder, manifest, deps.clock.now(), say));
  await migrateDatabase(deps.database, migrations);
  // Where the book was before, it may go on: nothing is sent from here until the main admin says so.
  await deps.database.transaction((tx) => holdMessages(tx, deps.clock.now()));
  await vacuumTables(deps.database);
  return { rows: rowsIn(manifest), documents: manifest.documents.count, isKeyRight };
}

const withoutProof =
  'WITHOUT THE KEY nothing proves this backup: whoever could write to its folder may have put other balances, passwords, bank accounts or admins into it.';

function unproved(folder: string, manifest: Manifest, key: { isKeyRight: boolean } | undefined): string {
  const asItIs = '--without-key restores it all the same, if you trust whoever could write to the folder.';
  if (!manifest.mac) {
    return `Nothing proves that ${folder} is as it was written: it is from an older version, was made without the key, or was edited. ${asItIs}`;
  }
  if (key?.isKeyRight)
    return `${folder} was edited: its manifest.json is not as the server wrote it. ${asItIs}`;
  const present = key ? 'Another secret key is in use here' : 'There is no secret key here';
  return `${present}, and only the one that the backup was made with can prove it: put that into DATA_DIR/secret.key, or set SECRET_KEY. --with-key takes the one in the folder, if nobody else could write there. If the key is lost: ${asItIs}`;
}

const keyFileMaxBytes = 1024;

async function readBroughtKey(folder: string): Promise<Buffer> {
  const file = path.join(folder, KEY_FILE);
  const text = await readRegularFile(folder, file, keyFileMaxBytes).catch(() => {
    throw new Refusal(`There is no secret key in ${folder}.`);
  });
  return secretKeyOf(text.toString('utf8'), file);
}

async function checkBackup(folder: string, manifest: Manifest, say: Say): Promise<void> {
  const drain = async (batches: AsyncIterable<readonly unknown[]>, what: (done: number) => string) => {
    for await (const _ of telling(batches, say, (done) => `Checking the backup: ${what(done)} …`));
  };
  for (const table of manifest.tables) await drain(readTableLines(folder, table), () => table.name);
  await drain(readDocuments(folder, manifest), (done) => counted(done, 'document'));
}

async function putDocumentsBack(files: FileStore, folder: string, manifest: Manifest, say: Say) {
  const line = (written: number) => `documents: ${counted(written, 'file')} written …`;
  for await (const documents of telling(readDocuments(folder, manifest), say, line)) {
    for (const { id, bytes } of documents) {
      // A document never changes: a different one under its id is damaged.
      if (!(await bytesOf(files, id))?.equals(bytes)) await files.write(id, bytes);
    }
  }
}

async function refuseUnlessEmpty(tables: readonly Table[], reader: Reader): Promise<void> {
  const filled = await findFilledTable(reader, tables);
  if (filled) {
    throw new Refusal(`The database is not empty: there are ${filled} in it. Restore into an empty one.`);
  }
}

async function restoreRows(tx: Tx, folder: string, manifest: Manifest, now: Date, say: Say): Promise<void> {
  const tables = await readTables(tx);
  const copies = tables.map((table) => {
    const copy = manifest.tables.find(({ name: copied }) => copied === table.name);
    if (!copy || JSON.stringify(copy.columns) !== JSON.stringify(table.columns)) {
      throw new Refusal(`The database’s table ${table.name} is not the one of the backup.`);
    }
    return { table, copy };
  });
  if (tables.length !== manifest.tables.length) throw new Refusal('The backup has other tables.');
  await lockTables(tx, tables);
  await writeAsStored(tx);
  // Again, now that nobody else can write.
  await refuseUnlessEmpty(tables, tx);
  for (const { table, copy } of copies) {
    const line = (rows: number) => `${table.name}: ${counted(rows, 'row')} written …`;
    for await (const lines of telling(readTableLines(folder, copy), say, line))
      await insertRowLines(tx, table, lines);
  }
  await restartSequences(tx, manifest.sequences);
  for (const { table, copy } of copies) await compareRows(tx, table, readTableLines(folder, copy), say);
  await eraseLiveAccess(tx);
  // A backup of an earlier version has no such table.
  const has = (table: string) => manifest.tables.some(({ name }) => name === table);
  if (has('message_gates')) await holdMessages(tx, now);
  if (has('book_checks')) await forgetChecks(tx);
}

async function compareRows(tx: Tx, table: Table, batches: AsyncIterable<string[]>, say: Say): Promise<void> {
  const line = (rows: number) => `${table.name}: ${counted(rows, 'row')} compared …`;
  const written = singly(telling(readRowLines(tx, table), say, line));
  let row = 0;
  for await (const expected of singly(batches)) {
    row += 1;
    if ((await written.next()).value !== expected)
      throw new Error(`row ${row} of ${table.name} is not as it is in the backup`);
  }
  if (!(await written.next()).done) throw new Error(`${table.name} has more rows than the backup`);
}

async function* singly(batches: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield* batch;
}

async function* telling<Batch extends readonly unknown[]>(
  batches: AsyncIterable<Batch>,
  say: Say,
  line: (total: number) => string,
): AsyncGenerator<Batch> {
  const progress = createProgress(say);
  let total = 0;
  for await (const batch of batches) {
    total += batch.length;
    progress(line(total));
    yield batch;
  }
}

const readTableLines = (folder: string, { name: table, rows, sha256: hash }: Manifest['tables'][number]) =>
  readLines(folder, placesIn(folder).table(table), { count: rows, sha256: hash });

/** Larger than any stored picture. */
const documentMaxBytes = 64 * 1024 * 1024;

async function* readDocuments(folder: string, manifest: Manifest) {
  const { documentList, documents } = placesIn(folder);
  for await (const line of singly(readLines(folder, documentList, manifest.documents))) {
    const told = DocumentLine.safeParse(jsonOf(line));
    if (!told.success) throw damaged(documentList);
    const { id } = told.data;
    const read = async () => readRegularFile(folder, diskFileOf(documents, id), documentMaxBytes);
    const bytes = await read().catch(() => undefined);
    if (!bytes || sha256Of(bytes) !== told.data.sha256) throw damaged(`document ${id}`);
    yield [{ id, bytes }];
  }
}

async function bytesOf(files: FileStore, id: string): Promise<Buffer | undefined> {
  const stream = await files.read(id);
  return stream && buffer(stream);
}

const damaged = (what: string) => new Refusal(`The backup is damaged: ${what} is not as it was written.`);

const manifestMaxBytes = 1024 * 1024;

/** Covers every value, and through the hashes all files. */
const macOf = (rest: object, secretKey: Buffer) =>
  createSecretBox(secretKey).fingerprint(JSON.stringify(rest), 'backup manifest');

/** Writes the manifest under another name and renames it, so that nobody ever reads half of one. */
async function writeManifest(folder: string, told: Omit<Manifest, 'format' | 'mac'>, secretKey?: Buffer) {
  const rest = { format: formatVersion, ...told };
  const manifest = { ...rest, mac: secretKey ? macOf(rest, secretKey) : null };
  const file = placesIn(folder).manifest;
  await writeFile(`${file}.unfinished`, `${JSON.stringify(manifest, null, 2)}\n`, durably);
  await rename(`${file}.unfinished`, file);
  await syncFolder(folder);
}

async function readManifest(folder: string, secretKey?: Buffer) {
  const text = await readRegularFile(folder, placesIn(folder).manifest, manifestMaxBytes).catch((error) => {
    // `hiram restore` runs as the server's account, which may not read what root has copied here.
    const code = codeOf(error);
    const why = code === 'EACCES' ? ' by this account' : code === undefined ? '' : ` (${code})`;
    throw new Refusal(`${folder} is not a whole backup: it has no manifest.json that can be read${why}.`);
  });
  const written = jsonOf(text.toString('utf8'));
  const manifest = Manifest.safeParse(written);
  if (!manifest.success)
    throw new Refusal(
      `${folder} is not a backup that this version can read: its manifest.json is another one.`,
    );
  const { mac, ...rest } = written as Manifest;
  return { manifest: manifest.data, isProved: secretKey !== undefined && mac === macOf(rest, secretKey) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type LinesFile = { count: number; sha256: string };

export const sha256Of = (bytes: Uint8Array): string => hash('sha256', bytes);

async function writeLines(file: string, batches: AsyncIterable<readonly string[]>): Promise<LinesFile> {
  const hash = createHash('sha256');
  let lines = 0;
  async function* text() {
    for await (const batch of batches) {
      lines += batch.length;
      const part = batch.map((line) => `${line}\n`).join('');
      hash.update(part);
      yield part;
    }
  }
  await writeFile(file, text(), durably);
  return { count: lines, sha256: hash.digest('hex') };
}

const bytesAtATime = 256 * 1024;

/** We never wrote a longer line: it would fill the memory. */
const lineMaxLength = 16 * 1024 * 1024;

/** A file's lines in batches. Not `node:readline`, which would also split at U+2028, which JSON may contain. */
async function* readLines(folder: string, file: string, promised: LinesFile): AsyncGenerator<string[]> {
  const hash = createHash('sha256');
  const decoder = new StringDecoder('utf8');
  let lineCount = 0;
  let rest = '';
  try {
    const handle = await openRegularFile(folder, file);
    for await (const bytes of handle.createReadStream({ highWaterMark: bytesAtATime })) {
      hash.update(bytes);
      const lines = `${rest}${decoder.write(bytes)}`.split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > lineMaxLength) throw damaged(file);
      lineCount += lines.length;
      if (lines.length > 0) yield lines;
    }
  } catch {
    throw damaged(file);
  }
  const isWhole = rest === '' && lineCount === promised.count && hash.digest('hex') === promised.sha256;
  if (!isWhole) throw damaged(file);
}

/**
 * Somebody else may have put the file there: a FIFO would block for ever, a device is endless, a link may lead outside.
 */
async function openRegularFile(folder: string, file: string, maxBytes = Number.POSITIVE_INFINITY) {
  const { dir } = path.parse(file);
  if ((await realpath(dir)) !== path.join(await realpath(folder), path.relative(folder, dir))) {
    throw new Error(`${dir} leads out of ${folder}`);
  }
  // A FIFO would block the opening without O_NONBLOCK.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error(`${file} is no regular file`);
    if (found.size > maxBytes) throw new Error(`${file} has more than ${maxBytes} bytes`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads at most `maxBytes`, in case the file grows meanwhile. */
async function readRegularFile(folder: string, file: string, maxBytes: number): Promise<Buffer> {
  const handle = await openRegularFile(folder, file, maxBytes);
  return buffer(handle.createReadStream({ end: maxBytes }));
}

/** `npm run backup` and `npm run db:export`. */
export async function backUpAndTell(deps: Deps, { words, say }: ConsoleCall, command: string) {
  const { folder, withKey } = readWords(words, `npm run ${command} -- <folder> [--with-key]`);
  const request = { folder, withKey, migrations: findBuildFolders().migrations };
  const { rows, documents, lostDocuments, isProvable } = await backUp(deps, request, say);
  for (const id of lostDocuments)
    say(`Document ${id} is in use, and the file store does not have it as it was.`);
  say(`${counted(rows, 'row')} and ${counted(documents, 'document')} are in ${folder}.`);
  if (!isProvable) say('There is no secret key here: nothing proves later that this backup was not edited.');
  say(
    withKey
      ? 'The secret key is in it too: whoever has this folder can open issued passwords and one-time codes.'
      : 'The secret key is not in it: keep a copy of DATA_DIR/secret.key, or of SECRET_KEY, in another place.',
  );
  return lostDocuments.length === 0;
}

/** `npm run restore`, and `npm run db:import`, which restores into PostgreSQL. */
export async function restoreAndTell(
  config: Config,
  typed: readonly string[],
  say: Say,
  command: 'restore' | 'db:import',
): Promise<boolean> {
  if (command === 'db:import' && config.databaseUrl === undefined) {
    throw new Refusal('DATABASE_URL must name the PostgreSQL database to import into.');
  }
  const usage = `npm run ${command} -- <folder> [--with-key] [--without-key]`;
  const request = { ...readWords(withFolders(typed), usage), migrations: findBuildFolders().migrations };
  const { deps, close } = await createDeps(
    { ...config, logLevel: 'warn', databaseUrl: config.databaseOwnerUrl ?? config.databaseUrl },
    // No key is made here: the right one may still be copied here.
    { secrets: withoutSecrets },
  );
  try {
    const { rows, documents, isKeyRight } = await restore(deps, request, say);
    const [allRows, allDocuments] = [counted(rows, 'row'), counted(documents, 'document')];
    say(`${allRows} and ${allDocuments} are restored, and every row is as in the backup.`);
    say('Nobody is signed in, and one-time codes have to be set anew.');
    say('No text message or e-mail is sent until the main admin releases them under Messages.');
    if (!isKeyRight) {
      say(
        'The key of the old server is not here: issued passwords cannot be shown any more, and books that it sealed need npm run key:adopt before the first start. Before anybody signs in, look through admins, balances and bank accounts.',
      );
    }
    // The backup may have brought the key.
    return await verifyAndTell({ ...deps, secrets: findSecretBox(config) }, say);
  } finally {
    await close();
  }
}
