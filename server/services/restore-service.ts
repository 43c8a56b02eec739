import path from 'node:path';
import type { Deps } from '#server/deps.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { readRegularFile } from '#server/platform/regular-file.ts';
import {
  findSecretKey,
  fingerprintOfKey,
  KEY_FILE,
  keepSecretKey,
  secretKeyOf,
} from '#server/platform/secret-box.ts';
import { counted, createProgress, type Say } from '#server/progress.ts';
import { Refusal } from '#server/refusal.ts';
import { eraseLiveAccess } from '#server/store/erasure-store.ts';
import { inOneLongTransaction } from '#server/store/long-transaction.ts';
import { hasMigration, migrateDatabase, migrateUpTo } from '#server/store/migrate.ts';
import {
  findFilledTable,
  insertRowLines,
  lockTables,
  readRowLines,
  readTables,
  restartSequences,
  type Table,
  vacuumTables,
} from '#server/store/table-store.ts';
import { checkBackup, putDocumentsBack, readTableLines } from './backup-files.ts';
import { type Manifest, readManifest } from './backup-manifest.ts';

export type RestoreRequest = {
  /** A folder that `backUp` wrote. */
  folder: string;
  /** Takes the key that lies in the folder: who could write there could put another one in it, too. */
  withKey: boolean;
  /** Restores what nothing proves too: the key is lost, or the backup is from an older version. */
  withoutKey: boolean;
  /** The migrations of the running version. */
  migrations: string;
};

export type Restored = {
  rows: number;
  documents: number;
  /** Whether the key here is the one that the backup was made with. */
  isKeyRight: boolean;
};

/**
 * Puts a backup into an empty database of either engine: that it was made with the key, and all that the manifest
 * promises, is checked first, then documents are written, then all rows in one transaction, in which they are read again
 * and compared line by line. What lets somebody in goes at its end: nobody is signed in, no code is live and no answer is
 * kept. Only then is the rest of the migrations applied, so that a backup of an older version can be used.
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
