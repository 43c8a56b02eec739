import { en } from '#contract/wording/en.ts';
import { type NoticeDetails, type NoticeKind, wordNotice } from '#contract/wording/notices.ts';
import { accessNotices } from '#domain/member.ts';
import type { Deps } from '#server/deps.ts';
import type { Account } from '#server/store/account-store.ts';
import {
  findNewestOfType,
  type insertNotification,
  noteAccessNews,
  tell,
} from '#server/store/notification-store.ts';
import { readNewest } from '#server/store/own-data-store.ts';
import { hasLiveOtp } from './account-view.ts';
import { type Former, outsideDetails, outsideKindOf, tellOutside } from './outbox-service.ts';
import type { Act } from './session-service.ts';

/** `former`: channels whose address the account is about to lose. */
type Telling = Pick<Act, 'deps' | 'tx'> & { isToldOutside?: boolean; former?: Former };

/**
 * Tells a borrower what staff or the product did to their account, in the same transaction, so that no change is silent
 * (§notices-to-borrowers), and outside the app where that is set up (§outbox). Details are formatted: amounts as `₱1,000.00`.
 * `isToldOutside: false` leaves the outside to the caller.
 */
export async function tellBorrower<Kind extends NoticeKind>(
  { deps, tx, isToldOutside = true, former }: Telling,
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
  const outside = isToldOutside ? outsideKindOf(kind, details) : undefined;
  if (outside) {
    await tellOutside({ deps, tx }, accountId, outside, {
      details: outsideDetails(outside, details),
      ...(former && { former }),
    });
  }
}

export async function listNotices(deps: Deps, account: Account, before: number | undefined) {
  const ofCode = 'otp_set' satisfies NoticeKind;
  const { rows, live } = await deps.database.read(async (reader) => ({
    rows: await readNewest.notifications(reader, account.id, before),
    // A code that was texted since replaced the one that staff set.
    live:
      hasLiveOtp(deps, account) && !account.isOtpByText
        ? await findNewestOfType(reader, account.id, ofCode)
        : null,
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
