import * as api from '#contract/api.ts';
import { createAdmin } from '#server/services/admin-account-service.ts';
import { readStats } from '#server/services/stats-service.ts';
import type { Bind } from './route.ts';

/** Admin accounts and the panel's counts (contract section 6). */
export function bindAdminRoutes(route: Bind): void {
  route(api.createAdmin, ({ deps, caller, body, address, wants }) =>
    createAdmin(deps, { id: caller.account.id, address }, body, wants),
  );

  route(api.readStats, ({ deps }) => readStats(deps));
}
