import { loanStatusFacts } from '#domain/loan.ts';
import { type Centavos, centavos, formatPeso, pesosText } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { type Account, changeAccount } from '#server/store/account-store.ts';
import { type LedgerType, moveMoney } from '#server/store/ledger-store.ts';
import { changeLoan, type Loan, lockLoan, lockLoanToRelease } from '#server/store/loan-store.ts';
import { areTermsUnagreed } from '#server/store/loan-terms-store.ts';
import { audit } from './audit-service.ts';
import { tellBorrower } from './notice-service.ts';
import type { Staff } from './session-service.ts';

/** The whole new balance, and optionally the one it was changed from and the loan that is paid out. */
export type BalanceEdit = {
  balance: Centavos;
  expectedBalance?: Centavos | undefined;
  reason?: Extract<LedgerType, 'admin_adjustment' | 'disbursement' | 'correction'> | undefined;
  loanId?: number | undefined;
};

/**
 * Sets a member's balance to what staff entered; the difference becomes a ledger entry (§balance). `account` must be
 * locked by this transaction: the difference is taken from it, and the movement is refused if it does not start from
 * there. Returns the loan that this paid out, if any; its status stays as it is (§loan-status).
 */
export async function setBalance(
  deps: Deps,
  tx: Tx,
  staff: Staff,
  account: Account,
  edit: BalanceEdit,
): Promise<Loan | undefined> {
  const { balance, expectedBalance, reason = 'admin_adjustment' } = edit;
  const before = centavos(account.balanceCentavos);
  if (expectedBalance !== undefined && expectedBalance !== before) fail('balance_changed');
  const amount = centavos(balance - before);
  const isRelease = reason === 'disbursement' && amount > 0;
  if (edit.loanId !== undefined && !isRelease) {
    refuseField(reason === 'disbursement' ? 'balance' : 'loanId', 'releaseAddsMoney');
  }
  if (amount === 0) return undefined;
  const loan = isRelease ? await loanToRelease(tx, account, edit.loanId) : undefined;
  if (loan && (await areTermsUnagreed(tx, loan.id))) fail('terms_not_agreed');
  const at = deps.clock.now();
  const moved = await moveMoney(tx, {
    accountId: account.id,
    amountCentavos: amount,
    type: reason,
    actorId: staff.id,
    reason,
    expectedBalanceCentavos: before,
    at,
  });
  if (!moved) fail('balance_changed');
  const isWithoutLoan = amount > 0 && !loan;
  if (isWithoutLoan) await changeAccount(tx, account.id, { creditWithoutLoanAt: at });
  const released = loan && (await changeLoan(tx, loan.id, releaseOf(loan, amount, at)));

  await audit(deps, tx, staff, {
    action: 'balance_changed',
    on: { account: account.id },
    before: { balance: pesosText(before) },
    after: { balance: pesosText(balance), reason, ...(isWithoutLoan && { withoutLoan: true }) },
  });
  if (released) {
    await audit(deps, tx, staff, {
      action: 'loan_released',
      on: { loan: released.id },
      after: { amount: pesosText(amount) },
    });
  }
  await tellBorrower(deps, tx, account.id, 'balance_changed', {
    before: formatPeso(before),
    after: formatPeso(balance),
    amount: formatPeso(centavos(Math.abs(amount))),
    change: isRelease ? 'released' : amount > 0 ? 'added' : 'taken',
    ...(released && { loanNumber: released.loanNumber }),
  });
  return released;
}

/** The loan to pay out, locked: the given one, else the newest that waits for money. */
async function loanToRelease(
  tx: Tx,
  account: Account,
  loanId: number | undefined,
): Promise<Loan | undefined> {
  if (loanId === undefined) return lockLoanToRelease(tx, account.id);
  const loan = await lockLoan(tx, loanId);
  if (loan?.accountId !== account.id) refuseField('loanId', 'loanUnknown');
  if (!loanStatusFacts(loan.status).isPayable) fail('loan_not_approved');
  return loan;
}

/** The first payment sets the day; each adds to the amount. */
function releaseOf({ releasedAt, releasedCentavos }: Loan, amount: Centavos, at: Date) {
  return {
    releasedAt: releasedAt ?? at,
    releasedCentavos: (releasedCentavos ?? 0) + amount,
    updatedAt: at,
  };
}
