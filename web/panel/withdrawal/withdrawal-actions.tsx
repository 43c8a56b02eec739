import { useCallback } from 'react';
import * as api from '#contract/api.ts';
import type { StaffWithdrawal } from '#contract/staff-withdrawal.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { CallError } from '#web/lib/call-error.ts';
import { showPeso } from '#web/lib/format.ts';
import { sendMoney } from '#web/lib/money-call.ts';
import { refreshReads } from '#web/lib/query.tsx';
import type { ToastMessage } from '#web/lib/toast-store.ts';
import { ConfirmDialog } from '#web/panel/lib/dialogs.tsx';
import { useRowWork, workOnRow } from '#web/panel/lib/row-action.tsx';
import { useStaffAction } from '#web/panel/lib/staff-action.ts';
import { acceptRow } from '#web/panel/lib/staff-rows.ts';
import { payeeName } from './withdrawal-text.ts';

/** Approving and processing both complete a withdrawal (§withdrawal-transitions). */
type WithdrawalMove = 'approve' | 'process' | 'reject';

const words = panel.withdrawals;

/** A withdrawal's row in the list, for actions that may find it busy or gone. */
export const withdrawalRow = (id: number) => ({
  list: api.listWithdrawals,
  id,
  gone: panel.conflict.withdrawalGone,
});

/**
 * Completes or rejects a withdrawal, with toasts (§toasts). Resolves to whether it worked; if somebody
 * else was faster, the list is refetched.
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
          // Its own row is updated already, but a refund also shows in other rows.
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

type Props = {
  withdrawal: StaffWithdrawal;
  /** Whether it worked. */
  onAnswered?: (rejected: boolean) => void;
  onClose: () => void;
};

/** Confirms before a withdrawal is rejected and its amount goes back to the wallet. */
export function RejectDialog({ withdrawal, onAnswered, onClose }: Props) {
  const move = useMoveWithdrawal();
  const work = useRowWork(withdrawalRow(withdrawal.id));
  return (
    <ConfirmDialog
      title={words.rejectTitle(withdrawal.withdrawalNumber)}
      text={words.rejectText({ amount: showPeso(withdrawal.amount), name: payeeName(withdrawal) })}
      confirmLabel={words.reject}
      onStop={work?.stop}
      onConfirm={async () => {
        const rejected = await move(withdrawal, 'reject');
        onAnswered?.(rejected);
      }}
      onClose={onClose}
    />
  );
}
