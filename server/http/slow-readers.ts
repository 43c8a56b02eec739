import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { limits } from '#domain/limits.ts';

const everySeconds = 1;

/**
 * Hangs up on whoever takes an answer more slowly than the slowest network would: what waits for them stays in memory. Who
 * takes nothing at all is left to the socket's own timeout.
 */
export function hangUpOnSlowReaders(app: FastifyInstance): void {
  /** By connection: what it was handed at the last look, and how far its reader is ahead of the slowest pace. */
  const seen = new Map<Socket, { handedBytes: number; aheadBytes: number }>();

  app.server.on('connection', (socket) => {
    seen.set(socket, { handedBytes: 0, aheadBytes: 0 });
    socket.once('close', () => seen.delete(socket));
  });

  const timer = setInterval(() => {
    for (const [socket, reader] of seen) {
      const handedBytes = socket.bytesWritten;
      const waitingBytes = socket.writableLength;
      if (waitingBytes === 0) reader.aheadBytes = 0;
      else {
        // What lies there in one piece counts as taken bit by bit: how much of it has left is not to be seen.
        const newBytes = handedBytes - reader.handedBytes;
        const pace = everySeconds * limits.replyMinBytesPerSecond;
        reader.aheadBytes = Math.min(reader.aheadBytes + newBytes, waitingBytes) - pace;
      }
      reader.handedBytes = handedBytes;
      if (reader.aheadBytes < -limits.replySlowSeconds * limits.replyMinBytesPerSecond) socket.destroy();
    }
  }, everySeconds * 1_000).unref();

  app.addHook('onClose', async () => clearInterval(timer));
}
