import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerParent } from './helpers.ts';

/** Requests as they go over the wire, each connection sending its share in turn. */
export type Load = {
  /** Several share the connections. */
  port: number | readonly number[];
  requests: string[];
  connections: number;
  /** For so long, over and over; without it each request once. */
  ms?: number;
  /** How long a connection waits between an answer and its next request. */
  pauseMs?: number;
};
export type Loaded = { answered: number; perSecond: number; middleMs: number; p99Ms: number };

/**
 * Loads a server from a process of its own, and takes as little of the processor as it can: it writes what is ready and
 * reads no more of an answer than its status and length.
 */
answerParent(async ({ port, requests, connections, ms, pauseMs = 0 }: Load): Promise<Loaded> => {
  const ports = typeof port === 'number' ? [port] : port;
  const durationsMs: number[] = [];
  const startMs = performance.now();
  const endMs = startMs + (ms ?? Number.POSITIVE_INFINITY);
  const connection = async (first: number) => {
    const share = requests.filter((_, index) => index % connections === first);
    const socket = net.connect({ port: ports[first % ports.length] ?? 0, host: '127.0.0.1', noDelay: true });
    const answers = readAnswers(socket);
    try {
      for (let sent = 0; share.length > 0 && (ms !== undefined || sent < share.length); sent += 1) {
        const sentMs = performance.now();
        if (sentMs >= endMs) break;
        socket.write(share[sent % share.length] ?? '');
        const refused = await answers.next();
        if (refused) throw new Error(refused);
        durationsMs.push(performance.now() - sentMs);
        if (pauseMs > 0) await sleep(pauseMs);
      }
    } finally {
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => connection(index)));
  const elapsedMs = performance.now() - startMs;
  durationsMs.sort((one, other) => one - other);
  const at = (share: number) => durationsMs[Math.floor(durationsMs.length * share)] ?? Number.NaN;
  const { length: answered } = durationsMs;
  return { answered, perSecond: (answered / elapsedMs) * 1000, middleMs: at(0.5), p99Ms: at(0.99) };
});

/** `next` waits for one whole answer and gives nothing if it is a success, else what it says. */
function readAnswers(socket: net.Socket) {
  let waiting: ((refused: string | undefined) => void) | undefined;
  let pieces: Buffer[] = [];
  let missing = Number.NaN;
  const end = (refused: string | undefined) => {
    const tell = waiting;
    waiting = undefined;
    pieces = [];
    missing = Number.NaN;
    tell?.(refused);
  };
  socket.on('data', (piece) => {
    pieces.push(piece);
    if (Number.isNaN(missing)) {
      const head = (pieces.length === 1 ? piece : Buffer.concat(pieces)).toString('latin1');
      const headLength = head.indexOf('\r\n\r\n') + 4;
      if (headLength < 4) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (length === undefined) return end(`an answer without a length: ${head}`);
      missing = headLength + Number(length) - head.length;
    } else missing -= piece.length;
    if (missing > 0) return;
    const isSuccess = pieces[0]?.toString('latin1', 9, 10) === '2';
    end(isSuccess ? undefined : Buffer.concat(pieces).toString());
  });
  socket.on('error', ({ message }) => end(message));
  socket.on('close', () => end('the connection was closed'));
  return {
    next: () =>
      new Promise<string | undefined>((resolve) => {
        waiting = resolve;
      }),
  };
}
