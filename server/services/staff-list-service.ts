import { limits } from '#domain/limits.ts';
import { isMainAdmin, type MemberStatus } from '#domain/member.ts';
import { foldText } from '#domain/text.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { Replayed } from '#server/idempotency.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { readPages } from '#server/platform/read-pages.ts';
import {
  type Account,
  type AccountPage,
  findAccount,
  type ListedAccount,
  type ListPage,
  readAccountPage,
  readCounts,
} from '#server/store/account-store.ts';
import { noSecrets, type SecretsShown, viewMember } from './account-view.ts';
import { type AuditEntry, audit, auditLook } from './audit-service.ts';
import type { Staff } from './session-service.ts';

type MemberView = ReturnType<typeof viewMember>;

/** Members, admins, or without a role both (§staff-lists). */
export function listAccounts(deps: Deps, staff: Staff, { role, ...query }: AccountsQuery) {
  const read = (reader: Reader, page: ListPage<MemberStatus>) => readAccountPage(reader, { ...page, role });
  const pages = pagesOf(deps, query, read, ({ id }) => id);
  return viewed(staff, pages, (rows, wants) => revealed(deps, { ...staff, wants }, rows));
}

type AccountsQuery = ListQuery<MemberStatus> & Pick<AccountPage, 'role'>;

type CodeShown = { id: number; otpCode: string | null };

/** Loans or withdrawals, each with its member's one-time code. */
export const withCodes = <Row, View extends { user: CodeShown }>(
  deps: Deps,
  staff: Staff,
  pages: AsyncIterable<Row[]>,
  view: (row: Row, showsCode: boolean) => View,
) =>
  viewed(staff, pages, async (rows, wants) => {
    const views = rows.map((row) => view(row, wants.otp));
    const members = views.map(({ user }) => user);
    await noteCodes(deps, staff, members);
    return views;
  });

/** Empty text and the status `all` filter nothing. */
type ListQuery<Status> = { search?: string | undefined; status?: Status | '' | 'all' | undefined };

/** Newest first, page by page. */
export function pagesOf<Row, Status extends string>(
  deps: Deps,
  query: ListQuery<Status>,
  read: (reader: Reader, page: ListPage<Status>) => Promise<Row[]>,
  idOf: (row: Row) => number,
) {
  const search = foldText(query.search ?? '') || undefined;
  const status = query.status === 'all' ? undefined : query.status || undefined;
  const limit = limits.listPageRows;
  const readPage = (before: number | undefined) =>
    deps.database.readOnReplica((reader) => read(reader, { search, status, before, limit }));
  return readPages(readPage, idOf, limit);
}

/** Secrets are shown only if the whole reply is short (§secrets-in-answers). */
async function* viewed<Row, View>(
  staff: Staff,
  pages: AsyncIterable<Row[]>,
  view: (rows: Row[], wants: SecretsShown) => Promise<View[]>,
) {
  let isFirst = true;
  for await (const rows of pages) {
    // A page is longer than the longest reply with secrets, so the first page shows whether the reply is short.
    const isShortAnswer = isFirst && rows.length <= limits.secretRowsMax;
    yield await view(rows, isShortAnswer ? staff.wants : noSecrets);
    isFirst = false;
  }
}

export const readStats = (deps: Deps) => deps.database.readOnReplica((reader) => readCounts(reader));

export async function readMember(deps: Deps, staff: Staff, id: number): Promise<MemberView> {
  const account = await deps.database.read((reader) => findAccount(reader, id));
  return withSecrets(deps, staff, account ?? fail('not_found'));
}

export async function withSecrets(deps: Deps, staff: Staff, account: Account, isCodeKnown = false) {
  const [view] = await revealed(deps, staff, [account], isCodeKnown);
  if (!view) throw new Error('an account went unseen');
  return view;
}

/**
 * Adds an account's current secrets to a reply that was stored for retries without them. Somebody who has just set the
 * code (`isCodeKnown`) is not logged as viewing it.
 */
export async function addSecrets<View extends MemberView>(
  deps: Deps,
  staff: Staff,
  answer: View | Replayed,
  isCodeKnown: boolean,
): Promise<View | Replayed> {
  if (answer instanceof Replayed && answer.status !== 200) return answer;
  const { id } = answer instanceof Replayed ? (answer.reply as MemberView) : answer;
  const account = await deps.database.read((reader) => findAccount(reader, id));
  if (!account) return answer;
  const { plainPassword, otpCode } = await withSecrets(deps, staff, account, isCodeKnown);
  return answer instanceof Replayed
    ? new Replayed(answer.status, { ...(answer.reply as object), plainPassword, otpCode })
    : { ...answer, plainPassword, otpCode };
}

/** Accounts with the secrets that this reader may see, logged in one entry for passwords and one for codes. */
async function revealed(deps: Deps, staff: Staff, accounts: readonly ListedAccount[], isCodeKnown = false) {
  const isForMain = isMainAdmin(staff.account);
  const views = accounts.map((account) =>
    viewMember(deps, account, isForMain || !account.isAdmin ? staff.wants : noSecrets),
  );
  const ids = views.flatMap(({ id, plainPassword }) => (plainPassword === null ? [] : [id]));
  if (ids.length > 0) {
    const { action, on, after } = revealOf('password_revealed', ids);
    await deps.database.transaction((tx) => audit({ deps, tx, actor: staff }, action, on, { after }));
  }
  if (!isCodeKnown) await noteCodes(deps, staff, views);
  return views;
}

async function noteCodes(deps: Deps, staff: Staff, shown: readonly CodeShown[]): Promise<void> {
  const ids = new Set(shown.flatMap(({ id, otpCode }) => (otpCode === null ? [] : [id])));
  if (ids.size > 0) await auditLook(deps, staff, revealOf('code_revealed', [...ids]));
}

function revealOf(action: 'password_revealed' | 'code_revealed', accountIds: readonly number[]): AuditEntry {
  const [id] = accountIds;
  return accountIds.length === 1 && id !== undefined
    ? { action, on: { account: id } }
    : { action, after: { accountIds } };
}
