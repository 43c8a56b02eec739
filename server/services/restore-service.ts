import path from 'node:path';
import type { Deps } from '#server/deps.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { readLines } from '#server/platform/lines-file.ts';
import {
  findSecretKey,
  fingerprintOfKey,
  KEY_FILE,
  keepSecretKey,
  readSecretKey,
} from '#server/platform/secret-box.ts';
import { counted, createProgress, type Say } from '#server/progress.ts';
import { Refusal } from '#server/refusal.ts';
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
import { checkBackup, putDocumentsBack } from './backup-files.ts';
import { type Manifest, placesIn } from './backup-manifest.ts';

export type RestoreRequest = {
  /** A folder that `backUp` wrote. */
  folder: string;
  /** The migrations of the running version. */
  migrations: string;
};

export type Restored = {
  rows: number;
  documents: number;
  /** Whether the key that is in use now opens what was sealed; null when the backup does not say which key did. */
  isKeyRight: boolean | null;
};

/**
 * Puts a backup into an empty database of either engine: what the manifest promises is checked first, then documents
 * are written, then all rows in one transaction, in which they are read again and compared line by line. Only then is
 * the rest of the migrations applied, so that a backup of an older version can be used.
 *
 * Throws a `Refusal` for what the person at the console can put right. Nothing is in the tables then.
 */
export async function restore(
  deps: Deps,
  { folder, migrations }: RestoreRequest,
  say: Say,
): Promise<Restored> {
  const manifest = await checkBackup(folder, say);
  if (!hasMigration(migrations, manifest.migration)) {
    throw new Refusal('The backup was made by a newer version of Hiram: use that one.');
  }
  await migrateUpTo(deps.database, migrations, manifest.migration);
  await deps.database.read(async (reader) => refuseUnlessEmpty(await readTables(reader), reader));

  putKeyBack(deps, folder);
  const documents = await putDocumentsBack(deps.files, folder, say);
  await inOneLongTransaction(deps.database, (tx) => restoreRows(tx, folder, manifest, say));
  await migrateDatabase(deps.database, migrations);
  await vacuumTables(deps.database);
  return {
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    documents,
    isKeyRight: isKeyRight(deps, manifest),
  };
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
  await lockTables(tx, tables);
  // Again, now that nobody else can write.
  await refuseUnlessEmpty(tables, tx);
  for (const table of tables) await putRowsBack(tx, table, folder, say);
  await restartSequences(tx, manifest.sequences);
  for (const table of tables) await compareRows(tx, table, folder, say);
}

function refuseUnlessSameTables(tables: readonly Table[], manifest: Manifest): void {
  for (const table of tables) {
    const same = manifest.tables.find(({ name }) => name === table.name);
    const isSame = JSON.stringify(same?.columns) === JSON.stringify(table.columns);
    if (!isSame) throw new Refusal(`The database’s table ${table.name} is not the one of the backup.`);
  }
  if (tables.length !== manifest.tables.length) throw new Refusal('The backup has other tables.');
}

async function putRowsBack(tx: Tx, table: Table, folder: string, say: Say): Promise<void> {
  const progress = createProgress(say);
  let rows = 0;
  for await (const lines of readLines(placesIn(folder).table(table.name))) {
    await insertRowLines(tx, table, lines);
    rows += lines.length;
    progress(`${table.name}: ${counted(rows, 'row')} written …`);
  }
}

/** Reads a table again and holds it against the backup, row by row. */
async function compareRows(tx: Tx, table: Table, folder: string, say: Say): Promise<void> {
  const progress = createProgress(say);
  const expected = singly(readLines(placesIn(folder).table(table.name)));
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

/** The key that the backup brings along goes where the server looks for it, unless that has another one. */
function putKeyBack({ config, random }: Deps, folder: string): void {
  const brought = readSecretKey(path.join(folder, KEY_FILE));
  if (!brought) return;
  const present = findSecretKey({ setting: config.secretKey, dataDir: config.dataDir });
  const inUse = present ?? keepSecretKey(config.dataDir, brought, random);
  if (!inUse.equals(brought)) {
    throw new Refusal('Another secret key is in use here than the one in the backup: take one of them away.');
  }
}

function isKeyRight({ config }: Deps, { keyFingerprint }: Manifest): boolean | null {
  if (keyFingerprint === null) return null;
  const key = findSecretKey({ setting: config.secretKey, dataDir: config.dataDir });
  return key !== undefined && fingerprintOfKey(key) === keyFingerprint;
}
