import { useCallback } from 'react';
import * as api from '#contract/api.ts';
import type { StaffWithdrawal } from '#contract/member.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { CallError } from '#web/lib/call-error.ts';
import { showPeso } from '#web/lib/format.ts';
import { sendMoney } from '#web/lib/money-call.ts';
import { refreshReads } from '#web/lib/query.tsx';
import type { ToastMessage } from '#web/lib/toast-store.ts';
import { workOnRow } from '#web/panel/lib/row-action.tsx';
import { useStaffAction } from '#web/panel/lib/staff-action.ts';
import { acceptRow } from '#web/panel/lib/staff-rows.ts';
import { payeeName } from './withdrawal-rules.ts';

/** What staff do to a withdrawal; approving and processing both complete it (§withdrawal-transitions). */
export type WithdrawalMove = 'approve' | 'process' | 'reject';

const words = panel.withdrawals;

/** A withdrawal as its row, for `useRowWork`. */
export const withdrawalRow = (id: number) => ({
  list: api.listWithdrawals,
  id,
  gone: panel.together.withdrawalGone,
});

/**
 * Completes or rejects a withdrawal, with toasts (§toasts). The time of processing is the server's own.
 * Resolves to whether it worked. Where somebody else was faster, the list is read again.
 */
export function useMoveWithdrawal(): (withdrawal: StaffWithdrawal, to: WithdrawalMove) => Promise<boolean> {
  const act = useStaffAction();
  return useCallback(
    async (withdrawal, to) => {
      const row = withdrawalRow(withdrawal.id);
      const status = to === 'reject' ? 'rejected' : 'completed';
      const request = { params: { id: withdrawal.id }, body: { status } } as const;
      const hasMoved = await workOnRow(row, async (onChecking) => {
        const result = await act(sendMoney(api.updateWithdrawal, [request], onChecking), {
          done: toastOf(withdrawal, to),
          failedTitle: panel.toasts.actionFailed,
          row,
        });
        if (result.ok) acceptRow(api.listWithdrawals, result.answer);
        else if (result.error instanceof CallError && result.error.status === 409) {
          // Its row shows what it is now already; the money that went back with a refund is in other rows.
          void refreshReads(api.listWithdrawals);
        }
        return result.ok;
      });
      return hasMoved ?? false;
    },
    [act],
  );
}

function toastOf(withdrawal: StaffWithdrawal, to: WithdrawalMove): ToastMessage {
  const number = withdrawal.withdrawalNumber;
  const amount = showPeso(withdrawal.amount);
  const name = payeeName(withdrawal);
  if (to === 'approve') {
    return { title: en.withdrawal.approved, description: words.approvedText({ number, amount }) };
  }
  const description =
    to === 'reject' ? words.rejectedText({ number, amount, name }) : words.processedText(number);
  return { title: panel.toasts.success, description };
}
