import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { readUnusedFiles } from '#server/store/file-store.ts';
import { deleteOldKeys } from '#server/store/idempotency-store.ts';
import { deleteOldNetworks } from '#server/store/known-network-store.ts';
import { deleteExpiredSessions } from '#server/store/session-store.ts';
import { deleteOldTries } from '#server/store/try-store.ts';
import { eraseClosedAccounts } from './deletion-service.ts';
import { removeDocuments } from './document-service.ts';
import { eraseOldIssuedPasswords } from './issued-password-service.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** Longer than any window or wait of a counted try. */
const triesKeptMs = dayMs;
const filesAtATime = 50;

/** Removes what has had its time. Every piece is tried, whatever becomes of the others; a failure is only logged. */
export async function keepHouse(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const chores: [name: string, work: () => Promise<unknown>][] = [
    ['sessions', () => deps.database.transaction((tx) => deleteExpiredSessions(tx, now))],
    [
      'known networks',
      () =>
        deps.database.transaction((tx) => deleteOldNetworks(tx, ago(limits.knownNetworkKeptDays * dayMs))),
    ],
    ['tries', () => deps.database.transaction((tx) => deleteOldTries(tx, ago(triesKeptMs)))],
    [
      'idempotency keys',
      () => deps.database.transaction((tx) => deleteOldKeys(tx, ago(limits.idempotencyKeyKeptDays * dayMs))),
    ],
    ['issued passwords', () => eraseOldIssuedPasswords(deps)],
    ['closed accounts', () => eraseClosedAccounts(deps)],
    ['unused documents', () => removeUnusedDocuments(deps, ago(limits.unusedDocumentHours * hourMs))],
  ];
  for (const [name, work] of chores) {
    await work().catch((err) => deps.log.warn({ err, chore: name }, 'housekeeping failed'));
  }
}

/**
 * Removes documents that no account has attached: uploads that were never used or cut short, replaced ones, and what is
 * left of an erased person. None of them can be attached any more (`limits.documentAttachableHours`).
 */
async function removeUnusedDocuments(deps: Deps, before: Date): Promise<void> {
  const limit = filesAtATime;
  for (let afterId = ''; ; ) {
    const page = { before, afterId, limit };
    const ids = await deps.database.read((reader) => readUnusedFiles(reader, page));
    const last = ids.at(-1);
    if (last === undefined || !(await removeDocuments(deps, ids))) return;
    afterId = last;
  }
}

/** Keeps house now and every hour. The function it returns stops that, and waits for what is under way. */
export function startHousekeeping(deps: Deps): () => Promise<void> {
  let underWay = keepHouse(deps);
  const timer = setInterval(() => {
    underWay = underWay.then(() => keepHouse(deps));
  }, hourMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}
