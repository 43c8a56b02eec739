import type { StaffWithdrawal } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { showPeso } from '#web/lib/format.ts';
import { AskDialog } from '#web/panel/lib/ask-dialog.tsx';
import { useRowWork } from '#web/panel/lib/row-action.tsx';
import { useMoveWithdrawal, withdrawalRow } from './use-move-withdrawal.ts';
import { payeeName } from './withdrawal-rules.ts';

const words = panel.withdrawals;

type Props = {
  withdrawal: StaffWithdrawal;
  /** Whether it worked. */
  onAnswered?: (rejected: boolean) => void;
  onClose: () => void;
};

/** Asks once before a withdrawal is rejected and its amount goes back to the wallet. */
export function RejectDialog({ withdrawal, onAnswered, onClose }: Props) {
  const move = useMoveWithdrawal();
  const work = useRowWork(withdrawalRow(withdrawal.id));
  return (
    <AskDialog
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
