import { manilaYear } from '#domain/calendar.ts';
import { type Centavos, pesosText } from '#domain/money.ts';
import { accessChangesSince, firstWithdrawalStatus, withdrawalNumber } from '#domain/withdrawal.ts';
import type { Deps } from '#server/deps.ts';
import { fail, KeptFailure } from '#server/failure.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { findLongHold } from '#server/store/access-store.ts';
import type { Account } from '#server/store/account-store.ts';
import { moveMoney } from '#server/store/ledger-store.ts';
import {
  insertWithdrawal,
  nextWithdrawalSequence,
  readWithdrawalsOf,
} from '#server/store/withdrawal-store.ts';
import { audit } from './audit-service.ts';
import { spendOtp } from './otp-service.ts';
import { lockOwnAccount } from './profile-service.ts';
import type { Caller } from './session-service.ts';
import { viewWithdrawal } from './withdrawal-view.ts';

export type WithdrawalRequest = {
  amount: Centavos;
  bankName: string;
  bankAccountNumber: string;
  otp: string;
};

/** A borrower's withdrawals, newest first: inputs of `WithdrawalReply`. */
export async function listOwnWithdrawals(deps: Deps, accountId: number) {
  const rows = await deps.database.read((reader) => readWithdrawalsOf(reader, accountId));
  return rows.map(viewWithdrawal);
}

/**
 * Takes money out of the wallet (§withdrawing): first the funds are checked, then the code, and then in this same
 * transaction the code is used up, the balance debited, the withdrawal stored and the ledger written.
 *
 * Everything is decided on the locked account, so simultaneous requests come one after the other and each sees what the
 * one before left. `insufficient_funds` is thrown; `invalid_otp` is returned, so that a counted try stays counted.
 */
export async function requestWithdrawal(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  request: WithdrawalRequest,
  address: string,
) {
  const account = await lockOwnAccount(tx, caller);
  if (request.amount > account.balanceCentavos) fail('insufficient_funds');
  const actor = { id: account.id, address };
  if (!(await spendOtp(deps, tx, actor, account, request.otp))) return new KeptFailure('invalid_otp');

  const withdrawal = await storeWithdrawal(deps, tx, account, request);
  const moved = await moveMoney(tx, {
    accountId: account.id,
    amountCentavos: -request.amount,
    type: 'withdrawal',
    actorId: account.id,
    reason: withdrawal.withdrawalNumber,
    withdrawalId: withdrawal.id,
    at: withdrawal.createdAt,
  });
  if (!moved) fail('insufficient_funds');
  await audit(deps, tx, actor, {
    action: 'withdrawal_requested',
    target: { type: 'withdrawal', id: withdrawal.id },
    after: { amount: pesosText(request.amount), status: withdrawal.status },
  });
  return viewWithdrawal(withdrawal);
}

async function storeWithdrawal(deps: Deps, tx: Tx, account: Account, request: WithdrawalRequest) {
  const now = deps.clock.now();
  return insertWithdrawal(tx, {
    accountId: account.id,
    withdrawalNumber: withdrawalNumber(manilaYear(now), await nextWithdrawalSequence(tx)),
    amountCentavos: request.amount,
    bankName: request.bankName,
    bankAccountNumber: request.bankAccountNumber,
    status: firstWithdrawalStatus({
      requested: request,
      profile: account,
      lastStaffChangeAt: account.staffChangedAccessAt,
      isHeldLonger: (await findLongHold(tx, account.id, accessChangesSince(now))) !== undefined,
      now,
    }),
    createdAt: now,
    updatedAt: now,
  });
}
