import type { output } from 'zod/mini';
import type { SecondStepRemoval } from '#contract/staff.ts';
import { records, type SecondStepSwitch } from '#contract/wording/server-words.ts';
import { staffNotice } from '#domain/member.ts';
import type { Deps } from '#server/deps.ts';
import { fail, KeptFailure } from '#server/failure.ts';
import { deleteSessionsOf } from '#server/store/access-store.ts';
import {
  type Account,
  type AccountChange,
  changeAccount,
  lockAccount,
  readOtherStaffIds,
} from '#server/store/account-store.ts';
import { noteAccessNews, tell } from '#server/store/notification-store.ts';
import { type ActBy, type Actor, audit } from './audit-service.ts';
import {
  hasSecondStep,
  newRecoveryCodes,
  newSecret,
  noSecondStep,
  spendCode,
  stepOfCode,
} from './second-step-codes.ts';
import { type Act, lockOwnAccount, type Staff, startSession, withOwnPassword } from './session-service.ts';

/** Takes the password, a wrong one of which counts as a try (§tries). Begins anew each time, until a code of the app confirms it. */
export const setUpSecondStep = (deps: Deps, staff: Staff, password: string) =>
  withOwnPassword(deps, staff, password, async (act, account) => {
    if (hasSecondStep(account)) return new KeptFailure('second_step_on');
    const { sealed, ...told } = newSecret(deps, account);
    await changeAccount(act.tx, account.id, { secondStepSealed: sealed });
    return told;
  });

/** Switches it on with a code of the app. Returns the recovery codes, which are told only this once (§second-step). */
export async function confirmSecondStep(act: Act<Staff>, code: string) {
  const { deps } = act;
  const account = await lockOwnAccount(act);
  if (hasSecondStep(account)) fail('second_step_on');
  if (account.secondStepSealed === null) fail('second_step_off');
  const secondStepUsed = stepOfCode(deps, account, code.replace(/\s/g, '')) ?? fail('wrong_code');
  const { codes, hashes } = newRecoveryCodes(deps, account);
  const columns = { secondStepAt: deps.clock.now(), secondStepUsed, recoveryCodes: hashes };
  await switchSecondStep(act, account, 'second_step_on', columns);
  return { recoveryCodes: codes, token: await startSession(deps, act.tx, account) };
}

/** Takes the password and a code; a wrong one of either counts as a try (§tries). Returns the session's new token. */
export async function removeSecondStep(deps: Deps, staff: Staff, form: output<typeof SecondStepRemoval>) {
  const { token } = await withOwnPassword(deps, staff, form.password, async (act, account) => {
    if (!hasSecondStep(account)) return new KeptFailure('second_step_off');
    const spent = await spendCode(deps, act.tx, account, form.code);
    if (spent instanceof KeptFailure) return spent;
    await switchSecondStep(act, account, 'second_step_off', noSecondStep);
    return { token: await startSession(deps, act.tx, account) };
  });
  return token;
}

/**
 * Resets the second step of staff who lost phone and recovery codes. One's own takes the password and a code.
 */
export async function resetSecondStep(act: Act<Staff>, id: number): Promise<void> {
  const account = await lockAccount(act.tx, id);
  if (!account?.isAdmin) fail('not_found');
  if (id === act.actor.id) fail('main_admin_protected');
  if (!hasSecondStep(account)) fail('second_step_off');
  await switchSecondStep(act, account, 'second_step_reset', noSecondStep);
}

/**
 * Writes the columns of a locked account, ends all its sessions, as a token that was stolen before must not last, and tells the
 * other staff.
 */
export async function switchSecondStep(
  act: ActBy<Actor>,
  account: Account,
  action: SecondStepSwitch,
  columns: AccountChange,
): Promise<void> {
  const { deps, tx, actor } = act;
  await changeAccount(tx, account.id, columns);
  await deleteSessionsOf(tx, account.id);
  await audit(act, action, { account: account.id });
  const createdAt = deps.clock.now();
  const name = account.fullName || account.email || account.phone;
  const news = { ...records.secondStepNews(action, name), type: staffNotice, details: null, createdAt };
  for (const accountId of await readOtherStaffIds(tx, actor.id)) {
    tell(tx, { ...news, accountId });
    await noteAccessNews(tx, accountId, createdAt);
  }
}
