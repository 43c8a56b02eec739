import type { output } from 'zod/mini';
import type { ProfileUpdate } from '#contract/profile.ts';
import { en } from '#contract/wording/en.ts';
import type { DateLanguage } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { documentPieces, fieldsOf, isVerified, profileFieldNames } from '#domain/profile.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import { hourMs } from '#server/platform/clock.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import {
  type Account,
  type AccountChange,
  changeAccount,
  documentColumn,
  documentColumns,
  personChange,
  profileColumn,
} from '#server/store/account-store.ts';
import { readFilesOf } from '#server/store/document-store.ts';
import { hasApplied } from '#server/store/loan-store.ts';
import { closeAccessNews } from '#server/store/notification-store.ts';
import { keptSpan } from '#server/store/spans.ts';
import { viewUser } from './account-view.ts';
import { audit } from './audit-service.ts';
import { recordConsent } from './consent-service.ts';
import { leaveAddresses } from './contact-details-service.ts';
import { tellOutside } from './outbox-service.ts';
import { ownersUntil } from './own-account.ts';
import { type Act, lockOwnAccount } from './session-service.ts';
import { countToday } from './tries-service.ts';
import { holdAfterBoth } from './withdrawal-hold-service.ts';

/**
 * Changes any part of a borrower's own profile (§profile-fields). `foreign_document`: this account neither uploaded the
 * image nor already has it there. `language` is the form's, for the record of consent.
 */
export async function updateProfile(act: Act, change: ProfileChange, language: DateLanguage | null) {
  const { deps, tx } = act;
  const account = await lockOwnAccount(act);
  const columns = profileColumns(change);
  await requireAttachable(deps, tx, account, newDocuments(columns, account));
  const names = changedNames(account, columns);
  if (names.length === 0) return viewUser(account);
  // A number from before the rule stays until it is changed.
  const { referencePhone } = columns;
  if (names.includes('referencePhone') && referencePhone && phoneKey(referencePhone) === account.phoneKey)
    refuseField('referencePhone', 'referencePhoneOwn');
  await countToday(act, 'profile_change');

  const { marks, stamp } = await noteVerified(act, account, columns, names);
  const person = personChange(account, columns);
  const left = await leaveAddresses(act, account, person);
  if (left.former.includes('email')) await tellOutside(act, account.id, 'email_changed', left);
  const next = { ...person, ...stamp, ...left.change, updatedAt: deps.clock.now() };
  const changed = await changeAccount(tx, account.id, next);
  const after = { changed: names, ...marks, ...(await ownersUntil(tx, account, columns)) };
  await audit(act, 'profile_updated', { account: account.id }, { after });
  if (isBankAmong(names)) {
    await holdAfterBoth(act, account, 'bank');
    // The person who has the account open need not be its owner.
    await tellOutside(act, account.id, 'own_bank_details_changed');
  }
  for (const purpose of ['profile', 'documents'] as const) {
    const isMeant = names.some((name) => isDocument(name) === (purpose === 'documents'));
    if (isMeant) await recordConsent(act, account.id, purpose, language);
  }
  return viewUser(changed);
}

/**
 * Keeps, for good, that an account has been verified, before or by this change, and marks in the log a change of its bank
 * details after that (§first-status). Accounts from before this was kept were verified if they are, or once applied.
 */
export async function noteVerified(
  { deps, tx }: Pick<Act, 'deps' | 'tx'>,
  account: Account,
  columns: AccountChange,
  changed: readonly string[],
): Promise<{ marks: { wasVerified?: true }; stamp: AccountChange }> {
  if (account.isAdmin) return { marks: {}, stamp: {} };
  const was =
    account.verifiedAt !== null || isVerified(viewUser(account)) || (await hasApplied(tx, account.id));
  const isNow = was || isVerified(viewUser({ ...account, ...columns }));
  return {
    marks: was && isBankAmong(changed) ? { wasVerified: true } : {},
    stamp: isNow && account.verifiedAt === null ? { verifiedAt: deps.clock.now() } : {},
  };
}

/** Notices of changed access up to this one are no longer shown after a sign-in. */
export async function closeNews(act: Act, lastId: number): Promise<void> {
  const { id } = await lockOwnAccount(act);
  await closeAccessNews(act.tx, id, lastId);
}

/** Staff may upload for a member (`orStaff`), but not attach what another member uploaded. `field`: the one to name. */
export async function requireAttachable(
  deps: Deps,
  reader: Reader,
  account: Account,
  ids: readonly string[],
  { field, ...which }: { orStaff?: boolean; isLocking?: boolean; field?: string } = {},
): Promise<void> {
  const uploaded = keptSpan(deps.clock.now(), limits.documentAttachableHours * hourMs);
  const attachable = await readFilesOf(reader, account, { ids, uploaded, ...which });
  if (ids.some((id) => !attachable.has(id)))
    fail('foreign_document', { fields: field ? { [field]: en.errors.foreign_document } : {} });
}

type ProfileChange = output<typeof ProfileUpdate>;

const isDocument = (column: string): boolean => (documentColumns as string[]).includes(column);

const fileIdOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

export function profileColumns(change: ProfileChange): AccountChange {
  const fields = profileFieldNames.map((name) => [profileColumn[name], change[name]]);
  const documents = documentPieces.map((name) => {
    const url = change[name];
    return [documentColumn[name], url && fileIdOf(url)];
  });
  return Object.fromEntries([...fields, ...documents].filter(([, value]) => value !== undefined));
}

const bankColumns: readonly string[] = fieldsOf('bank').map((name) => profileColumn[name]);

export const isBankAmong = (columns: readonly string[]): boolean =>
  columns.some((column) => bankColumns.includes(column));

/** Names only: the audit log holds no personal values. */
export function changedNames(account: Account, columns: AccountChange): string[] {
  const current: Record<string, unknown> = account;
  return Object.entries(columns).flatMap(([name, value]) => (current[name] === value ? [] : [name]));
}

export const newDocuments = (columns: AccountChange, account: Account): string[] =>
  documentColumns.flatMap((name) => {
    const id = columns[name];
    return typeof id === 'string' && id !== account[name] ? [id] : [];
  });
