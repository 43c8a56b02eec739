import { type Centavos, centavos, formatPeso, pesosText } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Account } from '#server/store/account-store.ts';
import { type LedgerType, moveMoney } from '#server/store/ledger-store.ts';
import { audit } from './audit-service.ts';
import { tellBorrower } from './notice-service.ts';

/** A balance as staff write it: the whole new sum, and optionally the one it was changed from. */
export type BalanceEdit = {
  balance: Centavos;
  expectedBalance?: Centavos | undefined;
  reason?: Extract<LedgerType, 'admin_adjustment' | 'disbursement' | 'correction'> | undefined;
};

/**
 * Brings a member's balance to what staff wrote: the difference becomes a ledger entry (contract section 6). Fails with
 * `balance_changed` when the balance is no longer the expected one. `account` must be locked by this transaction: the
 * difference is taken from it, and the movement is refused should it not start from there.
 */
export async function setBalance(
  deps: Deps,
  tx: Tx,
  actor: { id: number; address: string },
  account: Account,
  { balance, expectedBalance, reason = 'admin_adjustment' }: BalanceEdit,
): Promise<void> {
  const before = centavos(account.balanceCentavos);
  if (expectedBalance !== undefined && expectedBalance !== before) fail('balance_changed');
  if (balance === before) return;
  const moved = await moveMoney(tx, {
    accountId: account.id,
    amountCentavos: balance - before,
    type: reason,
    actorId: actor.id,
    reason,
    expectedBalanceCentavos: before,
    at: deps.clock.now(),
  });
  if (!moved) fail('balance_changed');

  await audit(deps, tx, actor, {
    action: 'balance_changed',
    target: { type: 'account', id: account.id },
    before: { balance: pesosText(before) },
    after: { balance: pesosText(balance), reason },
  });
  const details = { before: formatPeso(before), after: formatPeso(balance) };
  await tellBorrower(deps, tx, account.id, 'balance_changed', details);
}
