import { appendFile, readFile } from 'node:fs/promises';
import { manilaDate } from '#domain/calendar.ts';
import type { Deps } from '#server/deps.ts';
import { findNewestSeal } from '#server/store/audit-seal-store.ts';
import type { NotedSeal } from './verify-faults.ts';

/** A line of SEAL_FILE: number, hash and the moment of writing. */
const line = /^(?<number>\d{1,9}) (?<hash>[0-9a-f]{64}) \S+$/;

/** The seals in SEAL_FILE; none where that is not set, or nothing was noted yet. */
export async function readNotedSeals({ config }: Pick<Deps, 'config'>): Promise<NotedSeal[]> {
  if (config.sealFile === undefined) return [];
  const text = await readFile(config.sealFile, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((one) => {
    const { number, hash } = line.exec(one)?.groups ?? {};
    return number && hash ? [{ number: Number(number), hash }] : [];
  });
}

/**
 * Says the newest seal once a day where the database's owner cannot reach it: in the server's log and in SEAL_FILE. The
 * function it returns is called after every sealing.
 */
export function createSealNotes({ config, log, clock, database }: Deps): () => Promise<void> {
  let notedOn: string | undefined;
  return async () => {
    const now = clock.now();
    const seal = await database.read(findNewestSeal);
    if (!seal || notedOn === manilaDate(now)) return;
    const { number, hash } = seal;
    log.info({ seal: number, hash }, 'the newest seal of the books');
    if (config.sealFile !== undefined) {
      await appendFile(config.sealFile, `${number} ${hash} ${now.toISOString()}\n`, { mode: 0o600 });
    }
    notedOn = manilaDate(now);
  };
}
