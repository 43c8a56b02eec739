import { and, type Column, eq, getTableColumns, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { limits } from '#domain/limits.ts';
import {
  type DocumentPiece,
  factsOf,
  fieldsWith,
  type ProfileFacts,
  type ProfileField,
  profileFieldNames,
} from '#domain/profile.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { phoneKeyPart } from '#server/platform/phone-key.ts';
import { noteSeals, sealFields } from './row-seal-store.ts';
import { accounts } from './schema.ts';

/** A row of `accounts`, as every service knows a person. */
export type Account = typeof accounts.$inferSelect;
export type NewAccount = typeof accounts.$inferInsert;
export type AccountChange = Partial<
  Omit<NewAccount, 'id' | 'balanceCentavos' | 'ledgerSequence' | 'ledgerHash'>
>;

type ProfileColumn = {
  [Name in ProfileField]: ProfileFacts[Name] extends { kind: 'pesos' } ? `${Name}Centavos` : Name;
};

/** The column of each field of the profile; a field without one does not compile. */
export const profileColumn = Object.fromEntries(
  profileFieldNames.map((name) => [name, factsOf(name).kind === 'pesos' ? `${name}Centavos` : name]),
) as ProfileColumn satisfies Record<ProfileField, keyof AccountChange>;

/** The column of each document. */
export const documentColumn = {
  idFrontUrl: 'idFrontFileId',
  idBackUrl: 'idBackFileId',
  selfieUrl: 'selfieFileId',
} as const satisfies Record<DocumentPiece, keyof AccountChange>;

export const documentColumns = Object.values(documentColumn);

type Handle = Tx | Reader;

/** An account that is not deleted, or undefined. */
export async function findAccount(handle: Handle, id: number): Promise<Account | undefined> {
  const [account] = await handle
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, id), isNull(accounts.deletedAt)));
  return account;
}

/**
 * The same, locked until the transaction ends, so that what is decided on it still holds when it is written.
 *
 * The lock is no stronger than the change needs: a claimed `Idempotency-Key` already shares the row's key with this
 * transaction (its foreign key), and two such claimants that both asked for a plain `for update` would wait for each
 * other. A change of `phone_key`, by a deletion too, asks for the whole row from the start, for the same reason.
 */
export async function lockAccount(
  tx: Tx,
  id: number,
  strength: 'no key update' | 'update' = 'no key update',
): Promise<Account | undefined> {
  const [account] = await tx
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, id), isNull(accounts.deletedAt)))
    .for(strength);
  return account;
}

/** The staff accounts that somebody can sign in to. */
export function countActiveStaff(handle: Handle): Promise<number> {
  const isActive = and(accounts.isAdmin, ne(accounts.status, 'suspended'), isNull(accounts.deletedAt));
  return handle.$count(accounts, isActive);
}

/** Names by account, for who did what. */
export async function readNamesOf(handle: Handle, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await handle
    .select({ id: accounts.id, fullName: accounts.fullName, email: accounts.email })
    .from(accounts)
    .where(inArray(accounts.id, [...ids]));
  return new Map(rows.map(({ id, fullName, email }) => [id, fullName || email || '']));
}

/** Staff who may decide what others ask for. */
export function countApprovers(handle: Handle): Promise<number> {
  const isApprover = sql`(${accounts.id} = ${limits.mainAdminId} or ${accounts.phone} = ${limits.mainAdminPhone} or not coalesce(${accounts.withheldRoles}, '[]') ? 'approver')`;
  return handle.$count(
    accounts,
    and(accounts.isAdmin, ne(accounts.status, 'suspended'), isNull(accounts.deletedAt), isApprover),
  );
}

export async function findAccountByPhone(handle: Handle, phoneKey: string): Promise<Account | undefined> {
  const [account] = await handle.select().from(accounts).where(eq(accounts.phoneKey, phoneKey));
  return account;
}

export async function findAdminByEmail(handle: Handle, emailKey: string): Promise<Account | undefined> {
  const [account] = await handle
    .select()
    .from(accounts)
    .where(and(eq(accounts.emailKey, emailKey), accounts.isAdmin));
  return account;
}

const written = { ...getTableColumns(accounts), ...sealFields('accounts') };

export async function insertAccount(tx: Tx, account: NewAccount): Promise<Account> {
  const whole = { ...account, ...derivedColumns(account) };
  const [row] = noteSeals(tx, 'accounts', await tx.insert(accounts).values(whole).returning(written));
  if (!row) throw new Error('an inserted account was not returned');
  return row;
}

/** Writes what changes of a locked account and answers the whole row. Money is not changed here: see `ledger-store`. */
export async function changeAccount(tx: Tx, id: number, change: AccountChange): Promise<Account> {
  const rows = await tx.update(accounts).set(change).where(eq(accounts.id, id)).returning(written);
  const [row] = noteSeals(tx, 'accounts', rows);
  if (!row) throw new Error('a changed account was not returned');
  return row;
}

const searched = [...new Set(['fullName', 'phone', ...fieldsWith('isSearched')] as const)];

/** The columns made from others, in lower case: the email that is compared, and what staff's search looks in. */
export const derivedColumns = (person: Pick<NewAccount, (typeof searched)[number]>) => ({
  emailKey: person.email?.toLowerCase() ?? null,
  searchText: searched
    .map((name) => person[name] ?? '')
    .join('\n')
    .toLowerCase(),
});

/** A change of who an account belongs to, with the columns made from it. */
export const personChange = (account: Account, change: AccountChange): AccountChange => ({
  ...change,
  ...derivedColumns({ ...account, ...change }),
});

/** Whether a text holds a search that is in lower case. Not LIKE, whose %, _ and \ would have to be made harmless first. */
export const holds = (text: Column | SQL, search: string) => sql`strpos(${text}, ${search}) > 0`;

/** Whether staff find an account by a search: letter for letter, and a phone however its number is written. */
export function isFoundBy(search: string) {
  const digits = phoneKeyPart(search);
  return or(
    holds(accounts.searchText, search),
    digits === undefined ? undefined : holds(accounts.phoneKey, digits),
  );
}

/** The accounts that are found so, for the rows that belong to them: each is looked at once, and not once a row. */
export const accountsFoundBy = (handle: Handle, search: string) =>
  handle.select({ id: accounts.id }).from(accounts).where(isFoundBy(search));
