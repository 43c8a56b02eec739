import type { StaffWithdrawal } from '#contract/member.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { formatsOf, showPeso } from '#web/lib/format.ts';
import { useIsActiveRow } from '#web/panel/lib/active-row.ts';
import { actionsHead, type Column } from '#web/panel/lib/list-table.tsx';
import { useRowWork } from '#web/panel/lib/row-action.tsx';
import { Button, type ButtonProps } from '#web/ui/button.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { withdrawalRow } from './use-move-withdrawal.ts';
import { payeeName, shortAccount, withdrawalStatusTone, withdrawalStatusWord } from './withdrawal-rules.ts';

/** What a row's buttons do. */
export type WithdrawalActions = {
  onDetails: (withdrawal: StaffWithdrawal) => void;
  onApprove: (withdrawal: StaffWithdrawal) => void;
  onReject: (withdrawal: StaffWithdrawal) => void;
};

const words = panel.withdrawals;
const { columns: heads } = words;
const { date } = formatsOf('en');

/** The columns of the withdrawal list. Made once: see `ListTableProps`. */
export function withdrawalColumns(actions: WithdrawalActions): readonly Column<StaffWithdrawal>[] {
  return [
    {
      id: 'member',
      head: heads.member,
      widthPx: 140,
      wantPx: 184,
      grow: 3,
      sorts: true,
      cell: (withdrawal) => <CellLines main={payeeName(withdrawal)} note={withdrawal.user.phone} />,
    },
    {
      id: 'number',
      head: heads.number,
      widthPx: 138,
      grow: 1,
      rank: 3,
      sorts: true,
      cell: ({ withdrawalNumber }) => withdrawalNumber,
    },
    {
      id: 'amount',
      head: heads.amount,
      widthPx: 128,
      grow: 1,
      numeric: true,
      sorts: true,
      cell: ({ amount }) => <span className="font-semibold">{showPeso(amount)}</span>,
    },
    {
      id: 'bank',
      head: heads.bank,
      widthPx: 126,
      grow: 2,
      rank: 2,
      sorts: true,
      cell: ({ bankName, bankAccountNumber }) => (
        <CellLines main={bankName} note={shortAccount(bankAccountNumber)} />
      ),
    },
    {
      id: 'status',
      head: heads.status,
      widthPx: 124,
      sorts: true,
      cell: ({ status, isReleasedAlone }) => (
        <>
          <StatusChip tone={withdrawalStatusTone[status]}>{withdrawalStatusWord(status)}</StatusChip>
          {isReleasedAlone && <span className="block text-12 text-warn">{words.releasedAlone}</span>}
        </>
      ),
    },
    {
      id: 'requested',
      head: heads.requested,
      widthPx: 112,
      rank: 4,
      sorts: true,
      cell: ({ createdAt }) => date(createdAt),
    },
    {
      id: 'processed',
      head: heads.processed,
      widthPx: 112,
      rank: 5,
      sorts: true,
      cell: ({ processedAt }) => (processedAt === null ? panel.list.dash : date(processedAt)),
    },
    {
      id: 'actions',
      head: actionsHead,
      widthPx: 282,
      numeric: true,
      cell: (withdrawal) => <WithdrawalRowActions withdrawal={withdrawal} {...actions} />,
    },
  ];
}

/** In words, not icons: two of them are final. */
function WithdrawalRowActions({
  withdrawal,
  ...actions
}: WithdrawalActions & { withdrawal: StaffWithdrawal }) {
  const work = useRowWork(withdrawalRow(withdrawal.id));
  return (
    <span className="flex justify-end gap-1.5">
      {withdrawal.status === 'approved' && (
        <RowButton
          busy={work !== undefined}
          busyLabel={work?.stop && panel.list.checking}
          onClick={() => actions.onApprove(withdrawal)}
        >
          {words.approve}
        </RowButton>
      )}
      {work?.stop ? (
        <RowButton look="secondary" onClick={work.stop}>
          {panel.list.stopWaiting}
        </RowButton>
      ) : (
        <>
          {withdrawal.status === 'approved' && (
            <RowButton
              look="danger"
              disabled={work !== undefined}
              onClick={() => actions.onReject(withdrawal)}
            >
              {words.reject}
            </RowButton>
          )}
          <RowButton look="quiet" onClick={() => actions.onDetails(withdrawal)}>
            {panel.list.details}
          </RowButton>
        </>
      )}
      <span role="status" className="sr-only">
        {work?.stop && en.shell.checking}
      </span>
    </span>
  );
}

function RowButton(props: ButtonProps) {
  const active = useIsActiveRow();
  return <Button {...props} size="small" className="px-2.5" tabIndex={active ? 0 : -1} />;
}
