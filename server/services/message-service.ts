import type { output } from 'zod/mini';
import type { NotificationForm } from '#contract/notification.ts';
import { staffRoles } from '#domain/member.ts';
import { fail } from '#server/failure.ts';
import { lockAccount } from '#server/store/account-store.ts';
import { insertNotification } from '#server/store/notification-store.ts';
import { audit } from './audit-service.ts';
import { noteMessage } from './contact-service.ts';
import { requireRole } from './four-eyes.ts';
import { textHash, viewNotification } from './notice-service.ts';
import { tellOutside } from './outbox-service.ts';
import type { Act, Staff } from './session-service.ts';
import { countMessageTo } from './tries-service.ts';

/**
 * Sends a member a message from staff. The text is stored with the member's messages and erased with them; the log has
 * only a hash.
 */
export async function sendMessage(
  act: Act<Staff>,
  { userId: accountId, title, message, alsoSend }: output<typeof NotificationForm>,
) {
  const { deps, tx, actor: staff } = act;
  requireRole(staff, ...staffRoles);
  const member = await lockAccount(tx, accountId);
  if (!member || member.isAdmin) fail('not_found');
  await noteMessage(act, accountId);
  await countMessageTo(act, accountId);
  const createdAt = deps.clock.now();
  const type = 'loan_update';
  const sent = await insertNotification(tx, { accountId, type, title, message, details: null, createdAt });
  const after = { notificationId: sent.id, type, hash: textHash(deps, title, message) };
  await audit(act, 'notification_sent', { account: accountId }, { after });
  // The borrower reads staff's words in the app alone.
  if (alsoSend) await tellOutside(act, accountId, 'loan_update');
  return viewNotification(sent);
}
