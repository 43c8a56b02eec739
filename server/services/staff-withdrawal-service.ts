import { en } from '#contract/wording/en.ts';
import { limits } from '#domain/limits.ts';
import { centavos, pesosText } from '#domain/money.ts';
import { canMoveWithdrawal, isFinalWithdrawal, type WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { moveMoney } from '#server/store/ledger-store.ts';
import {
  findWithdrawal,
  lockWithdrawal,
  moveWithdrawal,
  readWithdrawalPage,
  type Withdrawal,
} from '#server/store/withdrawal-store.ts';
import { audit } from './audit-service.ts';
import { tellBorrower } from './notice-service.ts';
import { viewStaffWithdrawal } from './withdrawal-view.ts';

/**
 * Everybody's withdrawals with their members, newest first, page by page: inputs of `StaffWithdrawalReply`. One-time
 * codes are in it only when the whole answer is short and `mayShowSecrets` (contract section 6, Secrets in answers). An empty status, and `all`, filter nothing.
 */
export async function* listWithdrawals(
  deps: Deps,
  filter: { search?: string | undefined; status?: '' | 'all' | WithdrawalStatus | undefined },
  mayShowSecrets: boolean,
) {
  const now = deps.clock.now();
  const search = filter.search?.toLowerCase() || undefined;
  const status = filter.status === '' || filter.status === 'all' ? undefined : filter.status;
  const limit = limits.listPageRows;
  let before: number | undefined;
  for (;;) {
    const page = { search, status, before, limit };
    const rows = await deps.database.read((reader) => readWithdrawalPage(reader, page));
    // The first page is longer than the longest answer with secrets, so it tells how long the answer is.
    const isShortAnswer = before === undefined && rows.length <= limits.secretRowsMax;
    const secrets = mayShowSecrets && isShortAnswer ? deps.secrets : undefined;
    yield rows.map((row) => viewStaffWithdrawal(row, now, secrets));
    before = rows.at(-1)?.withdrawal.id;
    if (rows.length < limit) return;
  }
}

export type WithdrawalUpdate = { status: WithdrawalStatus; processedAt?: string | null | undefined };

/**
 * Moves a withdrawal on (contract section 5, Transitions): `completed` gets its time, the server's or the given one;
 * `rejected` is refunded, once, whatever arrives at the same moment. Fails with `withdrawal_final` or
 * `withdrawal_transition`, both telling what it is. Answers the input of `StaffWithdrawalReply`, without the member's code: the answer is kept
 * for retries, and a code is not to be kept in the open.
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
  const processedAt = to === 'completed' ? (givenMoment(update.processedAt) ?? at) : null;
  if (!(await moveWithdrawal(tx, { id, from, to, processedAt, at }))) fail('withdrawal_transition');
  if (to === 'rejected') await refund(tx, actor.id, withdrawal, at);
  await audit(deps, tx, actor, {
    action: 'withdrawal_status_changed',
    target: { type: 'withdrawal', id },
    before: { status: from },
    after: { status: to, amount: pesosText(centavos(withdrawal.amountCentavos)) },
  });
  const { withdrawalNumber } = withdrawal;
  await tellBorrower(deps, tx, withdrawal.accountId, 'withdrawal_status_changed', {
    withdrawalNumber,
    status: to,
  });
  const moved = await findWithdrawal(tx, id);
  if (!moved) throw new Error('a locked withdrawal vanished');
  return viewStaffWithdrawal(moved, at);
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

/** The schema has seen to the form; a time zone can still carry a moment out of the years that the books can hold. */
function givenMoment(text: string | null | undefined): Date | undefined {
  if (text === undefined || text === null) return undefined;
  const moment = new Date(text);
  const year = Number.isNaN(moment.getTime()) ? 0 : moment.getUTCFullYear();
  if (year >= 1 && year <= 9999) return moment;
  const message = en.validation.momentInvalid;
  fail('validation_failed', { message, fields: { processedAt: message } });
}
