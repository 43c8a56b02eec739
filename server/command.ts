import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Config, readConfig } from './config.ts';
import { type ConsoleCommand, consoleCommands } from './console-commands.ts';
import { askServer } from './console-socket.ts';
import { typedWords } from './console-words.ts';
import { findSecretBox, openHouse, openTables } from './open-house.ts';
import type { Say } from './progress.ts';
import { Refusal } from './refusal.ts';

/** Those that make neither a database nor a main admin nor a key where there is none, and ask for no right key. */
const looking: readonly ConsoleCommand[] = ['verify', 'backup', 'db-export', 'key-adopt'];

/**
 * Runs a command of the server's console and prints what it answers: by the running server where the embedded engine
 * is that one's alone, else on the database itself.
 */
export async function runCommand(
  name: ConsoleCommand,
  words: readonly string[] = typedWords(process.argv),
): Promise<void> {
  await runOnConsole(async (config, say) => {
    const { databaseUrl, ...embedded } = config;
    const whose: Config = name === 'db-export' ? embedded : config;
    const call = { words, say };
    const done = whose.databaseUrl === undefined ? await askServer(whose, name, call) : undefined;
    if (done !== undefined) return done;
    const { deps, close } = await open(whose, name, say);
    try {
      return await consoleCommands[name](deps, call);
    } finally {
      await close();
    }
  });
}

/** Work on the console: ends with code 1 when all is not well, or with one line that says why it could not be done. */
export async function runOnConsole(work: (config: Config, say: Say) => Promise<boolean>): Promise<void> {
  const say: Say = (line) => void process.stdout.write(`${line}\n`);
  try {
    const isWell = await work(readConfig(process.env), say);
    if (!isWell) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function open(config: Config, name: ConsoleCommand, say: Say) {
  const quiet = { ...config, logLevel: 'warn' as const };
  if (!looking.includes(name)) return openHouse(quiet, say);
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined && !existsSync(path.join(dataDir, 'database'))) {
    throw new Refusal(`There is no database in ${dataDir}. DATA_DIR says where it is.`);
  }
  return openTables(quiet, say, { secrets: findSecretBox(config) });
}
