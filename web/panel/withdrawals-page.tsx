import { useCallback, useMemo, useState } from 'react';
import * as api from '#contract/api.ts';
import type { StaffWithdrawal } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { withdrawalStatuses } from '#domain/withdrawal.ts';
import { useShownRows } from '#web/panel/lib/shown-rows.ts';
import { StaffList } from '#web/panel/lib/staff-list.tsx';
import { useStaffRows } from '#web/panel/lib/staff-rows.ts';
import { useStats } from '#web/panel/lib/stats.ts';
import { useTableState } from '#web/panel/lib/table-state.ts';
import { RejectDialog } from '#web/panel/withdrawal/reject-dialog.tsx';
import { useMoveWithdrawal } from '#web/panel/withdrawal/use-move-withdrawal.ts';
import { withdrawalColumns } from '#web/panel/withdrawal/withdrawal-columns.tsx';
import { WithdrawalDetailsDialog } from '#web/panel/withdrawal/withdrawal-details-dialog.tsx';
import {
  releasedAloneChoice,
  withdrawalCsv,
  withdrawalRules,
  withdrawalStatusWord,
} from '#web/panel/withdrawal/withdrawal-rules.ts';
import { NoWithdrawalsPicture } from '#web/ui/state-illustrations.tsx';

const words = panel.withdrawals;
const statuses = [
  ...withdrawalStatuses.map((value) => ({ value, label: withdrawalStatusWord(value) })),
  releasedAloneChoice,
];

/** The withdrawal list. Its details are a dialog; which one is open stands in the address bar. */
export default function WithdrawalsPage() {
  const state = useTableState();
  const list = useStaffRows(api.listWithdrawals, {
    failure: panel.toasts.withdrawals,
    narrowed: {
      search: state.search,
      status: withdrawalStatuses.find((known) => known === state.status) ?? '',
    },
  });
  const rows = useShownRows(list.rows, withdrawalRules, state);
  const move = useMoveWithdrawal();
  const [rejectingId, setRejectingId] = useState<number>();
  const { show } = state;
  const onOpen = useCallback(({ id }: StaffWithdrawal) => show({ open: id }), [show]);
  const columns = useMemo(
    () =>
      withdrawalColumns({
        onDetails: onOpen,
        onApprove: (withdrawal) => void move(withdrawal, 'approve'),
        onReject: ({ id }) => setRejectingId(id),
      }),
    [onOpen, move],
  );
  const rowOf = (id: number | undefined) => list.rows?.find((row) => row.id === id);
  const opened = rowOf(state.open);
  const rejecting = rowOf(rejectingId);

  return (
    <>
      <StaffList
        {...{ words, state, list, rows, columns, onOpen, statuses }}
        figures={useFigures()}
        csv={{ name: 'withdrawals', columns: withdrawalCsv }}
        picture={<NoWithdrawalsPicture />}
      />
      {opened && (
        <WithdrawalDetailsDialog
          key={opened.id}
          withdrawal={opened}
          onClose={() => show({ open: undefined })}
        />
      )}
      {rejecting && <RejectDialog withdrawal={rejecting} onClose={() => setRejectingId(undefined)} />}
    </>
  );
}

function useFigures() {
  const { withdrawals } = useStats();
  return (['total', 'pending', 'processed'] as const).map((id) => ({
    id,
    value: withdrawals?.[id],
    label: words.figures[id],
  }));
}
