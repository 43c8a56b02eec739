import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import type { Config } from './config.ts';
import { type ConsoleCommand, consoleCommands, isConsoleCommand } from './console-commands.ts';
import type { Deps } from './deps.ts';

/** What a console command asks of the running server, in one JSON text; the answer is one too. */
type Request = { name: ConsoleCommand; mainAdminPassword?: string | undefined };
type Answer = { line?: string; error?: string };

/** Bytes an address of a unix socket may have: one fewer than what macOS reserves. */
const longestAddressBytes = 103;
const answerWithinMs = 10_000;

/** Undefined where the path is too long for a socket: the command then asks for the server to be stopped. */
function addressIn(dataDir: string): string | undefined {
  const address = path.join(dataDir, 'console.sock');
  return Buffer.byteLength(address) <= longestAddressBytes ? address : undefined;
}

/**
 * Lets the console's commands reach a server on the embedded engine, whose database nobody else can open. The socket
 * lies in the data directory and is for its owner alone, who could read the database anyway. Answers how to close it.
 */
export async function serveConsole(deps: Deps): Promise<() => Promise<void>> {
  const address = deps.config.databaseUrl === undefined ? addressIn(deps.config.dataDir) : undefined;
  if (address === undefined) return async () => {};
  // Left by a process that was killed: this one holds the directory's lock.
  fs.rmSync(address, { force: true });
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.setTimeout(answerWithinMs, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    void answer(deps, socket).then((reply) => socket.end(JSON.stringify(reply)));
  });
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', (err) => {
      deps.log.warn({ err }, 'console commands cannot reach this server while it runs');
      resolve(false);
    });
    server.listen(address, () => resolve(true));
  });
  if (!isListening) return async () => {};
  fs.chmodSync(address, 0o600);
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** All that the other side sends; its end is not the end of the socket, which still carries the answer. */
function received(socket: net.Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let all = '';
    socket.setEncoding('utf8');
    socket.on('data', (part) => {
      all += part;
    });
    socket.once('end', () => resolve(all));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
}

async function answer(deps: Deps, socket: net.Socket): Promise<Answer> {
  try {
    const { name, mainAdminPassword }: Partial<Request> = JSON.parse(await received(socket));
    if (!isConsoleCommand(name)) return { error: 'There is no such command' };
    // The password is the command's to give: the server's own setting is from when it started.
    return { line: await consoleCommands[name]({ ...deps, config: { ...deps.config, mainAdminPassword } }) };
  } catch (err) {
    deps.log.error({ err }, 'a console command failed');
    return { error: 'The command failed; the server’s log says why' };
  }
}

/** Has the running server do a command. Undefined when no server listens in the data directory. */
export async function askServer(config: Config, name: ConsoleCommand): Promise<Answer | undefined> {
  const address = addressIn(config.dataDir);
  if (address === undefined || !fs.existsSync(address)) return undefined;
  const socket = net.connect({ path: address, allowHalfOpen: true });
  const request: Request = { name, mainAdminPassword: config.mainAdminPassword };
  try {
    socket.end(JSON.stringify(request));
    return JSON.parse(await received(socket));
  } catch {
    return undefined;
  }
}
