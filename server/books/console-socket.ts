import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Config } from '#server/config.ts';
import type { Deps } from '#server/deps.ts';
import { type ConsoleCall, Refusal } from '#server/platform/console-text.ts';
import { longestAddressBytes } from '#server/platform/file-system.ts';
import { type ConsoleCommand, consoleCommands, isConsoleCommand } from './console-commands.ts';

type Request = { name: ConsoleCommand; words: readonly string[]; mainAdminPassword?: string | undefined };

/** One JSON text per line: lines to show, then the outcome. */
type Answer = { say: string } | { isWell: boolean } | { error: string };

const requestWithinMs = 10_000;

/** Undefined if the path is too long: the command then asks to stop the server. */
function addressIn(dataDir: string): string | undefined {
  const address = path.join(dataDir, 'console.sock');
  return Buffer.byteLength(address) <= longestAddressBytes ? address : undefined;
}

/**
 * Takes commands for a server on the embedded engine, whose database nobody else can open. Only the
 * server's user can use the socket, and could read the database anyway. The returned function closes it and
 * aborts running commands.
 */
export async function serveConsole(deps: Deps): Promise<() => Promise<void>> {
  const address = deps.config.databaseUrl === undefined ? addressIn(deps.config.dataDir) : undefined;
  if (address === undefined) return async () => {};
  // Left by a killed process: this one holds the directory's lock.
  fs.rmSync(address, { force: true });
  const underWay = new Map<net.Socket, Promise<void>>();
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    const answered = answer(deps, socket).finally(() => underWay.delete(socket));
    underWay.set(socket, answered);
  });
  server.on('error', (err) =>
    deps.log.warn({ err }, 'console commands cannot reach this server while it runs'),
  );
  const isListening = await once(server.listen(address), 'listening').catch(() => undefined);
  if (!isListening) return async () => {};
  fs.chmodSync(address, 0o600);
  server.unref();
  return async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const ending = [...underWay.values()];
    for (const socket of underWay.keys()) socket.destroy();
    await Promise.all([closed, ...ending]);
  };
}

/** Never rejects. */
async function answer(deps: Deps, socket: net.Socket): Promise<void> {
  const send = (part: Answer) => {
    if (socket.destroyed) throw new ConsoleGone('nobody is at the console any more');
    socket.write(`${JSON.stringify(part)}\n`);
  };
  try {
    const { name, words = [], mainAdminPassword }: Partial<Request> = JSON.parse(await received(socket));
    if (!isConsoleCommand(name)) throw new Refusal('There is no such command');
    // The password comes from the command's environment: the server's dates from its start.
    const ownDeps = { ...deps, config: { ...deps.config, mainAdminPassword } };
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    const say = (line: string) => send({ say: line });
    const isWell = await consoleCommands[name](ownDeps, { words, say, stopping: gone.signal });
    send({ isWell });
  } catch (err) {
    const isForeseen = err instanceof Refusal || err instanceof ConsoleGone;
    if (!isForeseen) deps.log.error({ err }, 'a console command failed');
    const error = err instanceof Refusal ? err.message : 'The command failed; the server’s log says why';
    if (!socket.destroyed) send({ error });
  } finally {
    socket.end();
  }
}

/** The person left, or the server is stopping: the command ends at its next line. */
class ConsoleGone extends Error {}

/** Everything the other side sends. The socket stays open for the answer. */
async function received(socket: net.Socket): Promise<string> {
  socket.setTimeout(requestWithinMs, () => socket.destroy());
  const all = await text(socket.iterator({ destroyOnReturn: false })).catch(() => {
    throw new ConsoleGone('the connection was closed');
  });
  socket.setTimeout(0);
  return all;
}

/** Runs a command in the server, and returns whether all is well; undefined if no server listens. */
export async function askServer(
  config: Config,
  name: ConsoleCommand,
  { words, say }: ConsoleCall,
): Promise<boolean | undefined> {
  const address = addressIn(config.dataDir);
  const socket = address === undefined ? undefined : await connected(address);
  if (!socket) return undefined;
  const request: Request = { name, words, mainAdminPassword: config.mainAdminPassword };
  socket.end(JSON.stringify(request));
  for await (const part of answersOf(socket)) {
    if ('error' in part) throw new Error(part.error);
    if ('isWell' in part) return part.isWell;
    say(part.say);
  }
  throw new Error('The server stopped before the command was done.');
}

async function* answersOf(socket: net.Socket): AsyncGenerator<Answer> {
  let rest = '';
  socket.setEncoding('utf8');
  try {
    for await (const text of socket) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line);
    }
  } catch {
    // The server was killed: no answer will come.
  }
}

/** Undefined if nobody listens: no server has run, or one was killed and left its socket. */
async function connected(address: string): Promise<net.Socket | undefined> {
  const socket = net.connect({ path: address, allowHalfOpen: true });
  return once(socket, 'connect').then(
    () => socket,
    () => undefined,
  );
}
