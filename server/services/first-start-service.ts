import { records } from '#contract/wording/records.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { newPassword } from '#server/platform/randomness.ts';
import { deleteSessionsOf } from '#server/store/access-store.ts';
import { changeAccount, findAccount, insertAccount, lockAccount } from '#server/store/account-store.ts';
import { type Actor, audit } from './audit-service.ts';
import { forgetPasswordTriesOf } from './tries-service.ts';

/** The server's own console, which acts as nobody and from nowhere. */
export const serverConsole: Actor = { id: null, address: null };

const mainAdmin = { account: limits.mainAdminId };

/**
 * Creates the main admin if there is none (§first-start), and returns the password to show if it was generated. Of
 * processes that start together, one creates the account and the others find it.
 */
export async function ensureMainAdmin(deps: Deps): Promise<{ generatedPassword?: string }> {
  if (await hasMainAdmin(deps)) return {};
  const { mainAdminPassword } = deps.config;
  const password = mainAdminPassword ?? newPassword(deps.random);
  const passwordHash = await deps.passwords.hash(password);
  const now = deps.clock.now();
  try {
    await deps.database.transaction(async (tx) => {
      await insertAccount(tx, {
        fullName: records.mainAdminName,
        phone: limits.mainAdminPhone,
        id: limits.mainAdminId,
        isAdmin: true,
        status: 'active',
        phoneKey: limits.mainAdminPhone,
        passwordHash,
        createdAt: now,
        updatedAt: now,
      });
      await audit(deps, tx, serverConsole, { action: 'main_admin_created', on: mainAdmin });
    });
  } catch (error) {
    if (await hasMainAdmin(deps)) return {};
    throw error;
  }
  return mainAdminPassword === undefined ? { generatedPassword: password } : {};
}

async function hasMainAdmin(deps: Deps): Promise<boolean> {
  const account = await deps.database.read((reader) => findAccount(reader, limits.mainAdminId));
  return account !== undefined;
}

/** From the server's console. Ends every session; returns the password if it was generated. */
export async function resetMainAdmin(deps: Deps): Promise<{ generatedPassword?: string }> {
  const { mainAdminPassword } = deps.config;
  const password = mainAdminPassword ?? newPassword(deps.random);
  const passwordHash = await deps.passwords.hash(password);
  await deps.database.transaction(async (tx) => {
    if (!(await lockAccount(tx, limits.mainAdminId))) throw new Error('there is no main admin');
    await changeAccount(tx, limits.mainAdminId, {
      passwordHash,
      isPasswordIssued: false,
      issuedPasswordSealed: null,
      issuedPasswordAt: null,
      updatedAt: deps.clock.now(),
    });
    await deleteSessionsOf(tx, limits.mainAdminId);
    await forgetPasswordTriesOf(tx, limits.mainAdminId);
    await audit(deps, tx, serverConsole, { action: 'main_admin_reset', on: mainAdmin });
  });
  return mainAdminPassword === undefined ? { generatedPassword: password } : {};
}
