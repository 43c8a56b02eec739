import { and, type Column, eq, getTableColumns, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
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
 * other. Who changes `phone_key`, by a deletion too, asks for the whole row from the start, for the same reason.
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
  const [row] = noteSeals(tx, 'accounts', await tx.insert(accounts).values(account).returning(written));
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

/** What the staff's search looks in: name, phone and email, in lower case. */
export function searchTextOf(person: { fullName: string; phone: string; email: string | null }): string {
  return [person.fullName, person.phone, person.email ?? ''].join('\n').toLowerCase();
}

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
