import { manilaYear } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { type WithdrawalStatus, withdrawalNumber } from '#domain/withdrawal.ts';
import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { drawNumbers, insertWithdrawals, moveMoneyOfMany } from '#server/store/seed-store.ts';
import { sampleBankOf, sampleChance } from './seed-people.ts';

/** The newest ones still wait for staff. */
const waitingShare = 0.04;

/** A withdrawal of the sample: which one, whose, when it was asked for and, if it was, when it was decided. */
export type SampleWithdrawal = {
  number: number;
  member: { number: number; id: number };
  createdAt: Date;
  decidedAt: Date;
};

/** What the sample's withdrawal `number` takes, in centavos. */
export const sampleWithdrawalCentavos = (number: number): number =>
  limits.withdrawalMinCentavos * (1 + Math.floor(sampleChance(number, 'withdrawal amount') * 30));

/**
 * Withdrawals with the entries that their status demands: a debit each, and a refund when rejected. `of` so many in
 * all; a member may be among them once, and must have the money.
 */
export async function putWithdrawals(
  deps: Deps,
  tx: Tx,
  sample: readonly SampleWithdrawal[],
  of: number,
): Promise<void> {
  const ids = await drawNumbers(tx, 'withdrawal', sample.length);
  const numbers = await drawNumbers(tx, 'withdrawalNumber', sample.length);
  const rows = sample.map(({ number, member, createdAt, decidedAt }, index) => {
    const [id = 0, sequence = 0] = [ids[index], numbers[index]];
    const status = statusOf(number, of);
    const isFinal = status === 'completed' || status === 'rejected';
    return {
      id,
      accountId: member.id,
      withdrawalNumber: withdrawalNumber(manilaYear(createdAt), sequence),
      amountCentavos: sampleWithdrawalCentavos(number),
      ...sampleBankOf(deps, member.number),
      status,
      createdAt,
      processedAt: status === 'completed' ? decidedAt : null,
      updatedAt: isFinal ? decidedAt : createdAt,
    };
  });
  await insertWithdrawals(tx, rows);
  const moveOf = (row: (typeof rows)[number]) => ({
    accountId: row.accountId,
    withdrawalId: row.id,
    reason: row.withdrawalNumber,
  });
  await moveMoneyOfMany(
    tx,
    'withdrawal',
    rows.map((row) => ({
      ...moveOf(row),
      amountCentavos: -row.amountCentavos,
      actorId: row.accountId,
      at: row.createdAt,
    })),
  );
  await moveMoneyOfMany(
    tx,
    'withdrawal_refund',
    rows
      .filter(({ status }) => status === 'rejected')
      .map((row) => ({
        ...moveOf(row),
        amountCentavos: row.amountCentavos,
        actorId: limits.mainAdminId,
        at: row.updatedAt,
      })),
  );
}

function statusOf(number: number, of: number): WithdrawalStatus {
  const chance = sampleChance(number, 'withdrawal status');
  if (number >= of * (1 - waitingShare)) return chance < 0.5 ? 'pending' : 'approved';
  return chance < 0.85 ? 'completed' : 'rejected';
}
