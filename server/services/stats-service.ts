import type { Deps } from '#server/deps.ts';
import { readCounts } from '#server/store/stats-store.ts';

/** Counts of members, loans and withdrawals; input of `StatsReply` (§counts). */
export async function readStats(deps: Deps) {
  return deps.database.read((reader) => readCounts(reader));
}
