import { manilaDate } from '#domain/calendar.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { centavos, sum } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { readClosedWithMoney, readLoansLeftBehind } from '#server/store/erasure-store.ts';
import { readServicedLoans, standingOf } from './serviced-loan.ts';

/**
 * Deleted members with money in the wallet, a debt, or credit to hand back (§closed-accounts), such as after a reversed
 * receipt. Input of `ClosedAccountsReply`.
 */
export async function listClosedAccounts(deps: Deps) {
  const today = manilaDate(deps.clock.now());
  const { found, serviced, members } = await deps.database.snapshot(async (reader) => {
    const rows = await readLoansLeftBehind(reader);
    const loans = rows.map(({ loan }) => loan);
    const ids = [...new Set(loans.map(({ accountId }) => accountId))];
    return {
      found: rows,
      serviced: await readServicedLoans(reader, loans),
      members: await readClosedWithMoney(reader, ids),
    };
  });
  const left = found.flatMap(({ loan }) => {
    const of = { accountId: loan.accountId, loanId: loan.id, loanNumber: loan.loanNumber };
    const account = serviced.get(loan.id);
    const standing = account && standingOf(account, today)?.account;
    if (standing) {
      const { state, principalLeft, credit, leftToPay: owed } = standing;
      return owed > 0 || credit > 0 ? [{ ...of, state, principalLeft, credit, owed }] : [];
    }
    // Nobody records events on the loan of a deleted member, so only its status says whether the money came back.
    const { isRepaid, isTurnedDown } = loanStatusFacts(loan.status);
    if (isRepaid || isTurnedDown) return [];
    const released = loan.releasedCentavos ?? centavos(0);
    const state = 'not_disbursed' as const;
    return [{ ...of, state, principalLeft: released, credit: centavos(0), owed: released }];
  });
  const accounts = members.flatMap(({ id, fullName, deletedAt: closedAt, erasedAt, balanceCentavos }) => {
    const loans = left.filter(({ accountId }) => accountId === id);
    if (!closedAt || (balanceCentavos === 0 && loans.length === 0)) return [];
    const owed = sum(loans.map((loan) => loan.owed));
    return [
      { userId: id, fullName: erasedAt ? null : fullName, closedAt, balance: balanceCentavos, owed, loans },
    ];
  });
  return { accounts };
}
