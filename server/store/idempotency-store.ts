import { and, eq, sql } from 'drizzle-orm';
import { type Reader, sendUnawaited, type Tx } from '#server/platform/database/database.ts';
import { prepared } from '#server/platform/database/prepared.ts';
import { blanks, firstOf } from './packed-columns.ts';
import { idempotencyKeys } from './schema.ts';
import { isOutside, type KeptSpan } from './spans.ts';

export type Claim = Omit<KeptAnswer, 'status' | 'reply'>;

/** `reply` is sealed. */
export type StoredAnswer = { status: number; reply: string };

export type KeptAnswer = typeof idempotencyKeys.$inferSelect;

const place = blanks('accountId', 'endpoint', 'key');
const claiming = prepared((tx: Tx) =>
  tx
    .insert(idempotencyKeys)
    .values({ ...place, ...blanks('requestHash', 'createdAt') })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key }),
);
const isPlace = and(
  eq(idempotencyKeys.accountId, place.accountId),
  eq(idempotencyKeys.endpoint, place.endpoint),
  eq(idempotencyKeys.key, place.key),
);
const storing = prepared((tx: Tx) =>
  tx
    .update(idempotencyKeys)
    .set({ status: sql`${sql.placeholder('status')}`, reply: sql`${sql.placeholder('reply')}` })
    .where(isPlace),
);

/**
 * Claims a key for this transaction. False if it is taken; a second claimant waits until the first one's transaction
 * has ended, so it never sees a key without its answer.
 */
export const claimKey = async (tx: Tx, claim: Claim): Promise<boolean> =>
  (await claiming(tx, claim)).length > 0;

const reading = prepared((reader) => reader.select().from(idempotencyKeys).where(isPlace));

export const readKey = (reader: Reader, claim: Claim): Promise<KeptAnswer | undefined> =>
  firstOf(reading(reader, claim));

export const storeAnswer = (tx: Tx, claim: Claim, { status, reply }: StoredAnswer): void =>
  sendUnawaited(tx, storing(tx, { ...claim, status, reply: JSON.stringify(reply) }));

/** Stores a refusal whose transaction was rolled back. False if another request stored an answer first. */
export async function storeFailedAnswer(tx: Tx, claim: Claim, answer: StoredAnswer): Promise<boolean> {
  const rows = await tx
    .insert(idempotencyKeys)
    .values({ ...claim, ...answer })
    .onConflictDoNothing()
    .returning();
  return rows.length > 0;
}

/** A retry that comes later is a new request. */
export const deleteOldKeys = (tx: Tx, kept: KeptSpan) =>
  tx.delete(idempotencyKeys).where(isOutside(idempotencyKeys.createdAt, kept));
