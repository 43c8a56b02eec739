import { limits } from '#domain/limits.ts';
import { isMainAdmin, type MemberStatus } from '#domain/member.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { Replayed } from '#server/once.ts';
import { type Account, findAccount } from '#server/store/account-store.ts';
import { type AccountPage, readAccountPage } from '#server/store/member-store.ts';
import { allSecrets, noSecrets, type SecretsShown, viewMember } from './account-view.ts';
import { type Actor, type AuditEvent, audit, auditLook } from './audit-service.ts';
import type { Caller } from './session-service.ts';

/** A staff member who reads, and from where: what they may see, and whom the log names. */
export type StaffReader = {
  caller: Caller;
  address: string;
  /** Which secrets they ask for, of those that they may see; all of them when absent. */
  wants?: SecretsShown;
};

/** A member as staff see them: input of `MemberReply`. */
export type MemberView = ReturnType<typeof viewMember>;

export type MemberFilter = { search?: string | undefined; status?: '' | 'all' | MemberStatus | undefined };

/**
 * The members, not the admins, newest first, page by page (§staff-lists). An empty search or status, and the
 * status `all`, filter nothing. `mayShowSecrets` is false for an answer of one row a line.
 */
export function listMembers(deps: Deps, reader: StaffReader, filter: MemberFilter, mayShowSecrets: boolean) {
  const { search, status } = filter;
  return accountPages(deps, reader, mayShowSecrets, {
    role: 'member',
    search: search === undefined || search === '' ? undefined : search.toLowerCase(),
    status: status === '' || status === 'all' ? undefined : status,
  });
}

/** Admin accounts and members, or one of the two, newest first, page by page. */
export function listAllUsers(
  deps: Deps,
  reader: StaffReader,
  role: 'admin' | 'member' | undefined,
  mayShowSecrets: boolean,
) {
  return accountPages(deps, reader, mayShowSecrets, { role });
}

async function* accountPages(
  deps: Deps,
  reader: StaffReader,
  mayShowSecrets: boolean,
  filter: Omit<AccountPage, 'before' | 'limit'>,
) {
  const limit = limits.listPageRows;
  let before: number | undefined;
  for (;;) {
    const page = { ...filter, before, limit };
    const rows = await deps.database.read((handle) => readAccountPage(handle, page));
    // The first page is longer than the longest answer with secrets, so it tells how long the answer is.
    const isShortAnswer = before === undefined && rows.length <= limits.secretRowsMax;
    yield isShortAnswer && mayShowSecrets
      ? await revealed(deps, reader, rows)
      : rows.map((row) => viewMember(deps, row, noSecrets));
    before = rows.at(-1)?.id;
    if (rows.length < limit) return;
  }
}

/** One account with its secrets; fails with `not_found` when there is none. */
export async function readMember(deps: Deps, reader: StaffReader, id: number): Promise<MemberView> {
  const account = await deps.database.read((handle) => findAccount(handle, id));
  if (!account) fail('not_found');
  return withSecrets(deps, reader, account);
}

/** The same for an account that was just read or written. */
export async function withSecrets(
  deps: Deps,
  reader: StaffReader,
  account: Account,
  isCodeKnown = false,
): Promise<MemberView> {
  const [view] = await revealed(deps, reader, [account], isCodeKnown);
  if (!view) throw new Error('an account went unseen');
  return view;
}

/**
 * Adds an account's secrets to an answer that was kept for retries without them, also when it is given again: the
 * password and the code are then the present ones. `isCodeKnown` to who has just set it, so that it is no look.
 */
export async function addSecrets<View extends MemberView>(
  deps: Deps,
  reader: StaffReader,
  answer: View | Replayed,
  isCodeKnown: boolean,
): Promise<View | Replayed> {
  const kept = answer instanceof Replayed ? keptMember(answer) : answer;
  const account = kept && (await deps.database.read((handle) => findAccount(handle, kept.id)));
  if (!account) return answer;
  const { plainPassword, otpCode } = await withSecrets(deps, reader, account, isCodeKnown);
  return answer instanceof Replayed
    ? new Replayed(answer.status, { ...(answer.reply as object), plainPassword, otpCode })
    : { ...answer, plainPassword, otpCode };
}

function keptMember({ status, reply }: Replayed): { id: number } | undefined {
  return status === 200 ? (reply as { id: number }) : undefined;
}

/**
 * Accounts with the secrets this reader may see, and one entry in the log when there is a password among them, and when
 * there is a code.
 */
async function revealed(
  deps: Deps,
  { caller, address, wants = allSecrets }: StaffReader,
  accounts: readonly Account[],
  isCodeKnown = false,
) {
  const isForMain = isMainAdmin(caller.account);
  const views = accounts.map((account) => {
    const mayRead = isForMain || !account.isAdmin;
    return viewMember(deps, account, mayRead ? wants : noSecrets);
  });
  const ids = views.flatMap(({ id, plainPassword }) => (plainPassword === null ? [] : [id]));
  const actor = { id: caller.account.id, address };
  if (ids.length > 0) {
    await deps.database.transaction((tx) => audit(deps, tx, actor, revealOf('password_revealed', ids)));
  }
  if (!isCodeKnown) await noteCodes(deps, actor, views);
  return views;
}

/** One entry for the one-time codes among what staff are shown. */
export async function noteCodes(
  deps: Deps,
  actor: Actor,
  shown: readonly { id: number; otpCode: string | null }[],
): Promise<void> {
  const ids = new Set(shown.flatMap(({ id, otpCode }) => (otpCode === null ? [] : [id])));
  if (ids.size > 0) await auditLook(deps, actor, revealOf('code_revealed', [...ids]));
}

function revealOf(action: 'password_revealed' | 'code_revealed', accountIds: readonly number[]): AuditEvent {
  const [id] = accountIds;
  return accountIds.length === 1 && id !== undefined
    ? { action, target: { type: 'account', id } }
    : { action, after: { accountIds } };
}
