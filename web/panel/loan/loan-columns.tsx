import type { StaffLoan } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { formatsOf, showPeso } from '#web/lib/format.ts';
import { loanStatusTone } from '#web/lib/loan-status.ts';
import { actionsHead, type Column } from '#web/panel/lib/list-table.tsx';
import { RowAction, RowActions } from '#web/panel/lib/row-action.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { BellIcon, CircleCheckIcon, PencilIcon, TrashIcon } from '#web/ui/icons.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { borrowerName, rateText, statusWord } from './loan-rules.ts';

/** What a row's buttons do. */
export type LoanActions = {
  onStatus: (loan: StaffLoan) => void;
  onEdit: (loan: StaffLoan) => void;
  onNotify: (loan: StaffLoan) => void;
  onDelete: (loan: StaffLoan) => void;
};

const words = panel.loans;
const { columns: heads } = words;
const { date } = formatsOf('en');

/** The columns of the borrowing list. Made once: see `ListTableProps`. */
export function loanColumns(actions: LoanActions): readonly Column<StaffLoan>[] {
  return [
    {
      id: 'member',
      head: heads.member,
      widthPx: 146,
      wantPx: 176,
      grow: 3,
      sorts: true,
      cell: (loan) => <CellLines main={borrowerName(loan)} note={loan.user.phone} />,
    },
    {
      id: 'loan',
      head: heads.loan,
      widthPx: 130,
      grow: 1,
      rank: 3,
      sorts: true,
      cell: ({ loanNumber }) => loanNumber,
    },
    {
      id: 'amount',
      head: heads.amount,
      widthPx: 142,
      grow: 1,
      rank: 1,
      numeric: true,
      sorts: true,
      cell: ({ amount }) => <span className="font-semibold">{showPeso(amount)}</span>,
    },
    {
      id: 'term',
      head: heads.term,
      widthPx: 64,
      rank: 4,
      numeric: true,
      sorts: true,
      cell: ({ termMonths }) => words.months(termMonths),
    },
    {
      id: 'rate',
      head: heads.rate,
      widthPx: 62,
      rank: 7,
      numeric: true,
      sorts: true,
      cell: (loan) => words.rate(rateText(loan)),
    },
    {
      id: 'monthly',
      head: heads.monthly,
      widthPx: 128,
      grow: 1,
      rank: 5,
      numeric: true,
      sorts: true,
      cell: ({ monthlyPayment }) => showPeso(monthlyPayment),
    },
    {
      id: 'status',
      head: heads.status,
      widthPx: 150,
      wantPx: 158,
      grow: 1,
      sorts: true,
      cell: ({ status, releasedAt, isUnagreed }) => (
        <>
          <span className="flex *:min-w-0">
            <StatusChip tone={loanStatusTone(status)}>
              <span className="truncate">{statusWord(status)}</span>
            </StatusChip>
          </span>
          {isUnagreed && <span className="block text-12 text-warn">{words.unagreed}</span>}
          {releasedAt !== null && (
            <span className="text-12 text-ink-soft">{words.releasedOn(date(releasedAt))}</span>
          )}
        </>
      ),
    },
    {
      id: 'applied',
      head: heads.applied,
      widthPx: 110,
      rank: 6,
      sorts: true,
      cell: ({ createdAt }) => date(createdAt),
    },
    {
      id: 'actions',
      head: actionsHead,
      widthPx: 138,
      numeric: true,
      cell: (loan) => <LoanRowActions loan={loan} {...actions} />,
    },
  ];
}

function LoanRowActions({ loan, ...actions }: LoanActions & { loan: StaffLoan }) {
  return (
    <RowActions>
      <RowAction label={words.updateStatus} onPress={() => actions.onStatus(loan)}>
        <CircleCheckIcon />
      </RowAction>
      <RowAction label={words.edit} onPress={() => actions.onEdit(loan)}>
        <PencilIcon />
      </RowAction>
      <RowAction label={words.notify} onPress={() => actions.onNotify(loan)}>
        <BellIcon />
      </RowAction>
      <RowAction label={words.delete} onPress={() => actions.onDelete(loan)}>
        <TrashIcon />
      </RowAction>
    </RowActions>
  );
}
