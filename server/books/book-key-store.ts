import { desc, inArray, isNotNull, or, sql } from 'drizzle-orm';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { noteSeals, sealFields } from '#server/store/row-seal-store.ts';
import { accounts, bookKeys, sessions } from '#server/store/schema.ts';

/** A row of `book_keys`. */
export type BookKey = typeof bookKeys.$inferSelect;

/** Which keys the books were sealed with, the newest first. */
export const readBookKeys = (handle: Tx | Reader): Promise<BookKey[]> =>
  handle.select().from(bookKeys).orderBy(desc(bookKeys.id));

export async function insertBookKey(tx: Tx, key: { fingerprint: string; sealedAt: Date }): Promise<void> {
  await tx.insert(bookKeys).values(key);
}

/** Any number will do, so long as nothing else in the database locks it. */
const bookKeyLock = 4_173_003;

/** Of processes that start together, one seals the books. */
export async function lockBookKeys(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${bookKeyLock})`);
}

/** Whether anything says that these books have been sealed with a key before. */
export async function wereEverSealed(reader: Reader): Promise<boolean> {
  const { rows } = await reader.execute<{ were: boolean }>(sql`
    select exists (select from row_seals) or exists (select from audit_seals where positions is not null)
        or exists (select from audit_entries where action in ('books_sealed', 'key_adopted')) as were`);
  return rows[0]?.were === true;
}

/** Whether anybody has an account here: a database that is not new. */
export async function hasAccounts(reader: Reader): Promise<boolean> {
  const { rows } = await reader.execute(sql`select 1 from accounts limit 1`);
  return rows.length > 0;
}

/** Ends what the old key sealed: sessions, one-time codes, and issued passwords, which open nothing any more. */
export async function voidSealedSecrets(tx: Tx) {
  const ended = await tx.delete(sessions).returning({ accountId: sessions.accountId });
  const holders = await tx
    .select({ id: accounts.id, password: accounts.issuedPasswordSealed, code: accounts.otpCodeSealed })
    .from(accounts)
    .where(or(isNotNull(accounts.issuedPasswordSealed), isNotNull(accounts.otpCodeSealed)))
    .for('update');
  const withPassword = holders.filter(({ password }) => password !== null).map(({ id }) => id);
  const withCode = holders.filter(({ code }) => code !== null).map(({ id }) => id);
  await tx
    .update(accounts)
    .set({ otpCodeSealed: null, otpExpiresAt: null, otpWrongTries: 0 })
    .where(inArray(accounts.id, withCode));
  const voided = await tx
    .update(accounts)
    .set({ passwordHash: '', issuedPasswordSealed: null, issuedPasswordAt: null })
    .where(inArray(accounts.id, withPassword))
    .returning(sealFields('accounts'));
  noteSeals(tx, 'accounts', voided);
  return { sessions: ended.length, passwords: withPassword.length, codes: withCode.length };
}
