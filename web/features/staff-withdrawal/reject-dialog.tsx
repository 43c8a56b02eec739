import type { StaffWithdrawal } from '#contract/member.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { AskDialog } from '#web/lib/ask-dialog.tsx';
import { showPeso } from '#web/lib/format.ts';
import { useMoveWithdrawal } from './use-move-withdrawal.ts';
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
  const { state, move } = useMoveWithdrawal();
  return (
    <AskDialog
      title={words.rejectTitle(withdrawal.withdrawalNumber)}
      text={words.rejectText({ amount: showPeso(withdrawal.amount), name: payeeName(withdrawal) })}
      note={state === 'checking' && en.shell.checking}
      confirmLabel={words.reject}
      onConfirm={async () => {
        const rejected = await move(withdrawal, 'reject');
        onAnswered?.(rejected);
      }}
      onClose={onClose}
    />
  );
}
