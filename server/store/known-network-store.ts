import { and, eq } from 'drizzle-orm';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { isOutside, type KeptSpan } from './kept-span.ts';
import { knownNetworks } from './schema.ts';

export async function isKnownNetwork(
  reader: Reader,
  accountId: number,
  networkHash: string,
): Promise<boolean> {
  const isIt = and(eq(knownNetworks.accountId, accountId), eq(knownNetworks.networkHash, networkHash));
  return (await reader.$count(knownNetworks, isIt)) > 0;
}

export async function noteNetwork(tx: Tx, network: typeof knownNetworks.$inferInsert): Promise<void> {
  await tx
    .insert(knownNetworks)
    .values(network)
    .onConflictDoUpdate({
      target: [knownNetworks.accountId, knownNetworks.networkHash],
      set: { seenAt: network.seenAt },
    });
}

export async function deleteNetworksOf(tx: Tx, accountId: number): Promise<void> {
  await tx.delete(knownNetworks).where(eq(knownNetworks.accountId, accountId));
}

export async function deleteOldNetworks(tx: Tx, kept: KeptSpan): Promise<void> {
  await tx.delete(knownNetworks).where(isOutside(knownNetworks.seenAt, kept));
}
