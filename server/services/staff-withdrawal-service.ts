import { en } from '#contract/wording/en.ts';
import { limits } from '#domain/limits.ts';
import { centavos, pesosText } from '#domain/money.ts';
import {
  type AccessPart,
  accessChangesSince,
  canMoveWithdrawal,
  isFinalWithdrawal,
  type WithdrawalStatus,
} from '#domain/withdrawal.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { readAccessChanges } from '#server/store/access-store.ts';
import { countActiveStaff } from '#server/store/account-store.ts';
import { moveMoney } from '#server/store/ledger-store.ts';
import {
  findWithdrawal,
  lockWithdrawal,
  moveWithdrawal,
  readWithdrawalPage,
  type Withdrawal,
} from '#server/store/withdrawal-store.ts';
import { type Actor, audit } from './audit-service.ts';
import { noteCodes } from './member-list-service.ts';
import { tellBorrower } from './notice-service.ts';
import { viewStaffWithdrawal } from './withdrawal-view.ts';

/**
 * Everybody's withdrawals with their members, newest first, page by page: inputs of `StaffWithdrawalReply`. One-time
 * codes are in it only when the whole answer is short and `mayShowSecrets` (§secrets-in-answers). An empty status, and
 * `all`, filter nothing.
 */
export async function* listWithdrawals(
  deps: Deps,
  actor: Actor,
  filter: { search?: string | undefined; status?: '' | 'all' | WithdrawalStatus | undefined },
  mayShowSecrets: boolean,
) {
  const search = filter.search?.toLowerCase() || undefined;
  const status = filter.status === '' || filter.status === 'all' ? undefined : filter.status;
  const limit = limits.listPageRows;
  let before: number | undefined;
  for (;;) {
    const page = { search, status, before, limit };
    const rows = await deps.database.read((reader) => readWithdrawalPage(reader, page));
    // The first page is longer than the longest answer with secrets, so it tells how long the answer is.
    const isShortAnswer = before === undefined && rows.length <= limits.secretRowsMax;
    const showsCode = mayShowSecrets && isShortAnswer;
    const views = rows.map((row) => viewStaffWithdrawal(deps, row, showsCode));
    await noteCodes(
      deps,
      actor,
      views.map(({ user }) => user),
    );
    yield views;
    before = rows.at(-1)?.withdrawal.id;
    if (rows.length < limit) return;
  }
}

export type WithdrawalUpdate = { status: WithdrawalStatus; processedAt?: string | null | undefined };

/**
 * Moves a withdrawal on (§withdrawal-transitions): `completed` gets its time, the server's or the given one; `rejected`
 * is refunded, once, whatever arrives at the same moment. Fails with `withdrawal_final` or `withdrawal_transition`,
 * both telling what it is, and with `own_request`. Answers the input of `StaffWithdrawalReply`, without the member's
 * code: the answer is kept for retries, and a code is not to be kept in the open.
 */
export async function updateWithdrawal(
  deps: Deps,
  tx: Tx,
  actor: { id: number; address: string },
  id: number,
  update: WithdrawalUpdate,
) {
  const withdrawal = await lockWithdrawal(tx, id);
  if (!withdrawal) fail('not_found');
  const from = withdrawal.status as WithdrawalStatus;
  const to = update.status;
  const present = { status: from, processedAt: withdrawal.processedAt?.toISOString() ?? null };
  if (isFinalWithdrawal(from)) fail('withdrawal_final', { present });
  if (!canMoveWithdrawal(from, to)) fail('withdrawal_transition', { present });

  const at = deps.clock.now();
  const processedAt =
    to === 'completed' ? (givenMoment(update.processedAt, withdrawal.createdAt, at) ?? at) : null;
  const isRelease = from === 'pending' && to !== 'rejected';
  const alsoChanged = isRelease ? await ownChanges(tx, actor.id, withdrawal.accountId, at) : [];
  const isReleasedAlone = alsoChanged.length > 0;
  const move = { id, from, to, processedAt, isReleasedAlone, at };
  if (!(await moveWithdrawal(tx, move))) fail('withdrawal_transition');
  if (to === 'rejected') await refund(tx, actor.id, withdrawal, at);
  await audit(deps, tx, actor, {
    action: 'withdrawal_status_changed',
    target: { type: 'withdrawal', id },
    before: { status: from },
    after: {
      status: to,
      amount: pesosText(centavos(withdrawal.amountCentavos)),
      ...(processedAt && { processedAt }),
      ...(isReleasedAlone && { releasedAlone: alsoChanged }),
    },
  });
  const { withdrawalNumber } = withdrawal;
  await tellBorrower(deps, tx, withdrawal.accountId, 'withdrawal_status_changed', {
    withdrawalNumber,
    status: to,
    ...(isReleasedAlone && { alsoChanged: alsoChanged.join(',') }),
  });
  const moved = await findWithdrawal(tx, id);
  if (!moved) throw new Error('a locked withdrawal vanished');
  return viewStaffWithdrawal(deps, moved);
}

/**
 * What of the account's access this person has changed themselves within the last weeks. With any of it a held
 * withdrawal is somebody else's to release (§held-withdrawals): fails with `own_request`, unless nobody else works
 * here.
 */
async function ownChanges(tx: Tx, actorId: number, accountId: number, now: Date): Promise<AccessPart[]> {
  const changes = await readAccessChanges(tx, accountId, accessChangesSince(now));
  const own = changes.filter((change) => change.actorId === actorId).map(({ what }) => what);
  if (own.length > 0 && (await countActiveStaff(tx)) > 1) fail('own_request');
  return own;
}

/** What those who decide a withdrawal should know: input of `WithdrawalHoldReply`. Fails with `not_found`. */
export async function readWithdrawalHold(deps: Deps, callerId: number, id: number) {
  return deps.database.read(async (reader) => {
    const found = await findWithdrawal(reader, id);
    if (!found) fail('not_found');
    const { accountId } = found.withdrawal;
    const changes = await readAccessChanges(reader, accountId, accessChangesSince(deps.clock.now()));
    const isOwn = changes.some(({ actorId }) => actorId === callerId);
    return { changes, isOwnRequest: isOwn && (await countActiveStaff(reader)) > 1 };
  });
}

/** Two refunds of one withdrawal would also break the ledger's unique index on withdrawal and type. */
async function refund(tx: Tx, actorId: number, withdrawal: Withdrawal, at: Date): Promise<void> {
  const refunded = await moveMoney(tx, {
    accountId: withdrawal.accountId,
    amountCentavos: withdrawal.amountCentavos,
    type: 'withdrawal_refund',
    actorId,
    reason: withdrawal.withdrawalNumber,
    withdrawalId: withdrawal.id,
    evenIfDeleted: true,
    at,
  });
  if (!refunded) throw new Error('a rejected withdrawal could not be refunded');
}

/** The moment that a client gave, which lies between the request and now, but for clocks that are a little off. */
function givenMoment(text: string | null | undefined, requestedAt: Date, now: Date): Date | undefined {
  if (text === undefined || text === null) return undefined;
  const moment = new Date(text);
  const skew = limits.clockSkewMs;
  // Written so that an invalid date (NaN) is refused.
  if (moment.getTime() >= requestedAt.getTime() - skew && moment.getTime() <= now.getTime() + skew) {
    return moment;
  }
  const message = en.validation.processedAtRange;
  fail('validation_failed', { message, fields: { processedAt: message } });
}
