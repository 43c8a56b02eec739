import type { DateLanguage } from '#domain/calendar.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { constraintOf } from '#server/platform/database/database.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import { findAccountByPhone, insertAccount } from '#server/store/account-store.ts';
import { viewUser } from './account-view.ts';
import { audit } from './audit-service.ts';
import { recordConsent } from './consent-service.ts';
import { startSession } from './session-service.ts';
import { atTheDoor, countFromNetwork, rememberNetwork } from './tries-service.ts';

export type Registration = {
  phone: string;
  password: string;
  fullName: string;
  email?: string | null | undefined;
};

type RegisteredFrom = { address: string; language: DateLanguage | null };

/**
 * Registers a borrower and signs them in: status `pending`, credit score 500, balance 0 (§registering). Fails with
 * `already_registered` when the phone is taken, also when two registrations arrive at once. `language` is the form's,
 * for what was agreed to by sending it.
 */
export function register(deps: Deps, registration: Registration, from: RegisteredFrom) {
  return atTheDoor(deps, 'registration', from.address, (network) =>
    registerThere(deps, registration, from, network),
  );
}

async function registerThere(
  deps: Deps,
  registration: Registration,
  { address, language }: RegisteredFrom,
  network: string,
) {
  await countFromNetwork(deps, 'registration', network);
  const key = phoneKey(registration.phone);
  const taken = await deps.database.read((reader) => findAccountByPhone(reader, key));
  if (taken) fail('already_registered');

  const passwordHash = await deps.passwords.hash(registration.password);
  const { fullName, phone, email = null } = registration;
  const now = deps.clock.now();
  const registered = deps.database.transaction(async (tx) => {
    const account = await insertAccount(tx, {
      fullName,
      phone,
      email,
      phoneKey: key,
      passwordHash,
      createdAt: now,
      updatedAt: now,
    });
    await audit(
      deps,
      tx,
      { id: account.id, address },
      { action: 'register', target: { type: 'account', id: account.id } },
    );
    await recordConsent(deps, tx, account.id, 'register', language);
    await rememberNetwork(deps, tx, account.id, network);
    return { token: await startSession(deps, tx, account), user: viewUser(account) };
  });
  return registered.catch(failWhenPhoneIsTaken);
}

/**
 * Of two registrations at once the database lets one through; the other is told what the first would have been told.
 */
export function failWhenPhoneIsTaken(error: unknown): never {
  if (constraintOf(error) === 'accounts_phone_unique') fail('already_registered');
  throw error;
}
