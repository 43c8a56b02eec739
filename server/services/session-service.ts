import type { input, output } from 'zod/mini';
import type { AnySignIn, PasswordChange, Registration } from '#contract/account.ts';
import type { UserReply } from '#contract/profile.ts';
import type { DateLanguage } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { fail, KeptFailure } from '#server/failure.ts';
import type { Once } from '#server/idempotency.ts';
import { hourMs, minuteMs } from '#server/platform/clock.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { constraintOf } from '#server/platform/database/database-errors.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import { newToken } from '#server/platform/randomness.ts';
import {
  changeSession,
  deleteSession,
  deleteSessionsOf,
  findSession,
  insertSession,
  type Session,
} from '#server/store/access-store.ts';
import {
  type Account,
  changeAccount,
  findAccountsByPhone,
  findAdminByEmail,
  insertAccount,
  lockAccount,
  ownPassword,
  readMostShared,
} from '#server/store/account-store.ts';
import { type SecretsShown, viewUser } from './account-view.ts';
import { isAllowedSender, type Sender } from './allowed-ip-service.ts';
import { type ActBy, audit } from './audit-service.ts';
import { recordConsent } from './consent-service.ts';
import { tellOutside } from './outbox-service.ts';
import { hasSecondStep, mustSetUpSecondStep, spendCode } from './second-step-codes.ts';
import {
  countRegistration,
  countToday,
  isRefusalNews,
  queueByNetwork,
  rememberNetwork,
  tryPassword,
} from './tries-service.ts';

export type Caller = Sender & { id: number; account: Account; tokenHash: string };

/** A caller from the staff. `wants`: the secrets that the reply should hold, if they may see them. */
export type Staff = Caller & { wants: SecretsShown };

/** A change: who makes it, in its transaction. */
export type Act<By extends Caller = Caller> = ActBy<By>;

/**
 * Hashes a token for storage (§tokens). The hash is keyed, so that nobody can make one by
 * writing to the database.
 */
export const tokenHash = (deps: Deps, token: string): string => deps.secrets.fingerprint(token, 'session');

/** The caller of a token. A session ended by a suspension stays ended afterwards (§tokens). */
export async function findCaller(deps: Deps, token: string, sender: Sender): Promise<Caller> {
  const hash = tokenHash(deps, token);
  const found = await deps.database.read((reader) => findSession(reader, hash));
  const now = deps.clock.now();
  if (!found || isOver(found.session, now)) fail('not_signed_in');
  const { session, account } = found;
  if (account.status === 'suspended') fail('account_suspended');
  if (account.isAdmin) await requireInUse(deps, session, now);
  if (session.endedAt !== null) fail('not_signed_in');
  return { ...sender, id: account.id, account, tokenHash: hash };
}

/**
 * Ends a staff session after too long without a request (§idle): for good, so that a clock that goes back does not
 * revive it. One that was used in the future is over too. Uses that are not stored are known to this process alone.
 */
async function requireInUse(deps: Deps, session: Session, now: Date): Promise<void> {
  const idleMs = deps.config.staffIdleMinutes * minuteMs;
  const { tokenHash, endedAt, createdAt, lastUsedAt } = session;
  if (idleMs === 0) return;
  const writtenMs = (lastUsedAt ?? createdAt).getTime();
  const lastMs = Math.max(writtenMs, deps.unwrittenUses.get(tokenHash)?.getTime() ?? 0);
  const unusedMs = (endedAt ?? now).getTime() - lastMs;
  if (unusedMs >= idleMs || unusedMs < -limits.clockSkewMs) {
    if (endedAt === null)
      await deps.database.transaction((tx) => changeSession(tx, tokenHash, { endedAt: now }));
    fail('session_idle');
  }
  if (endedAt !== null) return;
  if (now.getTime() - writtenMs < limits.lastUseEveryMs) return void deps.unwrittenUses.set(tokenHash, now);
  deps.unwrittenUses.delete(tokenHash);
  await deps.database.transaction((tx) => changeSession(tx, tokenHash, { lastUsedAt: now }));
}

/** A session that begins in the future is over too: the clock was ahead, and it would last too long. */
const isOver = ({ createdAt, expiresAt }: { createdAt: Date; expiresAt: Date }, now: Date) =>
  expiresAt <= now || createdAt.getTime() > now.getTime() + limits.clockSkewMs;

/**
 * The caller's account, locked until the transaction ends. It may have been deleted or suspended since the guard
 * checked.
 */
export async function lockOwnAccount({ tx, actor }: Act): Promise<Account> {
  const locked = await lockAccount(tx, actor.id);
  if (!locked) fail('not_signed_in');
  if (locked.status === 'suspended') fail('account_suspended');
  return locked;
}

/** The token is stored nowhere. */
export async function startSession(deps: Deps, tx: Tx, account: Account): Promise<string> {
  const token = newToken();
  const hours = account.isAdmin ? limits.adminSessionHours : limits.borrowerSessionDays * 24;
  const now = deps.clock.now();
  await insertSession(tx, {
    tokenHash: tokenHash(deps, token),
    accountId: account.id,
    createdAt: now,
    expiresAt: new Date(now.getTime() + hours * hourMs),
  });
  return token;
}

/**
 * Signs in a borrower (`phone`) or staff (`username`) (§signing-in, §staff-sign-in). An unknown name takes as long as a
 * wrong password and gets the same answer; anything else wrong with an account is told only after the right password.
 */
export function signIn(deps: Deps, credentials: output<typeof AnySignIn>, sender: Sender) {
  const { address } = sender;
  return queueByNetwork(deps, 'sign_in', address, async (network) => {
    const isStaffForm = 'username' in credentials;
    const typed = isStaffForm ? credentials.username : credentials.phone;
    const identifier = isMainAdminName(typed) ? limits.mainAdminPhone : typed;
    const { holders, mostShared } = await deps.database.read(async (reader) => ({
      holders: await findHolders(reader, identifier, isStaffForm),
      mostShared: await readMostShared(reader),
    }));
    const isAllowed =
      isStaffForm || holders.some(({ isAdmin }) => isAdmin) ? await isAllowedSender(deps, sender) : true;
    // A borrower who shares a number with staff signs in from anywhere.
    const candidates = isStaffForm || isAllowed ? holders : holders.filter(({ isAdmin }) => !isAdmin);
    let found = candidates[0] ?? holders[0];
    const noteRefusal = (tx: Tx, reason: string) => {
      const on = found && { account: found.id };
      return audit({ deps, tx, actor: { id: null, address } }, 'sign_in_failed', on, { after: { reason } });
    };
    // Before anything is counted or checked: from a forbidden address nobody learns whether a stolen password is right,
    // makes staff wait, or learns from the staff form which names are staff.
    if (!isAllowed && (isStaffForm || candidates.length === 0)) {
      if (await isRefusalNews(deps, network)) {
        await deps.database.transaction((tx) => noteRefusal(tx, 'ip_not_allowed'));
      }
      fail('ip_not_allowed');
    }
    const accountIds = candidates.map(({ id }) => id);
    const tried = { accountIds, name: nameKey(identifier), address, counts: 'sign_in' } as const;
    const { password } = credentials;
    let renewedHash: string | undefined;
    const isRight = async () => {
      const opened: Account[] = [];
      // Every number takes the same number of checks, so that the time does not tell which ones are shared.
      for (let index = 0; index < Math.max(mostShared, candidates.length); index += 1) {
        const holder = candidates[index];
        if (!holder) await deps.passwords.verifyNothing(password);
        else if (await deps.passwords.verify(holder.passwordHash, password)) opened.push(holder);
      }
      found = opened.find((holder) => !refusalOf(holder, isStaffForm)) ?? opened[0] ?? found;
      if (found && opened.length > 0)
        renewedHash = await deps.passwords.renewed(found.passwordHash, password);
      return opened.length > 0;
    };
    const outcome = await tryPassword(deps, tried, isRight, async (tx) => {
      const refusal = found && refusalOf(found, isStaffForm);
      if (refusal) {
        await noteRefusal(tx, refusal);
        return new KeptFailure(refusal);
      }
      // The password may have changed during the check, or the account may be suspended or deleted; a session that
      // began now would outlive all others.
      const locked = found && (await lockAccount(tx, found.id));
      if (!locked || locked.passwordHash !== found?.passwordHash) fail('invalid_credentials');
      if (locked.status === 'suspended') fail('account_suspended');
      let account = await takeSecondStep(deps, tx, locked, credentials.code);
      if (account instanceof KeptFailure) {
        await noteRefusal(tx, account.code);
        return account;
      }
      if (renewedHash) account = await changeAccount(tx, account.id, { passwordHash: renewedHash });
      const { id } = account;
      await audit({ deps, tx, actor: { id, address } }, 'sign_in', { account: id });
      rememberNetwork(deps, tx, id, network);
      return { token: await startSession(deps, tx, account), user: viewSelf(deps, account) };
    });
    // An unknown number and a wrong password fail alike, so that the failure tells nothing.
    if (!outcome) {
      await deps.database.transaction((tx) => noteRefusal(tx, 'invalid_credentials'));
      fail('invalid_credentials');
    }
    if (outcome instanceof KeptFailure) throw outcome;
    return outcome;
  });
}

async function findHolders(reader: Reader, identifier: string, isStaffForm: boolean): Promise<Account[]> {
  if (!isStaffForm || !looksLikeEmail(identifier)) return findAccountsByPhone(reader, phoneKey(identifier));
  const admin = await findAdminByEmail(reader, identifier.toLowerCase());
  return admin ? [admin] : [];
}

async function takeSecondStep(deps: Deps, tx: Tx, locked: Account, code = '') {
  if (!hasSecondStep(locked)) return locked;
  if (code === '') return new KeptFailure('second_step_required', { status: 401 });
  return spendCode(deps, tx, locked, code);
}

export const viewSelf = (deps: Deps, account: Account): input<typeof UserReply> => ({
  ...viewUser(account),
  ...(mustSetUpSecondStep(deps, account) && { mustSetUpSecondStep: true }),
});

function refusalOf(account: Account, isStaffForm: boolean) {
  if (isStaffForm && !account.isAdmin) return 'forbidden';
  if (account.status === 'suspended') return 'account_suspended';
  return undefined;
}

export async function signOut(act: Act): Promise<void> {
  await deleteSession(act.tx, act.actor.tokenHash);
  await audit(act, 'sign_out');
}

/** Any letter case will do: a phone’s keyboard begins with a capital. */
const isMainAdminName = (typed: string) => typed.toLowerCase() === limits.mainAdminPhone;

const looksLikeEmail = (identifier: string) => identifier.includes('@');

const nameKey = (identifier: string) =>
  looksLikeEmail(identifier) ? identifier.toLowerCase() : phoneKey(identifier);

/** Registers a borrower and signs them in (§registering). `language` is the form's, for the record of consent. */
export function register(
  deps: Deps,
  { password, ...person }: output<typeof Registration>,
  { address, language }: { address: string; language: DateLanguage | null },
) {
  return queueByNetwork(deps, 'registration', address, async (network) => {
    await countRegistration(deps, network);
    const key = phoneKey(person.phone);
    await deps.database.read((reader) => requireFreePhone(reader, key, 'already_registered'));

    const passwordHash = await deps.passwords.hash(password);
    const now = deps.clock.now();
    const registered = deps.database.transaction(async (tx) => {
      const stamps = { createdAt: now, updatedAt: now };
      const account = await insertAccount(tx, { ...person, phoneKey: key, passwordHash, ...stamps });
      const { id } = account;
      const act = { deps, tx, actor: { id, address } };
      await audit(act, 'register', { account: id });
      await recordConsent(act, id, 'register', language);
      rememberNetwork(deps, tx, id, network);
      return { token: await startSession(deps, tx, account), user: viewUser(account) };
    });
    return registered.catch(failWhenPhoneIsTaken);
  });
}

/** The database refuses a second account too, but not beside accounts that share the number (§shared-numbers). */
export async function requireFreePhone(
  reader: Reader,
  phoneKey: string,
  code: 'already_registered' | 'phone_taken',
): Promise<void> {
  if ((await findAccountsByPhone(reader, phoneKey)).length > 0) fail(code);
}

/**
 * The database lets one of two simultaneous registrations through; the other gets the same answer as if it came later.
 */
export function failWhenPhoneIsTaken(error: unknown): never {
  if (constraintOf(error) === 'accounts_phone_unique') fail('already_registered');
  throw error;
}

/**
 * Does what takes the caller's own password once more, with the account locked: a token alone, found or stolen, is not enough
 * for it. A wrong password is a `wrong_password` and counts as a try, with the account's sign-ins.
 */
export async function withOwnPassword<By extends Caller, Result extends object>(
  deps: Deps,
  caller: By,
  password: string,
  work: (act: Act<By>, account: Account) => Promise<Result | KeptFailure>,
): Promise<Result> {
  const { account, address } = caller;
  const tried = { accountIds: [account.id], name: '', address };
  const isRight = () => deps.passwords.verify(account.passwordHash, password);
  const result = await tryPassword(deps, tried, isRight, async (tx) => {
    const act = { deps, tx, actor: caller };
    const locked = await lockOwnAccount(act);
    if (locked.passwordHash !== account.passwordHash) fail('wrong_password');
    return work(act, locked);
  });
  if (!result) fail('wrong_password');
  if (result instanceof KeptFailure) throw result;
  return result;
}

/**
 * Sets a password that only its owner knows: an issued one is erased, and every other session ends (§passwords). A
 * wrong current password counts as a try.
 */
export async function changePassword(
  deps: Deps,
  caller: Caller,
  change: output<typeof PasswordChange>,
  once: Once<Act>,
) {
  const { account, address } = caller;
  // The try counts with the account's sign-ins, so that this form gives no further guesses.
  const tried = { accountIds: [account.id], name: '', address };
  const isRight = () => deps.passwords.verify(account.passwordHash, change.currentPassword);
  // The tries stay if there is a second step: clearing them here would allow endless guesses at the code.
  const onRight = async () => (hasSecondStep(account) ? new KeptFailure('second_step_required') : {});
  if (!(await tryPassword(deps, tried, isRight, onRight))) fail('wrong_password');

  const passwordHash = await deps.passwords.hash(change.newPassword);
  return once(async (act) => {
    const { tx } = act;
    const locked = await lockOwnAccount(act);
    if (locked.passwordHash !== account.passwordHash) fail('wrong_password');
    await countToday(act, 'password_change');
    await changeAccount(tx, account.id, { ...ownPassword(passwordHash), updatedAt: deps.clock.now() });
    await deleteSessionsOf(tx, account.id, caller.tokenHash);
    await audit(act, 'own_password_changed', { account: account.id });
    await tellOutside(act, account.id, 'own_password_changed');
  });
}
