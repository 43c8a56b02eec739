import { desc, isNotNull, sql } from 'drizzle-orm';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/platform/console-text.ts';
import { advisoryLocks, type Reader, type Tx } from '#server/platform/database/database.ts';
import { findSecretKey, makeSecretBox, type SecretBox, withoutSecrets } from '#server/platform/secret-box.ts';
import { audit } from '#server/services/audit-service.ts';
import { serverConsole } from '#server/services/first-start-service.ts';
import { noSecondStep } from '#server/services/second-step-codes.ts';
import { noCode } from '#server/store/account-store.ts';
import { forgetChecks } from '#server/store/check-store.ts';
import { accounts, bookKeys, sessions } from '#server/store/schema.ts';
import { sealAllRows, sealingRows, updateEachSealed } from '#server/store/sealed-rows.ts';
import { inOneLongTransaction } from './backup-rows.ts';
import { renewBooks } from './renewal.ts';

const adopt = 'or go on with a new one by `npm run key:adopt`';

export const keyFingerprint = (secrets: SecretBox): string =>
  secrets.fingerprint('', 'key of the books').slice(0, 16);

/** Requires the key that sealed the books. Only unsealed books get a new key, and the log says when. */
export async function holdBooksToKey(deps: Deps): Promise<void> {
  const readNewest = async () => (await deps.database.read((reader) => readBookKeys(reader)))[0];
  let present = await readNewest();
  if (deps.secrets === withoutSecrets) {
    // Another process may have made it since this one looked.
    if (present && !findSecretKey(deps.config)) {
      throw new Refusal(
        `The secret key that these books are sealed with is not here: put it back into ${deps.config.dataDir}/secret.key or SECRET_KEY, ${adopt}.`,
      );
    }
    deps.secrets = makeSecretBox(deps.config);
  }
  if (!present) {
    await sealForTheFirstTime(deps);
    present = await readNewest();
  }
  if (present?.fingerprint !== keyFingerprint(deps.secrets)) {
    throw new Refusal(
      `The secret key here is not the one that these books are sealed with: put that one back into ${deps.config.dataDir}/secret.key or SECRET_KEY, ${adopt}.`,
    );
  }
  await renewBooks(deps);
}

async function sealForTheFirstTime(deps: Deps): Promise<void> {
  await inOneLongTransaction(deps.database, async (tx) => {
    await lockBookKeys(tx);
    const [made] = await readBookKeys(tx);
    if (made) return;
    if (await wereEverSealed(tx)) {
      throw new Refusal(
        'These books were sealed with a key, and the record of it is gone: put a backup back, or seal them anew by `npm run key:adopt`.',
      );
    }
    const isNew = (await tx.$count(accounts)) === 0;
    await insertBookKey(tx, deps);
    if (!isNew) {
      const after = { key: keyFingerprint(deps.secrets) };
      await audit({ deps, tx, actor: serverConsole }, 'books_sealed', {}, { after });
    }
    await sealAllRows(tx, deps.secrets);
    if (!isNew)
      deps.log.warn('the books were not sealed with a key before: what is in them now is taken as true');
  });
}

type Adopted = { before: BookKey | undefined } & Awaited<ReturnType<typeof voidSealedSecrets>>;

/**
 * Seals the books with the present key, or a new one, and voids what the old one sealed. Whatever is in the books then
 * is taken as true, and the log says so. No other process may use the database meanwhile.
 */
export async function adoptKey(deps: Deps): Promise<Adopted> {
  if (deps.secrets === withoutSecrets) deps.secrets = makeSecretBox(deps.config);
  return inOneLongTransaction(deps.database, async (tx) => {
    await lockBookKeys(tx);
    const [before] = await readBookKeys(tx);
    const voided = await sealingRows(tx, deps.secrets, () => voidSealedSecrets(tx));
    await insertBookKey(tx, deps);
    const after = { key: keyFingerprint(deps.secrets), ...voided };
    const known = { key: before?.fingerprint ?? null };
    await audit({ deps, tx, actor: serverConsole }, 'key_adopted', {}, { before: known, after });
    await sealAllRows(tx, deps.secrets);
    return { before, ...voided };
  });
}

export type BookKey = typeof bookKeys.$inferSelect;

export const readBookKeys = (reader: Reader): Promise<BookKey[]> =>
  reader.select().from(bookKeys).orderBy(desc(bookKeys.id));

const insertBookKey = async (tx: Tx, { secrets, clock }: Deps) =>
  tx.insert(bookKeys).values({ fingerprint: keyFingerprint(secrets), sealedAt: clock.now() });

/** If several processes start together, one seals the books. */
const lockBookKeys = async (tx: Tx) =>
  tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.bookKeys})`);

export async function wereEverSealed(reader: Reader): Promise<boolean> {
  const { rows } = await reader.execute<{ were: boolean }>(sql`
    select exists (select from row_seals) or exists (select from audit_seals where positions is not null)
        or exists (select from audit_entries where action in ('books_sealed', 'key_adopted')) as were`);
  return rows[0]?.were === true;
}

async function voidSealedSecrets(tx: Tx) {
  await forgetChecks(tx);
  const ended = await tx.delete(sessions).returning({ accountId: sessions.accountId });
  const holdsCode = isNotNull(accounts.otpCodeSealed);
  const codes = await tx.update(accounts).set(noCode).where(holdsCode).returning({ id: accounts.id });
  const holdsPassword = isNotNull(accounts.issuedPasswordSealed);
  const noPassword = { passwordHash: '', issuedPasswordSealed: null, issuedPasswordAt: null };
  const passwords = await updateEachSealed(tx, accounts, holdsPassword, noPassword);
  const withSecondStep = isNotNull(accounts.secondStepAt);
  const secondSteps = await updateEachSealed(tx, accounts, withSecondStep, noSecondStep);
  return {
    sessions: ended.length,
    passwords: passwords.length,
    codes: codes.length,
    secondSteps: secondSteps.length,
  };
}
