import { and, asc, eq, getTableColumns, gt, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { limits } from '#domain/limits.ts';
import { onlyRow, type Reader, sendUnawaited, type Tx } from '#server/platform/database/database.ts';
import { prepared } from '#server/platform/database/prepared.ts';
import { blanks, firstOf, packed } from './packed-columns.ts';
import { accounts, allowedIps, idempotencyKeys, knownNetworks, sessions, tries } from './schema.ts';
import { noteAllowedIps } from './sealed-rows.ts';
import { isOutside, type KeptSpan } from './spans.ts';

/** A session with its account, whatever state either is in; the service interprets it. */
const sessionByHash = prepared((reader) =>
  reader
    .select({ session: packed(getTableColumns(sessions)), account: packed(getTableColumns(accounts)) })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(eq(sessions.tokenHash, sql.placeholder('tokenHash')), isNull(accounts.deletedAt))),
);

export const findSession = (reader: Reader, tokenHash: string) =>
  firstOf(sessionByHash(reader, { tokenHash }));

const insertingSession = prepared((tx: Tx) =>
  tx.insert(sessions).values(blanks('tokenHash', 'accountId', 'createdAt', 'expiresAt')),
);

export const insertSession = async (tx: Tx, session: typeof sessions.$inferInsert): Promise<void> =>
  sendUnawaited(tx, insertingSession(tx, session));

export type Session = typeof sessions.$inferSelect;

export const changeSession = (
  tx: Tx,
  tokenHash: string,
  change: Partial<Pick<Session, 'endedAt' | 'lastUsedAt'>>,
) => tx.update(sessions).set(change).where(eq(sessions.tokenHash, tokenHash));

export const deleteSession = (tx: Tx, tokenHash: string) =>
  tx.delete(sessions).where(eq(sessions.tokenHash, tokenHash));

export function deleteSessionsOf(tx: Tx, accountId: number, except?: string) {
  const isOther = except === undefined ? undefined : ne(sessions.tokenHash, except);
  return tx.delete(sessions).where(and(eq(sessions.accountId, accountId), isOther));
}

/** A suspension ended them: 403 while it lasts, 401 afterwards. */
export const endSessionsOf = (tx: Tx, accountId: number, endedAt: Date) =>
  tx.update(sessions).set({ endedAt }).where(eq(sessions.accountId, accountId));

/** Deletes sessions that began after `future` too: the clock was ahead, and they would last too long. */
export const deleteExpiredSessions = (tx: Tx, now: Date, future: Date) =>
  tx.delete(sessions).where(or(lt(sessions.expiresAt, now), gt(sessions.createdAt, future)));

const network = blanks('accountId', 'networkHash');
const networkByHash = prepared((reader) =>
  reader
    .select({ accountId: knownNetworks.accountId })
    .from(knownNetworks)
    .where(
      and(
        sql`${knownNetworks.accountId} = any(${sql.placeholder('accountIds')}::bigint[])`,
        eq(knownNetworks.networkHash, network.networkHash),
      ),
    ),
);
const notingNetwork = prepared((tx: Tx) =>
  tx
    .insert(knownNetworks)
    .values({ ...network, seenAt: sql.placeholder('seenAt') })
    .onConflictDoUpdate({
      target: [knownNetworks.accountId, knownNetworks.networkHash],
      set: { seenAt: sql`excluded.seen_at` },
    }),
);

/** Matches the rows of any of these accounts. */
export const isKnownNetwork = async (reader: Reader, accountIds: readonly number[], networkHash: string) =>
  (await networkByHash(reader, { accountIds, networkHash })).length > 0;

export const noteNetwork = (tx: Tx, network: typeof knownNetworks.$inferInsert): void =>
  sendUnawaited(tx, notingNetwork(tx, network));

/** All sessions of an account, its known networks, and the replies stored for its retries, which repeat personal data. */
export async function deleteAccessOf(tx: Tx, accountId: number): Promise<void> {
  for (const table of [sessions, knownNetworks, idempotencyKeys])
    await tx.delete(table).where(eq(table.accountId, accountId));
}

export const deleteOldNetworks = (tx: Tx, kept: KeptSpan) =>
  tx.delete(knownNetworks).where(isOutside(knownNetworks.seenAt, kept));

export type Counter = { scope: string; key: string };

const isCounter = ({ scope, key }: Counter | ReturnType<typeof blanks<keyof Counter>>) =>
  and(eq(tries.scope, scope), eq(tries.key, key));

const moment = (name: string) => sql`${sql.placeholder(name)}::timestamptz`;
const blockedFrom = sql`${tries.blockedUntil} - make_interval(secs => ${sql.placeholder('windowSeconds')}::float8)`;
const isOver = sql`(greatest(${tries.windowStartedAt}, ${tries.blockedUntil}) <= ${moment('windowAgo')}
  or greatest(${tries.windowStartedAt}, ${blockedFrom}) > ${moment('future')})`;
const counting = prepared((tx: Tx) =>
  tx
    .insert(tries)
    .values({ ...blanks('scope', 'key'), count: 1, windowStartedAt: sql.placeholder('now') })
    .onConflictDoUpdate({
      target: [tries.scope, tries.key],
      set: {
        count: sql`case when ${isOver} then 1 else ${tries.count} + 1 end`,
        windowStartedAt: sql`case when ${isOver} then excluded.window_started_at else ${tries.windowStartedAt} end`,
        blockedUntil: sql`case when ${isOver} then null else ${tries.blockedUntil} end`,
      },
    })
    .returning(),
);

/**
 * Counts one try and returns the state after it, in one statement, so that every simultaneous try is counted. The count
 * restarts at one when a whole window has passed since it started and, after a block, since the block's end: tries that
 * go on after each wait are not forgotten. It also restarts if the window starts in the future, or a block ends later
 * than any can: the clock was ahead, and nobody should wait until then.
 */
export async function countTry(
  tx: Tx,
  { now, windowMs, ...counter }: Counter & { now: Date; windowMs: number },
) {
  const windowAgo = new Date(now.getTime() - windowMs).toISOString();
  const future = new Date(now.getTime() + limits.clockSkewMs).toISOString();
  return onlyRow(await counting(tx, { ...counter, now, windowAgo, future, windowSeconds: windowMs / 1000 }));
}

export const readTry = (reader: Reader, counter: Counter) =>
  firstOf(reader.select().from(tries).where(isCounter(counter)));

/** A longer block stays. */
export function blockTries(tx: Tx, counter: Counter, until: Date) {
  const blockedUntil = sql`greatest(${tries.blockedUntil}, ${until.toISOString()}::timestamptz)`;
  return tx.update(tries).set({ blockedUntil }).where(isCounter(counter));
}

/** Takes back a try that did not count; `blockedUntil`: of the time before it, if it may have begun a wait. */
export const uncountTry = (tx: Tx, counter: Counter, blockedUntil?: Date | null) =>
  tx
    .update(tries)
    .set({
      count: sql`greatest(${tries.count} - 1, 0)`,
      ...(blockedUntil !== undefined && { blockedUntil }),
    })
    .where(isCounter(counter));

const forgetting = prepared((tx: Tx) => tx.delete(tries).where(isCounter(blanks('scope', 'key'))));

export const forgetTry = (tx: Tx, counter: Counter): void => sendUnawaited(tx, forgetting(tx, counter));

export const forgetTries = (tx: Tx, scope: string) => tx.delete(tries).where(eq(tries.scope, scope));

export const deleteOldTries = (tx: Tx, kept: KeptSpan) =>
  tx.delete(tries).where(isOutside(tries.windowStartedAt, kept));

export type AllowedIpRow = typeof allowedIps.$inferSelect;

export const readAllowedIps = (reader: Reader): Promise<AllowedIpRow[]> =>
  reader.select().from(allowedIps).orderBy(asc(allowedIps.id));

/** Locked before a change: other changes wait until this transaction ends; readers go on. */
export async function lockAllowedIps(tx: Tx): Promise<AllowedIpRow[]> {
  await tx.execute(sql`lock table ${allowedIps} in share row exclusive mode`);
  await noteAllowedIps(tx);
  return readAllowedIps(tx);
}

export const insertAllowedIp = async (tx: Tx, entry: typeof allowedIps.$inferInsert): Promise<AllowedIpRow> =>
  onlyRow(await tx.insert(allowedIps).values(entry).returning());

export const deleteAllowedIps = (tx: Tx, id?: number) =>
  tx.delete(allowedIps).where(id === undefined ? undefined : eq(allowedIps.id, id));
