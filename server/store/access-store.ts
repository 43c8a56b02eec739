import { and, asc, desc, eq, getTableColumns, gt, gte, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { limits } from '#domain/limits.ts';
import type { AccessPart } from '#domain/withdrawal.ts';
import {
  onlyRow,
  prepared,
  type Reader,
  sendUnawaited,
  type Tx,
} from '#server/platform/database/database.ts';
import { isOutside, type KeptSpan } from './kept-span.ts';
import { packed } from './packed-columns.ts';
import { noteAllowedIps } from './row-seal-store.ts';
import {
  accounts,
  allowedIps,
  auditEntries,
  isAccessEntry,
  knownNetworks,
  ledgerEntries,
  sessions,
  tries,
} from './schema.ts';

/**
 * Who changed what of the access to an account's money since a moment, the newest of each first. Read from the log and the
 * ledger, which nobody can change. What a withdrawal takes and its rejection gives back is nobody's change of the balance.
 */
export async function readAccessChanges(handle: Reader, accountId: number, since: Date) {
  const from = since.toISOString();
  const { rows } = await handle.execute<{
    what: AccessPart;
    actorId: string | null;
    actorName: string | null;
    isStaff: boolean | null;
    at: string;
  }>(sql`
    select what, changes.actor_id as "actorId", max(changes.created_at)::text as at, accounts.is_admin as "isStaff",
           coalesce(nullif(accounts.full_name, ''), accounts.email, accounts.phone) as "actorName"
      from (
        select case action when 'password_issued' then 'password' when 'otp_set' then 'code' else 'bank' end as what,
               actor_id, created_at
          from ${auditEntries}
         where target_type = 'account' and target_id = ${accountId}::bigint and created_at >= ${from}::timestamptz
           and ${isAccessEntry} and action <> 'withdrawals_held'
        union all
        select 'balance', actor_id, created_at
          from ${ledgerEntries}
         where account_id = ${accountId}::bigint and created_at >= ${from}::timestamptz
           and type not in ('withdrawal', 'withdrawal_refund')
      ) changes
      left join ${accounts} on accounts.id = changes.actor_id
     group by what, changes.actor_id, accounts.id
     order by max(changes.created_at) desc, what`);
  return rows.map(({ actorId, at, ...change }) => ({
    ...change,
    actorId: actorId === null ? null : Number(actorId),
    at: new Date(at),
  }));
}

/** When an account's withdrawals were last put on the long hold, or undefined. */
export async function findLongHold(
  handle: Reader,
  accountId: number,
  since: Date,
): Promise<Date | undefined> {
  const [held] = await handle
    .select({ at: auditEntries.createdAt })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.targetId, accountId),
        gte(auditEntries.createdAt, since),
        isAccessEntry,
        sql`${auditEntries.action} = 'withdrawals_held'`,
      ),
    )
    .orderBy(desc(auditEntries.createdAt))
    .limit(1);
  return held?.at;
}

type NewSession = typeof sessions.$inferInsert;

/** A session with its account, whatever state either is in; what that means is the service's to say. */
const sessionByHash = prepared((handle) =>
  handle
    .select({ session: packed(getTableColumns(sessions)), account: packed(getTableColumns(accounts)) })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(eq(sessions.tokenHash, sql.placeholder('tokenHash')), isNull(accounts.deletedAt))),
);

export async function findSession(handle: Reader, tokenHash: string) {
  const [row] = await sessionByHash(handle, { tokenHash });
  return row;
}

const insertingSession = prepared((tx: Tx) =>
  tx.insert(sessions).values({
    tokenHash: sql.placeholder('tokenHash'),
    accountId: sql.placeholder('accountId'),
    createdAt: sql.placeholder('createdAt'),
    expiresAt: sql.placeholder('expiresAt'),
  }),
);

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  sendUnawaited(tx, insertingSession(tx, session));
}

export async function deleteSession(tx: Tx, tokenHash: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
}

/** Ends an account's sessions at once, on every server process; `except` is the one that asked for it. */
export async function deleteSessionsOf(tx: Tx, accountId: number, except?: string): Promise<void> {
  const ofAccount = eq(sessions.accountId, accountId);
  await tx
    .delete(sessions)
    .where(except === undefined ? ofAccount : and(ofAccount, ne(sessions.tokenHash, except)));
}

/** Marks an account's sessions as ended by a suspension: 403 while it lasts, 401 afterwards. */
export async function endSessionsOf(tx: Tx, accountId: number, endedAt: Date): Promise<void> {
  await tx.update(sessions).set({ endedAt }).where(eq(sessions.accountId, accountId));
}

/** Also those that began after `future`: the clock had been ahead, and they would last for too long. */
export async function deleteExpiredSessions(tx: Tx, now: Date, future: Date): Promise<void> {
  await tx.delete(sessions).where(or(lt(sessions.expiresAt, now), gt(sessions.createdAt, future)));
}

const network = { accountId: sql.placeholder('accountId'), networkHash: sql.placeholder('networkHash') };
const networkByHash = prepared((reader) =>
  reader
    .select({ accountId: knownNetworks.accountId })
    .from(knownNetworks)
    .where(
      and(eq(knownNetworks.accountId, network.accountId), eq(knownNetworks.networkHash, network.networkHash)),
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

export async function isKnownNetwork(
  reader: Reader,
  accountId: number,
  networkHash: string,
): Promise<boolean> {
  return (await networkByHash(reader, { accountId, networkHash })).length > 0;
}

export const noteNetwork = (tx: Tx, network: typeof knownNetworks.$inferInsert): void =>
  sendUnawaited(tx, notingNetwork(tx, network));

export async function deleteNetworksOf(tx: Tx, accountId: number): Promise<void> {
  await tx.delete(knownNetworks).where(eq(knownNetworks.accountId, accountId));
}

export async function deleteOldNetworks(tx: Tx, kept: KeptSpan): Promise<void> {
  await tx.delete(knownNetworks).where(isOutside(knownNetworks.seenAt, kept));
}

type TryWindow = { scope: string; key: string; now: Date; windowMs: number };

type CountedTry = { count: number; blockedUntil: Date | null; windowStartedAt: Date };

const moment = (name: string) => sql`${sql.placeholder(name)}::timestamptz`;
const blockedFrom = sql`${tries.blockedUntil} - make_interval(secs => ${sql.placeholder('windowSeconds')}::float8)`;
const isOver = sql`(greatest(${tries.windowStartedAt}, ${tries.blockedUntil}) <= ${moment('windowAgo')}
  or greatest(${tries.windowStartedAt}, ${blockedFrom}) > ${moment('future')})`;
const counting = prepared((tx: Tx) =>
  tx
    .insert(tries)
    .values({
      scope: sql.placeholder('scope'),
      key: sql.placeholder('key'),
      count: 1,
      windowStartedAt: sql.placeholder('now'),
    })
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
 * Counts one try and answers the state after it, in one statement, so that any number of simultaneous tries are each
 * counted. It starts again at one when a whole window has passed since it started and, after a block, since the block's
 * end: tries that go on after each wait are not forgotten. It also does when the window starts in the
 * future, or a block ends later than any can: the clock had been ahead, and nobody is to wait until then.
 */
export async function countTry(tx: Tx, { scope, key, now, windowMs }: TryWindow): Promise<CountedTry> {
  const windowAgo = new Date(now.getTime() - windowMs).toISOString();
  const future = new Date(now.getTime() + limits.clockSkewMs).toISOString();
  return onlyRow(await counting(tx, { scope, key, now, windowAgo, future, windowSeconds: windowMs / 1000 }));
}

/** Blocks a key; a block that already lasts longer stays. */
export async function blockTries(tx: Tx, scope: string, key: string, until: Date): Promise<void> {
  await tx
    .update(tries)
    .set({ blockedUntil: sql`greatest(${tries.blockedUntil}, ${until.toISOString()}::timestamptz)` })
    .where(and(eq(tries.scope, scope), eq(tries.key, key)));
}

/** Takes back a try that turned out to be none. */
export async function uncountTry(tx: Tx, scope: string, key: string): Promise<void> {
  await tx
    .update(tries)
    .set({ count: sql`greatest(${tries.count} - 1, 0)` })
    .where(and(eq(tries.scope, scope), eq(tries.key, key)));
}

const forgetting = prepared((tx: Tx) =>
  tx
    .delete(tries)
    .where(and(eq(tries.scope, sql.placeholder('scope')), eq(tries.key, sql.placeholder('key')))),
);

export const forgetTry = (tx: Tx, counter: { scope: string; key: string }): void =>
  sendUnawaited(tx, forgetting(tx, counter));

export async function forgetTries(tx: Tx, scope: string, key?: string): Promise<void> {
  await tx
    .delete(tries)
    .where(and(eq(tries.scope, scope), key === undefined ? undefined : eq(tries.key, key)));
}

export async function deleteOldTries(tx: Tx, kept: KeptSpan): Promise<void> {
  await tx.delete(tries).where(isOutside(tries.windowStartedAt, kept));
}

export type AllowedIpRow = typeof allowedIps.$inferSelect;

export async function readAllowedIps(handle: Reader): Promise<AllowedIpRow[]> {
  return handle.select().from(allowedIps).orderBy(asc(allowedIps.id));
}

/** The same, before it is changed: every other change of it waits until this transaction ends; readers go on. */
export async function lockAllowedIps(tx: Tx): Promise<AllowedIpRow[]> {
  await tx.execute(sql`lock table ${allowedIps} in share row exclusive mode`);
  await noteAllowedIps(tx);
  return readAllowedIps(tx);
}

export async function insertAllowedIp(
  tx: Tx,
  entry: { ipAddress: string; description: string | null; createdAt: Date },
): Promise<AllowedIpRow> {
  return onlyRow(await tx.insert(allowedIps).values(entry).returning());
}

export async function deleteAllowedIps(tx: Tx, id?: number): Promise<void> {
  await tx.delete(allowedIps).where(id === undefined ? undefined : eq(allowedIps.id, id));
}
