import type { Deps } from '#server/deps.ts';
import { runHousekeeping } from '#server/services/housekeeping-service.ts';
import { insertAuditEntry } from '#server/store/audit-store.ts';

const hourMs = 60 * 60 * 1000;

/**
 * Keeps house as a server does that has run all the while: a test turns its clock by days, and housekeeping would take
 * that for a clock that has leapt.
 */
export async function keepSteadyHouse(deps: Deps): Promise<void> {
  for (const hoursAgo of [24, 1]) {
    const createdAt = new Date(deps.clock.now().getTime() - hoursAgo * hourMs);
    await deps.database.transaction((tx) => insertAuditEntry(tx, { action: 'quiet_day', createdAt }));
  }
  await runHousekeeping(deps);
}
