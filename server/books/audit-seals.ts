import { appendFile, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { manilaDate } from '#domain/calendar.ts';
import type { Deps } from '#server/deps.ts';
import { findNewestSeal, readHighestIds, readWriters, sealNextEntries } from './audit-seal-store.ts';
import type { NotedSeal } from './verify.ts';

/** An entry is without a seal for no longer than this, while a server runs. */
const sealEveryMs = 60_000;

/** Entries in one seal: few enough that one statement does not keep the embedded engine's callers waiting. */
const entriesInSeal = 500;

/** How long a sealing waits for transactions under way; the next one tries again. */
const patienceMs = 5_000;
const betweenLooksMs = 25;

/**
 * Seals the entries of the audit log that have no seal yet, and counts the rows of the books with them, so that a row that
 * is deleted later is missed. Answers how many entries it sealed. Any number of
 * processes may do it at once.
 *
 * It runs outside the transactions that write the log, so these never wait for one another. The price is that ids are
 * committed out of order: entry 7 may appear after entry 8. So the newest visible ids are read first, then who is writing,
 * and those are waited for: any transaction that drew a lower id is among them or has ended.
 */
export async function sealAuditLog({ database, clock }: Deps): Promise<number> {
  const highestIds = await database.read(readHighestIds);
  const newest = await database.read(findNewestSeal);
  if ((highestIds.get('audit_entries') ?? 0) <= (newest?.lastId ?? 0)) return 0;
  if (!(await haveWritersEnded(database))) return 0;
  const limit = entriesInSeal;
  let total = 0;
  for (;;) {
    const count = await database.transaction((tx) =>
      sealNextEntries(tx, { highestIds, limit, at: clock.now() }),
    );
    total += count;
    if (count < limit) return total;
  }
}

/** Waits until every transaction that is writing the books now has ended; new ones do not matter. */
async function haveWritersEnded(database: Deps['database']): Promise<boolean> {
  let writers = await database.read(readWriters);
  for (let waitedMs = 0; writers.length > 0; waitedMs += betweenLooksMs) {
    if (waitedMs >= patienceMs) return false;
    await sleep(betweenLooksMs);
    const stillWriting = new Set(await database.read(readWriters));
    writers = writers.filter((writer) => stillWriting.has(writer));
  }
  return true;
}

/** Seals now and every minute, and notes a seal a day. The function it returns stops that, and seals what has been written until then. */
export function startSealing(deps: Deps): () => Promise<void> {
  const note = createSealNotes(deps);
  const seal = () =>
    sealAuditLog(deps)
      .then(note)
      .catch((err) => deps.log.warn({ err }, 'the audit log could not be sealed, or its seal not noted'));
  let underWay = seal();
  const next = () => {
    underWay = underWay.then(seal);
    return underWay;
  };
  const timer = setInterval(next, sealEveryMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await next();
  };
}

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
