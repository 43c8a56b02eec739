import * as api from '#contract/api.ts';
import { records } from '#contract/wording/records.ts';
import { listNotices, sendMessage } from '#server/services/notice-service.ts';
import { closeNews } from '#server/services/profile-service.ts';
import type { Bind } from './route.ts';

/** Messages to a borrower: the product's own, and those that staff write (§notices-to-borrowers). */
export function bindNotificationRoutes(route: Bind): void {
  route(api.listNotifications, ({ deps, caller }) => listNotices(deps, caller.account));

  route(api.closeAccessNews, async ({ deps, caller, body }) => {
    await closeNews(deps, caller, body.lastId);
    return { message: records.noticesRead };
  });

  route(api.notifyMember, ({ deps, caller, body, address }) =>
    sendMessage(deps, { id: caller.account.id, address }, body),
  );
}
