import * as api from '#contract/api.ts';
import type { StaffLoan } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { call } from '#web/lib/call.ts';
import { showPeso } from '#web/lib/format.ts';
import { AskDialog } from '#web/panel/lib/ask-dialog.tsx';
import { useStaffAction } from '#web/panel/lib/staff-action.ts';
import { dropRow } from '#web/panel/lib/staff-rows.ts';
import { borrowerName, loanRow } from './loan-rules.ts';

const words = panel.loans;

/** Asks once before a loan leaves every list (§deleting-a-loan). */
export function DeleteLoanDialog({ loan, onClose }: { loan: StaffLoan; onClose: () => void }) {
  const act = useStaffAction();
  async function remove() {
    const result = await act(call(api.deleteLoan, { params: { id: loan.id } }), {
      done: { title: panel.toasts.success, description: words.deleted(loan.loanNumber) },
      failedTitle: panel.toasts.deleteFailed,
      row: loanRow(loan.id),
    });
    if (result.ok) dropRow(api.listLoans, loan.id);
  }
  return (
    <AskDialog
      title={words.deleteTitle(loan.loanNumber, borrowerName(loan))}
      text={words.deleteText(showPeso(loan.amount))}
      confirmLabel={words.delete}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
