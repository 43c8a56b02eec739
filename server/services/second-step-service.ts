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
import { type Act, lockOwnAccount, type Staff } from './session-service.ts';
import { tryPassword } from './tries-service.ts';

/** Begins anew each time, until a code of the app confirms it. */
export async function setUpSecondStep(act: Act<Staff>) {
  const account = await lockOwnAccount(act);
  if (hasSecondStep(account)) fail('second_step_on');
  const { sealed, ...told } = newSecret(act.deps, account);
  await changeAccount(act.tx, account.id, { secondStepSealed: sealed });
  return told;
}

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
  return { recoveryCodes: codes };
}

/** Takes the password and a code; a wrong one of either counts as a try (§tries). */
export async function removeSecondStep(deps: Deps, staff: Staff, form: output<typeof SecondStepRemoval>) {
  const { account, address } = staff;
  const tried = { accountIds: [account.id], name: '', address };
  const isRight = () => deps.passwords.verify(account.passwordHash, form.password);
  const removed = await tryPassword(deps, tried, isRight, async (tx) => {
    const act = { deps, tx, actor: staff };
    const locked = await lockOwnAccount(act);
    if (locked.passwordHash !== account.passwordHash) fail('wrong_password');
    if (!hasSecondStep(locked)) return new KeptFailure('second_step_off');
    const spent = await spendCode(deps, tx, locked, form.code);
    if (spent instanceof KeptFailure) return spent;
    await switchSecondStep(act, locked, 'second_step_off', noSecondStep);
    return {};
  });
  if (!removed) fail('wrong_password');
  if (removed instanceof KeptFailure) throw removed;
}

/** For staff who lost phone and recovery codes. One's own takes the password and a code. */
export async function resetSecondStep(act: Act<Staff>, id: number): Promise<void> {
  const account = await lockAccount(act.tx, id);
  if (!account?.isAdmin) fail('not_found');
  if (id === act.actor.id) fail('main_admin_protected');
  if (!hasSecondStep(account)) fail('second_step_off');
  await switchSecondStep(act, account, 'second_step_reset', noSecondStep);
}

/** Writes the columns of a locked account, ends its other sessions and tells the other staff. */
export async function switchSecondStep(
  act: ActBy<Actor & { tokenHash?: string }>,
  account: Account,
  action: SecondStepSwitch,
  columns: AccountChange,
): Promise<void> {
  const { deps, tx, actor } = act;
  await changeAccount(tx, account.id, columns);
  await deleteSessionsOf(tx, account.id, actor.id === account.id ? actor.tokenHash : undefined);
  await audit(act, action, { account: account.id });
  const createdAt = deps.clock.now();
  const name = account.fullName || account.email || account.phone;
  const news = { ...records.secondStepNews(action, name), type: staffNotice, details: null, createdAt };
  for (const accountId of await readOtherStaffIds(tx, actor.id)) {
    tell(tx, { ...news, accountId });
    await noteAccessNews(tx, accountId, createdAt);
  }
}
