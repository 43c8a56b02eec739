import * as api from '#contract/api.ts';
import { records } from '#contract/wording/records.ts';
import { createAdmin } from '#server/services/admin-account-service.ts';
import { audit } from '#server/services/audit-service.ts';
import { readStats } from '#server/services/stats-service.ts';
import type { Bind } from './route.ts';

/** Admin accounts and the panel's counts. */
export function bindAdminRoutes(route: Bind): void {
  route(api.createAdmin, ({ deps, caller, body, address, wants }) =>
    createAdmin(deps, { id: caller.account.id, address }, body, wants),
  );

  route(api.noteExport, async ({ deps, caller, body, address }) => {
    const actor = { id: caller.account.id, address };
    await deps.database.transaction((tx) => audit(deps, tx, actor, { action: 'list_exported', after: body }));
    return { message: records.exportNoted };
  });

  route(api.readStats, ({ deps }) => readStats(deps));
}
