import { paths } from '#contract/routes.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { addressOf } from '#web/lib/call.ts';

/** A filter on the log: what one account did, or what was done to one account, loan, withdrawal or address. */
export type AuditScope = { actorId?: string; targetType?: string; targetId?: string };

/** `?whom=account-1001`, `?who=3`. */
export function auditPath({ actorId, targetType, targetId }: AuditScope): string {
  return addressOf(paths.audit, {}, { who: actorId, whom: targetType && `${targetType}-${targetId}` });
}

const actionWords: Record<string, string> = panel.audit.actions;

/** Actions without wording appear under their own name. */
export const auditWord = (action: string): string =>
  (Object.hasOwn(actionWords, action) && actionWords[action]) || action.replaceAll('_', ' ');
