import path from 'node:path';
import type { Config } from '#server/config.ts';
import { createDeps, type Deps } from '#server/deps.ts';
import { findSecretBox } from '#server/open-database.ts';
import { findPlaces } from '#server/places.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import {
  findSecretKey,
  fingerprintOfKey,
  KEY_FILE,
  keepSecretKey,
  secretKeyOf,
  withoutSecrets,
} from '#server/platform/secret-box.ts';
import { eraseLiveAccess } from '#server/store/erasure-store.ts';
import { hasMigration, migrateDatabase, migrateUpTo } from '#server/store/migrate.ts';
import {
  checkBackup,
  type Manifest,
  putDocumentsBack,
  readManifest,
  readRegularFile,
  readTableLines,
} from './backup-files.ts';
import { counted, createProgress, Refusal, readWords, type Say, withFolders } from './console-text.ts';
import {
  findFilledTable,
  inOneLongTransaction,
  insertRowLines,
  lockTables,
  readRowLines,
  readTables,
  restartSequences,
  type Table,
  vacuumTables,
} from './table-store.ts';
import { verifyAndTell } from './verify.ts';

type RestoreRequest = {
  /** A folder that `backUp` wrote. */
  folder: string;
  /** Takes the key that lies in the folder: who could write there could put another one in it, too. */
  withKey: boolean;
  /** Restores what nothing proves too: the key is lost, or the backup is from an older version. */
  withoutKey: boolean;
  /** The migrations of the running version. */
  migrations: string;
};

type Restored = {
  rows: number;
  documents: number;
  /** Whether the key here is the one that the backup was made with. */
  isKeyRight: boolean;
};

/**
 * Puts a backup into an empty database of either engine: that it was made with the key, and all that the manifest
 * promises, is checked first, then documents are written, then all rows in one transaction, in which they are read again
 * and compared line by line. At its end sessions, codes and kept answers are
 * erased. Only then is the rest of the migrations applied, so that a backup of an older version can be used.
 *
 * Throws a `Refusal` for what the person at the console can put right. Nothing is in the tables then.
 */
export async function restore(
  deps: Deps,
  { folder, withKey, withoutKey, migrations }: RestoreRequest,
  say: Say,
): Promise<Restored> {
  const brought = withKey ? await readBroughtKey(folder) : undefined;
  const secretKey = keyInUse(deps, brought);
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
  await migrateUpTo(deps.database, migrations, manifest.migration);
  await deps.database.read(async (reader) => refuseUnlessEmpty(await readTables(reader), reader));

  if (brought && !deps.config.secretKey) keepSecretKey(deps.config.dataDir, brought, deps.random);
  const documents = await putDocumentsBack(deps.files, folder, manifest, say);
  await inOneLongTransaction(deps.database, (tx) => restoreRows(tx, folder, manifest, say));
  await migrateDatabase(deps.database, migrations);
  await vacuumTables(deps.database);
  return {
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    documents,
    isKeyRight,
  };
}

const withoutProof =
  'WITHOUT THE KEY nothing proves this backup: whoever could write to its folder may have put other balances, passwords, bank accounts or admins into it.';

/** Why nothing proves a backup, and what to do. */
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

async function refuseUnlessEmpty(tables: readonly Table[], reader: Reader): Promise<void> {
  const filled = await findFilledTable(reader, tables);
  if (filled) {
    throw new Refusal(`The database is not empty: there are ${filled} in it. Restore into an empty one.`);
  }
}

async function restoreRows(tx: Tx, folder: string, manifest: Manifest, say: Say): Promise<void> {
  const tables = await readTables(tx);
  refuseUnlessSameTables(tables, manifest);
  const linesOf = ({ name }: Table) => {
    const promised = manifest.tables.find((table) => table.name === name);
    if (!promised) throw new Error(`the backup has no table ${name}`);
    return readTableLines(folder, promised);
  };
  await lockTables(tx, tables);
  // Again, now that nobody else can write.
  await refuseUnlessEmpty(tables, tx);
  for (const table of tables) await putRowsBack(tx, table, linesOf(table), say);
  await restartSequences(tx, manifest.sequences);
  for (const table of tables) await compareRows(tx, table, linesOf(table), say);
  await eraseLiveAccess(tx);
}

function refuseUnlessSameTables(tables: readonly Table[], manifest: Manifest): void {
  for (const table of tables) {
    const same = manifest.tables.find(({ name }) => name === table.name);
    const isSame = JSON.stringify(same?.columns) === JSON.stringify(table.columns);
    if (!isSame) throw new Refusal(`The database’s table ${table.name} is not the one of the backup.`);
  }
  if (tables.length !== manifest.tables.length) throw new Refusal('The backup has other tables.');
}

async function putRowsBack(tx: Tx, table: Table, batches: AsyncIterable<string[]>, say: Say): Promise<void> {
  const progress = createProgress(say);
  let rows = 0;
  for await (const lines of batches) {
    await insertRowLines(tx, table, lines);
    rows += lines.length;
    progress(`${table.name}: ${counted(rows, 'row')} written …`);
  }
}

/** Reads a table again and holds it against the backup, row by row. */
async function compareRows(tx: Tx, table: Table, batches: AsyncIterable<string[]>, say: Say): Promise<void> {
  const progress = createProgress(say);
  const expected = singly(batches);
  let rows = 0;
  for await (const line of singly(readRowLines(tx, table))) {
    rows += 1;
    const { value } = await expected.next();
    if (line !== value) throw new Error(`row ${rows} of ${table.name} is not as it is in the backup`);
    progress(`${table.name}: ${counted(rows, 'row')} compared …`);
  }
  if (!(await expected.next()).done) throw new Error(`${table.name} has fewer rows than the backup`);
}

async function* singly(batches: AsyncIterable<string[]>): AsyncGenerator<string, undefined> {
  for await (const batch of batches) yield* batch;
}

const keyFileMaxBytes = 1024;

async function readBroughtKey(folder: string): Promise<Buffer> {
  const file = path.join(folder, KEY_FILE);
  const text = await readRegularFile(folder, file, keyFileMaxBytes).catch(() => {
    throw new Refusal(`There is no secret key in ${folder}.`);
  });
  return secretKeyOf(text.toString('utf8'), file);
}

/** The key that the server will have: the one that is here, which must not be another than the backup brings. */
function keyInUse({ config }: Deps, brought: Buffer | undefined): Buffer | undefined {
  const present = findSecretKey({ setting: config.secretKey, dataDir: config.dataDir });
  if (present && brought && !present.equals(brought)) {
    throw new Refusal('Another secret key is in use here than the one in the backup: take one of them away.');
  }
  return present ?? brought;
}

const options = '<folder> [--with-key] [--without-key]';

/** `npm run db:import`: a restore, and the database must be PostgreSQL. */
export async function importAndTell(config: Config, typed: readonly string[], say: Say): Promise<boolean> {
  if (config.databaseUrl === undefined) {
    throw new Refusal('DATABASE_URL must name the PostgreSQL database to import into.');
  }
  return restoreAndTell(config, typed, say, 'npm run db:import');
}

/** `npm run restore`: a backup into the database that the settings name, which must be empty and not in use. */
export async function restoreAndTell(
  config: Config,
  typed: readonly string[],
  say: Say,
  command = 'npm run restore',
): Promise<boolean> {
  const { folder, withKey, withoutKey } = readWords(withFolders(typed), `${command} -- ${options}`);
  const { migrations } = findPlaces();
  const { deps, close } = await createDeps(
    { ...config, logLevel: 'warn', databaseUrl: config.databaseOwnerUrl ?? config.databaseUrl },
    // A key is not made here: the right one may be on its way.
    { secrets: withoutSecrets },
  );
  try {
    const restored = await restore(deps, { folder, withKey, withoutKey, migrations }, say);
    for (const line of linesOf(restored)) say(line);
    // The backup may have brought the key along.
    return await verifyAndTell({ ...deps, secrets: findSecretBox(config) }, say);
  } finally {
    await close();
  }
}

function linesOf({ rows, documents, isKeyRight }: Restored): string[] {
  const lines = [
    `${counted(rows, 'row')} and ${counted(documents, 'document')} are restored, and every row is as in the backup.`,
  ];
  lines.push('Nobody is signed in, and one-time codes have to be set anew.');
  if (!isKeyRight) {
    lines.push(
      'The key of the old server is not here: issued passwords cannot be shown any more, and books that it sealed need npm run key:adopt before the first start. Before anybody signs in, look through admins, balances and bank accounts.',
    );
  }
  return lines;
}
