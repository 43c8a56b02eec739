import { useCallback, useMemo, useState } from 'react';
import * as api from '#contract/api.ts';
import type { StaffWithdrawal } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { withdrawalStatuses } from '#domain/withdrawal.ts';
import { RejectDialog } from '#web/features/staff-withdrawal/reject-dialog.tsx';
import { useMoveWithdrawal } from '#web/features/staff-withdrawal/use-move-withdrawal.ts';
import { withdrawalColumns } from '#web/features/staff-withdrawal/withdrawal-columns.tsx';
import { WithdrawalDetailsDialog } from '#web/features/staff-withdrawal/withdrawal-details-dialog.tsx';
import {
  withdrawalCsv,
  withdrawalRules,
  withdrawalStatusWord,
} from '#web/features/staff-withdrawal/withdrawal-rules.ts';
import { downloadCsv } from '#web/lib/csv.ts';
import { ListBar, ListHead } from '#web/lib/list-page.tsx';
import { ListBody, ListEmpty } from '#web/lib/list-states.tsx';
import { ListTable } from '#web/lib/list-table.tsx';
import { useShownRows } from '#web/lib/shown-rows.ts';
import { useStaffRows } from '#web/lib/staff-rows.ts';
import { useStats } from '#web/lib/stats.ts';
import { useTableState } from '#web/lib/table-state.ts';
import { NoWithdrawalsPicture } from '#web/ui/state-illustrations.tsx';

const words = panel.withdrawals;
const statuses = withdrawalStatuses.map((value) => ({ value, label: withdrawalStatusWord(value) }));

/** The withdrawal list (spec sections 2 and 4). Its details are a dialog; which one is open stands in the address bar. */
export default function WithdrawalsPage() {
  const state = useTableState();
  const list = useStaffRows(api.listWithdrawals, { failure: panel.toasts.withdrawals });
  const rows = useShownRows(list.rows, withdrawalRules, state);
  const { move } = useMoveWithdrawal();
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
      <ListHead
        title={words.title}
        figures={useFigures()}
        exportDisabled={rows.length === 0}
        onExport={() => downloadCsv('withdrawals', withdrawalCsv, rows)}
      />
      <ListBar
        state={state}
        searchLabel={words.search}
        statusLabel={panel.list.status}
        allLabel={panel.list.allStatuses}
        statuses={statuses}
      />
      <ListBody list={list} shownCount={rows.length}>
        <ListTable
          label={words.title}
          rows={rows}
          columns={columns}
          sort={state.sort}
          onSort={state.sortBy}
          openId={state.open}
          onOpen={onOpen}
          empty={
            <ListEmpty
              state={state}
              title={words.none}
              text={words.noneText}
              picture={<NoWithdrawalsPicture />}
            />
          }
        />
      </ListBody>
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
