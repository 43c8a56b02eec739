import { and, eq, sql } from 'drizzle-orm';
import { limits } from '#domain/limits.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { isOutside, type KeptSpan } from './kept-span.ts';
import { tries } from './schema.ts';

export type TryWindow = { scope: string; key: string; now: Date; windowMs: number };

export type CountedTry = { count: number; blockedUntil: Date | null; windowStartedAt: Date };

/**
 * Counts one try and answers the state after it, in one statement, so that any number of simultaneous tries are each
 * counted. It starts again at one when a whole window has passed since it started and, after a block, since the block's
 * end: tries that go on after each wait are not forgotten. It also does when the window starts in the
 * future, or a block ends later than any can: the clock had been ahead, and nobody is to wait until then.
 */
export async function countTry(tx: Tx, { scope, key, now, windowMs }: TryWindow): Promise<CountedTry> {
  const windowAgo = sql`${new Date(now.getTime() - windowMs).toISOString()}::timestamptz`;
  const future = sql`${new Date(now.getTime() + limits.clockSkewMs).toISOString()}::timestamptz`;
  const blockedFrom = sql`${tries.blockedUntil} - make_interval(secs => ${windowMs / 1000})`;
  const isOver = sql`(greatest(${tries.windowStartedAt}, ${tries.blockedUntil}) <= ${windowAgo}
    or greatest(${tries.windowStartedAt}, ${blockedFrom}) > ${future})`;
  const [row] = await tx
    .insert(tries)
    .values({ scope, key, count: 1, windowStartedAt: now })
    .onConflictDoUpdate({
      target: [tries.scope, tries.key],
      set: {
        count: sql`case when ${isOver} then 1 else ${tries.count} + 1 end`,
        windowStartedAt: sql`case when ${isOver} then excluded.window_started_at else ${tries.windowStartedAt} end`,
        blockedUntil: sql`case when ${isOver} then null else ${tries.blockedUntil} end`,
      },
    })
    .returning();
  if (!row) throw new Error('a counted try was not returned');
  return row;
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

/** Without a key, all of the scope. */
export async function forgetTries(tx: Tx, scope: string, key?: string): Promise<void> {
  await tx
    .delete(tries)
    .where(and(eq(tries.scope, scope), key === undefined ? undefined : eq(tries.key, key)));
}

export async function deleteOldTries(tx: Tx, kept: KeptSpan): Promise<void> {
  await tx.delete(tries).where(isOutside(tries.windowStartedAt, kept));
}
