import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Config, readConfig } from '#server/config.ts';
import { checkLender } from '#server/lender-file.ts';
import { openInstallation, openMigrated } from '#server/open-database.ts';
import {
  counted,
  createProgress,
  Refusal,
  readWords,
  type Say,
  withFolders,
} from '#server/platform/console-text.ts';
import { createBucketFileStore, diskFileOf, filesDirOf, isFileId } from '#server/platform/file-store.ts';
import { restoreAndTell } from './backup.ts';
import { type ConsoleCommand, consoleCommands, isConsoleCommand } from './console-commands.ts';
import { askServer } from './console-socket.ts';

/** These create no main admin and no key, and work without the right key. */
const looking: readonly ConsoleCommand[] = ['verify', 'backup', 'db-export', 'key-adopt'];

const withoutFolders: readonly ConsoleCommand[] = ['seed', 'verify'];

const embedded = { databaseUrl: undefined, databaseOwnerUrl: undefined, databaseReplicaUrl: undefined };

/** These do not run in a running server: it would answer nobody for minutes. */
const alone: readonly ConsoleCommand[] = ['books-import'];

/** They need a database that no server uses, or none at all. */
const offline: Record<string, (typed: readonly string[], say: Say) => Promise<boolean>> = {
  restore: (typed, say) => restoreAndTell(readConfig(process.env), typed, say, 'restore'),
  'db-import': (typed, say) => restoreAndTell(readConfig(process.env), typed, say, 'db:import'),
  'lender-check': checkLender,
  'documents-copy': (typed, say) => copyDocuments(readConfig(process.env), typed, say),
};

/** Runs the command in the running server if it has the embedded engine, otherwise on the database itself. */
async function runCommand(name: ConsoleCommand, typed: readonly string[], say: Say): Promise<boolean> {
  const config = readConfig(process.env);
  const whose = name === 'db-export' ? { ...config, ...embedded } : config;
  const call = { words: withoutFolders.includes(name) ? typed : withFolders(typed), say };
  const isAsked = whose.databaseUrl === undefined && !alone.includes(name);
  const done = isAsked ? await askServer(whose, name, call) : undefined;
  if (done !== undefined) return done;
  const isLooking = looking.includes(name) || (name === 'books-import' && !typed.includes('--apply'));
  const { deps, close } = await open(whose, name, isLooking, say);
  try {
    const stopping = name === 'verify' ? whenToldToStop() : undefined;
    return await consoleCommands[name](deps, { ...call, ...(stopping && { stopping }) });
  } finally {
    await close();
  }
}

/** A second signal ends the process at once. */
function whenToldToStop(): AbortSignal {
  const told = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => told.abort());
  return told.signal;
}

async function open(config: Config, name: ConsoleCommand, isLooking: boolean, say: Say) {
  const quiet = { ...config, logLevel: 'warn' as const };
  const { databaseUrl, dataDir } = config;
  if (name !== 'seed' && databaseUrl === undefined && !existsSync(path.join(dataDir, 'database'))) {
    throw new Refusal(`There is no database in ${dataDir}. DATA_DIR says where it is.`);
  }
  return isLooking ? openMigrated(quiet, say) : openInstallation(quiet, say);
}

/**
 * Copies the documents from `DATA_DIR` into the bucket. Run it again for files that came meanwhile;
 * the disk is left as it is.
 */
async function copyDocuments(config: Config, typed: readonly string[], say: Say): Promise<boolean> {
  readWords(typed, 'npm run documents:copy');
  if (!config.bucket) throw new Refusal('Set S3_ENDPOINT and the other S3_ settings: they name the bucket.');
  const directory = filesDirOf(config.dataDir);
  const bucket = createBucketFileStore(config.bucket);
  const names = await readdir(directory, { recursive: true }).catch(() => [] as string[]);
  // Skips folders, and files being written.
  const ids = names.map((name) => name.split('/').at(-1) ?? '').filter(isFileId);
  const progress = createProgress(say);
  let copied = 0;
  for (const [index, id] of ids.entries()) {
    progress(`${counted(index, 'document')} of ${ids.length.toLocaleString('en')} …`);
    const bytes = await readFile(diskFileOf(directory, id)).catch(() => undefined);
    // Erased since the folder was listed.
    if (!bytes) continue;
    const stored = await bucket.read(id);
    if (stored && bytes.equals(await buffer(stored))) continue;
    await bucket.write(id, bytes);
    copied += 1;
  }
  say(
    `${counted(copied, 'document')} copied; ${(ids.length - copied).toLocaleString('en')} lay there already.`,
  );
  return true;
}

async function run(name: string, typed: readonly string[]): Promise<boolean> {
  const say: Say = (line) => void process.stdout.write(`${line}\n`);
  const command = Object.hasOwn(offline, name) ? offline[name] : undefined;
  if (command) return command(typed, say);
  if (isConsoleCommand(name)) return runCommand(name, typed, say);
  const names = [...Object.keys(offline), ...Object.keys(consoleCommands)].sort().join(', ');
  throw new Refusal(`There is no command '${name}'. There are: ${names}.`);
}

// Exit code 1 if anything is wrong, with one line that says why.
const [name = '', ...typed] = process.argv.slice(2);
// A reader such as `head` may leave early; a restore continues to its end.
process.stdout.on('error', () => undefined);
try {
  if (!(await run(name, typed))) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
