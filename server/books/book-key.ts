import type { Deps } from '#server/deps.ts';
import {
  createSecretBox,
  loadSecretKey,
  type SecretBox,
  withoutSecrets,
} from '#server/platform/secret-box.ts';
import { audit } from '#server/services/audit-service.ts';
import { serverConsole } from '#server/services/first-start-service.ts';
import { sealAllRows, sealingRows } from '#server/store/row-seal-store.ts';
import {
  type BookKey,
  hasAccounts,
  insertBookKey,
  lockBookKeys,
  readBookKeys,
  voidSealedSecrets,
  wereEverSealed,
} from './book-key-store.ts';
import { Refusal } from './console-text.ts';
import { inOneLongTransaction } from './table-store.ts';

const adopt = 'or go on with a new one by `npm run key:adopt`';

/** Tells the key that `secrets` holds from any other. */
export const keyFingerprint = (secrets: SecretBox): string =>
  secrets.fingerprint('', 'key of the books').slice(0, 16);

/**
 * Sees to it that the key here is the one that the books are sealed with. Books without any are sealed as they stand,
 * which is said with its day. Throws a `Refusal` when the key is lost or another one: a key is made only for books that
 * have none.
 */
export async function holdBooksToKey(deps: Deps): Promise<void> {
  const readNewest = async () => (await deps.database.read((reader) => readBookKeys(reader)))[0];
  let present = await readNewest();
  if (deps.secrets === withoutSecrets) {
    if (present) {
      throw new Refusal(
        `The secret key that these books are sealed with is not here: put it back into ${deps.config.dataDir}/secret.key or SECRET_KEY, ${adopt}.`,
      );
    }
    deps.secrets = makeSecretBox(deps);
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
}

const makeSecretBox = ({ config, random }: Deps): SecretBox =>
  createSecretBox(loadSecretKey({ setting: config.secretKey, dataDir: config.dataDir, random }), random);

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
    const isNew = !(await hasAccounts(tx));
    await insertBookKey(tx, recordOf(deps));
    if (!isNew) {
      await audit(deps, tx, serverConsole, { action: 'books_sealed', after: keyNamed(deps) });
    }
    await sealAllRows(tx, deps.secrets);
    if (!isNew)
      deps.log.warn('the books were not sealed with a key before: what is in them now is taken as true');
  });
}

const recordOf = ({ secrets, clock }: Deps) => ({
  fingerprint: keyFingerprint(secrets),
  sealedAt: clock.now(),
});
const keyNamed = ({ secrets }: Deps) => ({ key: keyFingerprint(secrets) });

export type Adopted = { before: BookKey | undefined; sessions: number; passwords: number; codes: number };

/**
 * Seals the books anew with the key that is here, made when there is none, and ends whatever the old one sealed. What
 * stands in the books at that moment is taken as true, forged or not: the log says that it was done. No other process
 * may use the database meanwhile.
 */
export async function adoptKey(deps: Deps): Promise<Adopted> {
  if (deps.secrets === withoutSecrets) deps.secrets = makeSecretBox(deps);
  return inOneLongTransaction(deps.database, async (tx) => {
    await lockBookKeys(tx);
    const [before] = await readBookKeys(tx);
    const voided = await sealingRows(tx, deps.secrets, () => voidSealedSecrets(tx));
    await insertBookKey(tx, recordOf(deps));
    await audit(deps, tx, serverConsole, {
      action: 'key_adopted',
      before: { key: before?.fingerprint ?? null },
      after: { ...keyNamed(deps), ...voided },
    });
    await sealAllRows(tx, deps.secrets);
    return { before, ...voided };
  });
}
