import type { output } from 'zod/mini';
import type { MembersQuery } from '#contract/member.ts';
import { limits } from '#domain/limits.ts';
import { isMainAdmin } from '#domain/member.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { Replayed } from '#server/once.ts';
import type { Reader } from '#server/platform/database/database.ts';
import {
  type Account,
  type AccountPage,
  findAccount,
  readAccountPage,
  readCounts,
} from '#server/store/account-store.ts';
import { noSecrets, type SecretsShown, viewMember } from './account-view.ts';
import { type AuditEvent, audit, auditLook } from './audit-service.ts';
import type { Staff } from './session-service.ts';

export type MemberView = ReturnType<typeof viewMember>;

/** Members without the admins (§staff-lists). */
export function listMembers(deps: Deps, staff: Staff, { search, status }: output<typeof MembersQuery>) {
  return listAccounts(deps, staff, {
    role: 'member',
    search: search?.toLowerCase() || undefined,
    status: status === 'all' ? undefined : status || undefined,
  });
}

export const listAllUsers = (deps: Deps, staff: Staff, role: 'admin' | 'member' | undefined) =>
  listAccounts(deps, staff, { role });

const listAccounts = (deps: Deps, staff: Staff, filter: Omit<AccountPage, 'before' | 'limit'>) =>
  pagesOf(deps, staff, {
    read: (reader, page) => readAccountPage(reader, { ...filter, ...page }),
    idOf: ({ id }) => id,
    view: (rows, wants) => revealed(deps, { ...staff, wants }, rows),
  });

/** Loans or withdrawals, each with its member's one-time code. */
export function listPages<Row, View extends { user: { id: number; otpCode: string | null } }>(
  deps: Deps,
  staff: Staff,
  list: {
    read: (reader: Reader, page: Page) => Promise<Row[]>;
    idOf: (row: Row) => number;
    view: (row: Row, wants: SecretsShown) => View;
  },
) {
  return pagesOf(deps, staff, {
    ...list,
    view: async (rows: Row[], wants) => {
      const views = rows.map((row) => list.view(row, wants));
      const members = views.map(({ user }) => user);
      await noteCodes(deps, staff, members);
      return views;
    },
  });
}

type Page = { before: number | undefined; limit: number };

/** Newest first. Secrets are told only when the whole answer is short (§secrets-in-answers). */
async function* pagesOf<Row, View>(
  deps: Deps,
  staff: Staff,
  list: {
    read: (reader: Reader, page: Page) => Promise<Row[]>;
    idOf: (row: Row) => number;
    view: (rows: Row[], wants: SecretsShown) => Promise<View[]>;
  },
) {
  const limit = limits.listPageRows;
  let before: number | undefined;
  for (;;) {
    const page = { before, limit };
    const rows = await deps.database.readOnReplica((reader) => list.read(reader, page));
    // A page is longer than the longest answer with secrets, so the first one shows whether the answer is short.
    const isShortAnswer = before === undefined && rows.length <= limits.secretRowsMax;
    yield await list.view(rows, isShortAnswer ? staff.wants : noSecrets);
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    before = list.idOf(last);
  }
}

export const readStats = (deps: Deps) => deps.database.readOnReplica((reader) => readCounts(reader));

export async function readMember(deps: Deps, staff: Staff, id: number): Promise<MemberView> {
  const account = await deps.database.read((handle) => findAccount(handle, id));
  if (!account) fail('not_found');
  return withSecrets(deps, staff, account);
}

export async function withSecrets(
  deps: Deps,
  staff: Staff,
  account: Account,
  isCodeKnown = false,
): Promise<MemberView> {
  const [view] = await revealed(deps, staff, [account], isCodeKnown);
  if (!view) throw new Error('an account went unseen');
  return view;
}

/**
 * Adds an account's current secrets to an answer that was kept for retries without them. Somebody who has just set the
 * code (`isCodeKnown`) is not logged as looking at it.
 */
export async function addSecrets<View extends MemberView>(
  deps: Deps,
  staff: Staff,
  answer: View | Replayed,
  isCodeKnown: boolean,
): Promise<View | Replayed> {
  const kept = answer instanceof Replayed ? keptMember(answer) : answer;
  const account = kept && (await deps.database.read((handle) => findAccount(handle, kept.id)));
  if (!account) return answer;
  const { plainPassword, otpCode } = await withSecrets(deps, staff, account, isCodeKnown);
  return answer instanceof Replayed
    ? new Replayed(answer.status, { ...(answer.reply as object), plainPassword, otpCode })
    : { ...answer, plainPassword, otpCode };
}

function keptMember({ status, reply }: Replayed): { id: number } | undefined {
  return status === 200 ? (reply as { id: number }) : undefined;
}

/** Accounts with the secrets that this reader may see, logged in one entry for passwords and one for codes. */
async function revealed(deps: Deps, staff: Staff, accounts: readonly Account[], isCodeKnown = false) {
  const isForMain = isMainAdmin(staff.account);
  const views = accounts.map((account) => {
    const mayRead = isForMain || !account.isAdmin;
    return viewMember(deps, account, mayRead ? staff.wants : noSecrets);
  });
  const ids = views.flatMap(({ id, plainPassword }) => (plainPassword === null ? [] : [id]));
  if (ids.length > 0) {
    await deps.database.transaction((tx) => audit(deps, tx, staff, revealOf('password_revealed', ids)));
  }
  if (!isCodeKnown) await noteCodes(deps, staff, views);
  return views;
}

async function noteCodes(
  deps: Deps,
  staff: Staff,
  shown: readonly { id: number; otpCode: string | null }[],
): Promise<void> {
  const ids = new Set(shown.flatMap(({ id, otpCode }) => (otpCode === null ? [] : [id])));
  if (ids.size > 0) await auditLook(deps, staff, revealOf('code_revealed', [...ids]));
}

function revealOf(action: 'password_revealed' | 'code_revealed', accountIds: readonly number[]): AuditEvent {
  const [id] = accountIds;
  return accountIds.length === 1 && id !== undefined
    ? { action, on: { account: id } }
    : { action, after: { accountIds } };
}
