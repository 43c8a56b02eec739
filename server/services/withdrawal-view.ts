import { centavos } from '#domain/money.ts';
import type { WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Deps } from '#server/deps.ts';
import type { Withdrawal } from '#server/store/withdrawal-store.ts';
import { type EmbeddedMember, viewEmbeddedMember } from './embedded-member-view.ts';

/** A withdrawal as its borrower sees it: input of `WithdrawalReply`. */
export function viewWithdrawal(withdrawal: Withdrawal) {
  return {
    id: withdrawal.id,
    userId: withdrawal.accountId,
    withdrawalNumber: withdrawal.withdrawalNumber,
    amount: centavos(withdrawal.amountCentavos),
    bankName: withdrawal.bankName,
    bankAccountNumber: withdrawal.bankAccountNumber,
    status: withdrawal.status as WithdrawalStatus,
    createdAt: withdrawal.createdAt,
    processedAt: withdrawal.processedAt,
  };
}

/** The same with its member, as staff see it: input of `StaffWithdrawalReply`. */
export function viewStaffWithdrawal(
  deps: Deps,
  { withdrawal, member }: { withdrawal: Withdrawal; member: EmbeddedMember },
  showsCode = false,
) {
  return {
    ...viewWithdrawal(withdrawal),
    ...(withdrawal.isReleasedAlone && { isReleasedAlone: true as const }),
    user: viewEmbeddedMember(deps, member, showsCode),
  };
}
