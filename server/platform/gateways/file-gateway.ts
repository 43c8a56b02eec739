import { appendFile, chmod } from 'node:fs/promises';
import path from 'node:path';
import type { MessageChannel } from '#domain/message.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Gateway } from './gateway.ts';

export const outboxFile = 'outbox.ndjson';

/** For trying things out: one JSON line for each message. The file holds codes, so only its owner reads it. */
export function createFileGateway(parts: {
  channel: MessageChannel;
  dataDir: string;
  clock: Clock;
}): Gateway {
  const { channel, dataDir, clock } = parts;
  const file = path.join(dataDir, outboxFile);
  return {
    name: 'file',
    async send({ to, subject, text }) {
      const at = clock.now().toISOString();
      const line = { at, channel, to, ...(channel === 'email' && { subject }), text };
      try {
        await appendFile(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
        await chmod(file, 0o600);
      } catch {
        return { kind: 'returned' };
      }
      return { kind: 'taken' };
    },
    close: () => {},
  };
}
