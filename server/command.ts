import { type Config, readConfig } from './config.ts';
import { type ConsoleCommand, consoleCommands } from './console-commands.ts';
import { askServer } from './console-socket.ts';
import { openHouse } from './open-house.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Runs a command of the server's console and prints what it answers: by the running server where the embedded engine
 * is that one's alone, else on the database itself. Ends with code 1 and one line when neither can be had.
 */
export async function runCommand(name: ConsoleCommand): Promise<void> {
  try {
    const config = readConfig(process.env);
    say((await lineOfServer(config, name)) ?? (await lineOfOwn(config, name)));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function lineOfServer(config: Config, name: ConsoleCommand): Promise<string | undefined> {
  if (config.databaseUrl !== undefined) return undefined;
  const answer = await askServer(config, name);
  if (answer?.error !== undefined) throw new Error(answer.error);
  return answer?.line;
}

async function lineOfOwn(config: Config, name: ConsoleCommand): Promise<string> {
  const { deps, close } = await openHouse({ ...config, logLevel: 'warn' }, say);
  try {
    return await consoleCommands[name](deps);
  } finally {
    await close();
  }
}
