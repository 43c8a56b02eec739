import * as api from '#contract/api.ts';
import { readAudit } from '#server/services/audit-service.ts';
import type { Bind } from './route.ts';

/** Who did what to whom (§audit-log). */
export function bindAuditRoutes(route: Bind): void {
  route(api.listAudit, ({ deps, query }) => readAudit(deps, query));
}
