import { records } from '#contract/wording/server-words.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { newPassword } from '#server/platform/randomness.ts';
import { deleteSessionsOf } from '#server/store/access-store.ts';
import {
  changeAccount,
  findAccount,
  insertAccount,
  lockAccount,
  ownPassword,
} from '#server/store/account-store.ts';
import { type Actor, audit } from './audit-service.ts';
import { hasSecondStep, noSecondStep } from './second-step-codes.ts';
import { switchSecondStep } from './second-step-service.ts';
import { forgetPasswordTriesOf } from './tries-service.ts';

export const serverConsole: Actor = { id: null, address: null };

const mainAdmin = { account: limits.mainAdminId };

/**
 * Creates the main admin if there is none (§first-start); returns the password if it was generated. If several
 * processes start together, one creates the account and the others find it.
 */
export async function ensureMainAdmin(deps: Deps): Promise<{ generatedPassword?: string }> {
  const isThere = () =>
    deps.database.read(async (reader) => (await findAccount(reader, mainAdmin.account)) !== undefined);
  if (await isThere()) return {};
  const { passwordHash, shown } = await mainAdminPassword(deps);
  const now = deps.clock.now();
  try {
    await deps.database.transaction(async (tx) => {
      await insertAccount(tx, {
        id: limits.mainAdminId,
        fullName: records.mainAdminName,
        isAdmin: true,
        status: 'active',
        phone: limits.mainAdminPhone,
        phoneKey: limits.mainAdminPhone,
        passwordHash,
        createdAt: now,
        updatedAt: now,
      });
      await audit({ deps, tx, actor: serverConsole }, 'main_admin_created', mainAdmin);
    });
  } catch (error) {
    if (await isThere()) return {};
    throw error;
  }
  return shown;
}

/** The configured password or a new one, hashed, and what is shown of it: only a generated one. */
async function mainAdminPassword({ config, passwords }: Deps) {
  const { mainAdminPassword: configured } = config;
  const password = configured ?? newPassword();
  const shown = configured === undefined ? { generatedPassword: password } : {};
  return { passwordHash: await passwords.hash(password), shown };
}

/**
 * Resets the main admin's password from the server's console. Ends every session and switches off the second
 * step. Returns the password if it was generated.
 */
export async function resetMainAdmin(deps: Deps): Promise<{ generatedPassword?: string }> {
  const { passwordHash, shown } = await mainAdminPassword(deps);
  await deps.database.transaction(async (tx) => {
    const account = await lockAccount(tx, limits.mainAdminId);
    if (!account) throw new Error('there is no main admin');
    const own = { ...ownPassword(passwordHash), updatedAt: deps.clock.now() };
    await changeAccount(tx, limits.mainAdminId, own);
    await deleteSessionsOf(tx, limits.mainAdminId);
    await forgetPasswordTriesOf(tx, limits.mainAdminId);
    const by = { deps, tx, actor: serverConsole };
    await audit(by, 'main_admin_reset', mainAdmin);
    if (hasSecondStep(account)) await switchSecondStep(by, account, 'second_step_reset', noSecondStep);
  });
  return shown;
}
