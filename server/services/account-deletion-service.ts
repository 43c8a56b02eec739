import { records } from '#contract/wording/server-words.ts';
import { limits } from '#domain/limits.ts';
import { isLoanOut } from '#domain/loan.ts';
import { isMainAdmin } from '#domain/member.ts';
import { messageChannels } from '#domain/message.ts';
import { formatPeso, pesosText } from '#domain/money.ts';
import { fieldsWith } from '#domain/profile.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import type { Once } from '#server/idempotency.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { deleteAccessOf } from '#server/store/access-store.ts';
import {
  type Account,
  type AccountChange,
  attachedFileIds,
  changeAccount,
  documentColumns,
  leaveSharedPhone,
  lockAccount,
  noCode,
  profileColumn,
} from '#server/store/account-store.ts';
import {
  blankBooksOf,
  hasBooks,
  lockClosedAccounts,
  readFilesToErase,
  readUnsettled,
} from '#server/store/erasure-store.ts';
import { wasReleasedByHand } from '#server/store/ledger-store.ts';
import { lockLoansOf } from '#server/store/loan-store.ts';
import { cancelMessagesOf, deleteContactCodes } from '#server/store/message-store.ts';
import { audit } from './audit-service.ts';
import { removeDocuments } from './document-service.ts';
import { serverConsole } from './first-start-service.ts';
import { closeRequests, requireRoleFor } from './four-eyes.ts';
import { tellBorrower } from './notice-service.ts';
import { tellOutside } from './outbox-service.ts';
import { asBorrower } from './own-account.ts';
import { noSecondStep } from './second-step-codes.ts';
import { type Act, type Caller, lockOwnAccount, type Staff, withOwnPassword } from './session-service.ts';
import { countToday } from './tries-service.ts';

/**
 * Deletes an account (§deleting-members). Its row, loans, withdrawals and ledger stay for the books. The reference
 * person is erased at once, because there is no reason to keep them. A member without books is erased entirely; the
 * others later, by `eraseClosedAccounts`.
 */
export async function deleteUser(deps: Deps, id: number, once: Once<Act<Staff>>) {
  let fileIds: string[] = [];
  const done = await once(async (by) => {
    const { tx, actor: staff } = by;
    await lockLoansOf(tx, id);
    const account = (await lockAccount(tx, id, 'update')) ?? fail('not_found');
    if (account.isAdmin && !isMainAdmin(staff.account)) fail('main_admin_only');
    if (isMainAdmin(account)) fail('main_admin_protected');
    const isAlone = await requireRoleFor(tx, staff, await asBorrower(deps, tx, account), 'encoder');
    if (!account.isAdmin) await requireSettled(tx, account);
    const now = deps.clock.now();
    const act = { ...by, isAlone };
    await closeRequests(act, { accountId: id });
    const isErased = !account.isAdmin && !(await hasBooks(tx, id));
    await deleteAccessOf(tx, id);
    await cancelMessagesOf(tx, id, 'closed', now);
    await deleteContactCodes(tx, id);
    await tellOutside(act, id, 'account_closed', { former: messageChannels });
    await leaveSharedPhone(tx, account);
    await changeAccount(tx, id, {
      ...withoutAccess,
      ...(account.isAdmin ? {} : withoutReference),
      deletedAt: now,
      updatedAt: now,
    });
    const before = {
      status: account.status,
      balance: pesosText(account.balanceCentavos),
      ...(account.deletionRequestedAt && { deletionRequestedAt: account.deletionRequestedAt }),
    };
    if (account.isAdmin) await audit(act, 'admin_deleted', { account: id }, { before });
    else {
      const erased = isErased ? 'everything' : Object.keys(withoutReference);
      await audit(act, 'member_deleted', { account: id }, { before, after: { erased } });
    }
    fileIds = isErased ? await erase(tx, account, now) : [];
  });
  await removeDocuments(deps, fileIds);
  return done;
}

/** Nobody loses access to their own money, nor to a loan that they are still paying back (§deleting-members). */
async function requireSettled(reader: Reader, { id, balanceCentavos }: Account): Promise<void> {
  const { withdrawals, loans } = await readUnsettled(reader, id);
  const numbers = (rows: { number: string }[]) => rows.map(({ number }) => number).join(', ');
  const loansOut = [];
  for (const loan of loans) {
    const isOut = isLoanOut(loan) || (!loan.accountState && (await wasReleasedByHand(reader, loan)));
    if (isOut) loansOut.push(loan);
  }
  const { wallet, withdrawal, loan } = records.unsettled;
  const parts = [
    ...(balanceCentavos > 0 ? [wallet(formatPeso(balanceCentavos))] : []),
    ...(withdrawals.length > 0 ? [withdrawal(numbers(withdrawals))] : []),
    ...(loansOut.length > 0 ? [loan(numbers(loansOut))] : []),
  ];
  if (parts.length > 0)
    fail('member_not_settled', { message: [...parts, records.unsettled.afterwards].join(' ') });
}

/** The columns that let a person sign in, or identify them, all emptied. */
const withoutAccess = {
  phoneKey: null,
  phoneShare: 0,
  emailKey: null,
  issuedPasswordSealed: null,
  issuedPasswordAt: null,
  ...noSecondStep,
  ...noCode,
  codeRequestedAt: null,
  phoneConfirmedAt: null,
  phoneConfirmedBy: null,
  emailConfirmedAt: null,
  deletionRequestedAt: null,
} satisfies AccountChange;

const emptied = (columns: readonly (keyof AccountChange)[]): AccountChange =>
  Object.fromEntries(columns.map((column) => [column, null]));

const withoutReference = emptied(fieldsWith('isErasedAtClosing').map((name) => profileColumn[name]));

/** Everything else that is personal, except amounts. */
const withoutPerson: AccountChange = {
  ...emptied([...Object.values(profileColumn), ...documentColumns]),
  fullName: records.erasedName,
  phone: '',
  searchText: '',
  oldNumber: null,
  passwordHash: '',
};

/** Returns the pictures to remove after the commit; housekeeping removes those that fail then. */
async function erase(tx: Tx, account: Account, now: Date): Promise<string[]> {
  const { id } = account;
  await changeAccount(tx, id, { ...withoutPerson, erasedAt: now, updatedAt: now });
  const fileIds = await readFilesToErase(tx, id, attachedFileIds(account));
  await blankBooksOf(tx, id);
  return fileIds;
}

const accountsAtATime = 20;

/** Once the books no longer need the person's identity (RA 10173, section 11(e)). */
export async function eraseClosedAccounts(deps: Deps): Promise<void> {
  const before = new Date(deps.clock.now());
  before.setUTCFullYear(before.getUTCFullYear() - limits.closedAccountKeptYears);
  for (;;) {
    const erased = await deps.database.transaction(async (tx) => {
      const closed = await lockClosedAccounts(tx, before, accountsAtATime);
      const fileIds: string[] = [];
      for (const account of closed) {
        fileIds.push(...(await erase(tx, account, deps.clock.now())));
        await audit({ deps, tx, actor: serverConsole }, 'member_erased', { account: account.id });
      }
      return { count: closed.length, fileIds };
    });
    await removeDocuments(deps, erased.fileIds);
    if (erased.count < accountsAtATime) return;
  }
}

/**
 * RA 10173, section 16(e). Takes the password, and the borrower gets a message, so that a stranger with the phone cannot ask,
 * and one with the password too is noticed.
 */
export const requestDeletion = (deps: Deps, caller: Caller, password: string) =>
  withOwnPassword(deps, caller, password, (act, account) =>
    changeDeletionRequest(act, account, 'deletion_requested'),
  );

export async function withdrawDeletion(act: Act) {
  await changeDeletionRequest(act, await lockOwnAccount(act), 'deletion_withdrawn');
}

async function changeDeletionRequest(
  act: Act,
  { id, deletionRequestedAt }: Account,
  action: 'deletion_requested' | 'deletion_withdrawn',
) {
  const { deps, tx } = act;
  const isRequested = action === 'deletion_requested';
  if (isRequested === (deletionRequestedAt !== null)) return { requestedAt: deletionRequestedAt };
  await countToday(act, 'deletion_request');
  const now = deps.clock.now();
  const requestedAt = isRequested ? now : null;
  await changeAccount(tx, id, { deletionRequestedAt: requestedAt, updatedAt: now });
  await audit(act, action, { account: id });
  if (isRequested) await tellBorrower(act, id, 'deletion_requested');
  else await tellBorrower(act, id, 'deletion_withdrawn');
  return { requestedAt };
}
