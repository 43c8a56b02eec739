import type { output } from 'zod/mini';
import type { NotificationForm } from '#contract/notification.ts';
import { en } from '#contract/wording/en.ts';
import { type NoticeDetails, type NoticeKind, wordNotice } from '#contract/wording/notices.ts';
import { accessNotices, staffRoles } from '#domain/member.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { type Account, findAccount } from '#server/store/account-store.ts';
import {
  findNewestOfType,
  insertNotification,
  noteAccessNews,
  tell,
} from '#server/store/notification-store.ts';
import { readNewest } from '#server/store/own-data-store.ts';
import { hasLiveOtp } from './account-view.ts';
import { audit } from './audit-service.ts';
import { requireRole } from './four-eyes.ts';
import type { Act, Staff } from './session-service.ts';

/**
 * Tells a borrower what staff or the product did to their account, in the same transaction, so that no change is silent
 * (§notices-to-borrowers). Details are formatted: amounts as `₱1,000.00`. Another channel, such as SMS, would be added
 * here.
 */
export async function tellBorrower<Kind extends NoticeKind>(
  { deps, tx }: Pick<Act, 'deps' | 'tx'>,
  accountId: number,
  kind: Kind,
  ...[given]: NoticeDetails<Kind>
): Promise<void> {
  const details = { ...given } as Record<string, string>;
  const at = deps.clock.now();
  tell(tx, {
    accountId,
    type: kind,
    ...wordNotice(en.notices, kind, details),
    details,
    createdAt: at,
  });
  if ((accessNotices as readonly string[]).includes(kind)) await noteAccessNews(tx, accountId, at);
}

/**
 * Sends a member a message from staff. The text is stored with the member's messages and erased with them; the log has
 * only a hash.
 */
export async function sendMessage(
  act: Act<Staff>,
  { userId: accountId, title, message }: output<typeof NotificationForm>,
) {
  const { deps, tx, actor: staff } = act;
  requireRole(staff, ...staffRoles);
  const member = await findAccount(tx, accountId);
  if (!member || member.isAdmin) fail('not_found');
  const createdAt = deps.clock.now();
  const type = 'loan_update';
  const sent = await insertNotification(tx, { accountId, type, title, message, details: null, createdAt });
  const after = { notificationId: sent.id, type, hash: textHash(deps, title, message) };
  await audit(act, 'notification_sent', { account: accountId }, { after });
  return viewNotification(sent);
}

export async function listNotices(deps: Deps, account: Account, before: number | undefined) {
  const ofCode = 'otp_set' satisfies NoticeKind;
  const { rows, live } = await deps.database.read(async (reader) => ({
    rows: await readNewest.notifications(reader, account.id, before),
    live: hasLiveOtp(deps, account) ? await findNewestOfType(reader, account.id, ofCode) : null,
  }));
  return rows.map((row) => ({
    ...viewNotification(row),
    ...(row.type === ofCode && row.id !== live && { isOver: true as const }),
  }));
}

/**
 * The log's hash of a text by staff. Keyed, because a short text could be guessed from a plain hash after it was
 * erased.
 */
export const textHash = (deps: Deps, ...parts: string[]): string =>
  deps.secrets.fingerprint(parts.join('\n'), 'staff-text');

export function viewNotification({ accountId, ...rest }: Awaited<ReturnType<typeof insertNotification>>) {
  return { ...rest, userId: accountId };
}
