import { useMemo, useState } from 'react';
import * as api from '#contract/api.ts';
import type { CsvColumn } from '#contract/csv.ts';
import type { StaffWithdrawal } from '#contract/staff-withdrawal.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { withdrawalStatuses } from '#domain/withdrawal.ts';
import { formatsOf, showPeso } from '#web/lib/format.ts';
import { CellLines } from '#web/ui/data-table.tsx';
import { NoWithdrawalsPicture } from '#web/ui/state-illustrations.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { columnsOf, type ListDefinition, personTexts, useListView } from './lib/list-view.ts';
import { RowButton, useRowWork } from './lib/row-action.tsx';
import { StaffList } from './lib/staff-list.tsx';
import { useStaffRows, useStats } from './lib/staff-rows.ts';
import {
  payeeName,
  RejectDialog,
  shortAccount,
  useMoveWithdrawal,
  WithdrawalDetailsDialog,
  withdrawalRow,
  withdrawalStatusTone,
  withdrawalStatusWord,
} from './withdrawal-details.tsx';

const words = panel.withdrawals;
const { date, dateTime } = formatsOf('en');

/** A filter beside the statuses: withdrawals that one person released alone. */
const releasedAloneChoice = { value: 'alone', label: words.releasedAloneFilter };
const statuses = [
  ...withdrawalStatuses.map((value) => ({ value, label: withdrawalStatusWord(value) })),
  releasedAloneChoice,
];

/** The withdrawal list. Its details are a dialog; the open one is in the URL. */
export default function WithdrawalsPage() {
  const view = useListView();
  const read = useStaffRows(api.listWithdrawals, {
    failure: panel.toasts.withdrawals,
    narrowed: {
      search: view.search,
      status: withdrawalStatuses.find((known) => known === view.status) ?? '',
    },
  });
  const move = useMoveWithdrawal();
  const [rejectingId, setRejectingId] = useState<number>();
  const { show } = view;
  const actions = useMemo<Actions>(
    () => ({
      onDetails: ({ id }) => show({ open: id }),
      onApprove: (withdrawal) => void move(withdrawal, 'approve'),
      onReject: ({ id }) => setRejectingId(id),
    }),
    [show, move],
  );
  const rowOf = (id: number | undefined) => read.rows?.find((row) => row.id === id);
  const opened = rowOf(view.open);
  const rejecting = rowOf(rejectingId);
  return (
    <>
      <StaffList
        {...{ words, view, read, actions, statuses }}
        list={withdrawalList}
        counts={useStats().withdrawals}
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

type Actions = Record<'onDetails' | 'onApprove' | 'onReject', (withdrawal: StaffWithdrawal) => void>;

const { columns: heads } = words;

export const withdrawalList: ListDefinition<StaffWithdrawal, Actions> = {
  searchTexts: ({ withdrawalNumber, user, bankName }) => personTexts(user).concat(withdrawalNumber, bankName),
  statusOf: ({ status }) => status,
  alsoFits: ({ isReleasedAlone }, choice) => choice === releasedAloneChoice.value && isReleasedAlone === true,
  columns: columnsOf(heads, {
    member: {
      size: { widthPx: 140, wantPx: 184, grow: 3 },
      sortValue: payeeName,
      cell: (withdrawal) => <CellLines main={payeeName(withdrawal)} note={withdrawal.user.phone} />,
    },
    number: {
      size: { widthPx: 138, grow: 1, rank: 3 },
      sortValue: ({ withdrawalNumber }) => withdrawalNumber,
    },
    amount: {
      size: { widthPx: 128, grow: 1 },
      numeric: true,
      sortValue: ({ amount }) => Number(amount),
      cell: ({ amount }) => <span className="font-semibold">{showPeso(amount)}</span>,
    },
    bank: {
      size: { widthPx: 126, grow: 2, rank: 2 },
      sortValue: ({ bankName }) => bankName,
      cell: ({ bankName, bankAccountNumber }) => (
        <CellLines main={bankName} note={shortAccount(bankAccountNumber)} />
      ),
    },
    status: {
      size: { widthPx: 124 },
      sortValue: ({ status }) => status,
      cell: ({ status, isReleasedAlone }) => (
        <>
          <StatusChip tone={withdrawalStatusTone[status]}>{withdrawalStatusWord(status)}</StatusChip>
          {isReleasedAlone && <span className="block text-12 text-warn">{words.releasedAlone}</span>}
        </>
      ),
    },
    requested: {
      size: { widthPx: 112, rank: 4 },
      sortValue: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => date(createdAt),
    },
    processed: {
      size: { widthPx: 112, rank: 5 },
      sortValue: ({ processedAt }) => processedAt ?? '',
      cell: ({ processedAt }) => (processedAt === null ? panel.list.dash : date(processedAt)),
    },
    actions: {
      size: { widthPx: 282 },
      numeric: true,
      cell: (withdrawal, actions) => <WithdrawalRowActions withdrawal={withdrawal} {...actions} />,
    },
  }),
};

/** In words, not icons: two of them are final. */
function WithdrawalRowActions({ withdrawal, ...actions }: Actions & { withdrawal: StaffWithdrawal }) {
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

/** Account numbers as in the list: the last four digits only. */
export const withdrawalCsv: readonly CsvColumn<StaffWithdrawal>[] = [
  { head: heads.number, value: ({ withdrawalNumber }) => withdrawalNumber },
  { head: heads.member, value: payeeName },
  { head: heads.phone, value: ({ user }) => user.phone },
  { head: heads.amount, value: ({ amount }) => amount },
  { head: heads.bank, value: ({ bankName }) => bankName },
  { head: heads.account, value: ({ bankAccountNumber }) => shortAccount(bankAccountNumber) },
  { head: heads.status, value: ({ status }) => withdrawalStatusWord(status) },
  { head: heads.requested, value: ({ createdAt }) => dateTime(createdAt) },
  { head: heads.processed, value: ({ processedAt }) => processedAt && dateTime(processedAt) },
];
