import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { dayMs, hourMs, repeating } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { readPages } from '#server/platform/read-pages.ts';
import { deleteExpiredSessions, deleteOldNetworks, deleteOldTries } from '#server/store/access-store.ts';
import { readEdgeOfLog, readLastEntry } from '#server/store/audit-store.ts';
import { readUnusedFiles } from '#server/store/document-store.ts';
import { deleteOldKeys } from '#server/store/idempotency-store.ts';
import { deleteOldContactCodes, forgetAddresses, forgetDetails } from '#server/store/message-store.ts';
import { type KeptSpan, keptSpan } from '#server/store/spans.ts';
import { eraseClosedAccounts } from './account-deletion-service.ts';
import { audit } from './audit-service.ts';
import { removeDocuments } from './document-service.ts';
import { serverConsole } from './first-start-service.ts';
import { eraseOldIssuedPasswords } from './issued-password-service.ts';

const leapMs = limits.clockLeapMaxHours * hourMs;
const quietMs = limits.quietLogHours * hourMs;

/** Longer than any window or wait of a counted try. */
const triesKeptMs = dayMs;
const filesAtATime = 50;

/** Removes what has expired, if the clock can be trusted. A failed chore is logged, and the others run. */
export async function runHousekeeping(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const isBelieved = await canTrustClock(deps, now).catch((err) => {
    deps.log.warn({ err }, 'housekeeping failed');
    return false;
  });
  if (!isBelieved) return;
  const kept = (ms: number) => keptSpan(now, ms);
  const deleting = (work: (tx: Tx) => Promise<unknown>) => () => deps.database.transaction(work);
  const networksMs = limits.knownNetworkKeptDays * dayMs;
  const detailsMs = limits.messageDetailsKeptDays * dayMs;
  const keysMs = limits.idempotencyKeyKeptDays * dayMs;
  const chores: [name: string, work: () => Promise<unknown>][] = [
    ['sessions', deleting((tx) => deleteExpiredSessions(tx, now, kept(0).to))],
    ['uses of sessions', async () => deps.unwrittenUses.clear()],
    ['known networks', deleting((tx) => deleteOldNetworks(tx, kept(networksMs)))],
    ['tries', deleting((tx) => deleteOldTries(tx, kept(triesKeptMs)))],
    ['idempotency keys', deleting((tx) => deleteOldKeys(tx, kept(keysMs)))],
    ['codes to confirm', deleting((tx) => deleteOldContactCodes(tx, now, kept(0).to))],
    // The sender does so too, where a gateway is set up.
    [
      'addresses of messages',
      deleting((tx) => forgetAddresses(tx, now, limits.messageAddressKeptHours * hourMs)),
    ],
    ['details of messages', deleting((tx) => forgetDetails(tx, kept(detailsMs)))],
    ['issued passwords', () => eraseOldIssuedPasswords(deps)],
    ['closed accounts', () => eraseClosedAccounts(deps)],
    ['unused documents', () => removeUnusedDocuments(deps, kept(limits.unusedDocumentHours * hourMs))],
  ];
  for (const [name, work] of chores) {
    await work().catch((err) => deps.log.warn({ err, chore: name }, 'housekeeping failed'));
  }
}

/**
 * True if it is safe to erase by this clock: the log has no gap of more than a day before today. A running
 * server leaves none, so after a gap either the clock jumped or the server was off, and nobody can tell
 * which. Erased data does not come back, so erasing pauses for a day, in which the clock can be corrected.
 * After that day the gap is no longer at the end of the log, and erasing continues.
 */
async function canTrustClock(deps: Deps, now: Date): Promise<boolean> {
  const gap = await findLogGap(deps, now);
  const lastAt = (await deps.database.read(readLastEntry))?.at;
  const isBelieved = gap === undefined;
  const wasBelieved = !deps.met.isErasingPaused;
  deps.met.isErasingPaused = !isBelieved;
  if (!isBelieved) deps.log.warn({ lastEntryBefore: gap?.from }, 'nothing is erased: has the clock leapt?');
  const isQuiet = lastAt !== undefined && Math.abs(now.getTime() - lastAt.getTime()) > quietMs;
  const action = isBelieved ? 'quiet_day' : 'erasing_paused';
  if (isQuiet || (wasBelieved && !isBelieved)) {
    await deps.database.transaction((tx) => audit({ deps, tx, actor: serverConsole }, action));
  }
  return isBelieved;
}

export async function findLogGap({ database }: Pick<Deps, 'database'>, now: Date) {
  const edge = await database.read((reader) => readEdgeOfLog(reader, now, leapMs));
  if (!edge) return undefined;
  const to = edge.nextAt ?? now;
  const gapMs = to.getTime() - edge.at.getTime();
  return gapMs >= 0 && gapMs <= leapMs ? undefined : { from: edge.at, to };
}

/** Documents never attached, interrupted, replaced, or of erased people; none can be attached any more. */
async function removeUnusedDocuments(deps: Deps, kept: KeptSpan): Promise<void> {
  const limit = filesAtATime;
  const read = (afterId = '') =>
    deps.database.read((reader) => readUnusedFiles(reader, { kept, afterId, limit }));
  for await (const ids of readPages(read, (id) => id, limit)) if (!(await removeDocuments(deps, ids))) return;
}

/** Runs now and every hour. The returned function stops that, and waits for the current run. */
export const startHousekeeping = (deps: Deps): (() => Promise<void>) =>
  repeating(hourMs, () => runHousekeeping(deps));
