import { useCallback, useMemo, useState } from 'react';
import * as api from '#contract/api.ts';
import type { StaffLoan } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { normaliseLoanStatus } from '#domain/loan.ts';
import { focusListRow } from '#web/panel/lib/active-row.ts';
import { BesideList } from '#web/panel/lib/panel-slot.tsx';
import { useShownRows } from '#web/panel/lib/shown-rows.ts';
import { StaffList } from '#web/panel/lib/staff-list.tsx';
import { useStaffRows } from '#web/panel/lib/staff-rows.ts';
import { useStats } from '#web/panel/lib/stats.ts';
import { useTableState } from '#web/panel/lib/table-state.ts';
import { DeleteLoanDialog } from '#web/panel/loan/delete-loan-dialog.tsx';
import { loanColumns } from '#web/panel/loan/loan-columns.tsx';
import { LoanEditDialog } from '#web/panel/loan/loan-edit-dialog.tsx';
import { LoanPanel } from '#web/panel/loan/loan-panel.tsx';
import { loanCsv, loanRules, statusChoices } from '#web/panel/loan/loan-rules.ts';
import { LoanStatusDialog } from '#web/panel/loan/loan-status-dialog.tsx';
import { NotifyDialog } from '#web/panel/loan/notify-dialog.tsx';
import { MemberMoney } from '#web/panel/member/member-money.tsx';
import { NoLoanPicture } from '#web/ui/no-loan-picture.tsx';

const words = panel.loans;

/** Which dialog is open, over which loan. The loan itself is looked up in the list, where it is always the latest. */
type Shown = { kind: 'status' | 'edit' | 'notify' | 'delete'; id: number };

/** The borrowing list: every application and loan (§panel-pages). */
export default function BorrowingPage() {
  const state = useTableState();
  const list = useStaffRows(api.listLoans, {
    failure: panel.toasts.loans,
    narrowed: { search: state.search, status: normaliseLoanStatus(state.status) ?? '' },
  });
  const rows = useShownRows(list.rows, loanRules, state);
  const statuses = useMemo(() => statusChoices(list.rows), [list.rows]);
  const [shown, setShown] = useState<Shown>();
  const columns = useMemo(
    () =>
      loanColumns({
        onStatus: ({ id }) => setShown({ kind: 'status', id }),
        onEdit: ({ id }) => setShown({ kind: 'edit', id }),
        onNotify: ({ id }) => setShown({ kind: 'notify', id }),
        onDelete: ({ id }) => setShown({ kind: 'delete', id }),
      }),
    [],
  );
  const { show } = state;
  const onOpen = useCallback(({ id }: StaffLoan) => show({ open: id }), [show]);

  return (
    <>
      <StaffList
        {...{ words, state, list, rows, columns, onOpen, statuses }}
        figures={useFigures()}
        csv={{ name: 'loans', columns: loanCsv }}
        picture={<NoLoanPicture />}
      />
      <Details state={state} loans={list.rows} onShow={setShown} />
      <Dialogs shown={shown} loans={list.rows} onShow={setShown} />
    </>
  );
}

function useFigures() {
  const { loans } = useStats();
  return (['total', 'pending', 'approved', 'active'] as const).map((id) => ({
    id,
    value: loans?.[id],
    label: words.figures[id],
  }));
}

type PartProps = { loans: readonly StaffLoan[] | undefined; onShow: (shown: Shown | undefined) => void };

function Details({ state, loans, onShow }: PartProps & { state: ReturnType<typeof useTableState> }) {
  const loan = loans?.find(({ id }) => id === state.open);
  if (!loan) return null;
  const { id, user } = loan;
  return (
    <BesideList>
      <LoanPanel
        key={id}
        loan={loan}
        onClose={() => {
          state.show({ open: undefined });
          focusListRow(id);
        }}
        onStatus={() => onShow({ kind: 'status', id })}
        onEdit={() => onShow({ kind: 'edit', id })}
        money={<MemberMoney key={user.id} member={user} loan={loan} />}
      />
    </BesideList>
  );
}

function Dialogs({ shown, loans, onShow }: PartProps & { shown: Shown | undefined }) {
  const loan = shown && loans?.find(({ id }) => id === shown.id);
  if (!loan) return null;
  const close = () => onShow(undefined);
  if (shown.kind === 'status') return <LoanStatusDialog loan={loan} onClose={close} />;
  if (shown.kind === 'edit') return <LoanEditDialog loan={loan} onClose={close} />;
  if (shown.kind === 'notify') return <NotifyDialog loan={loan} onClose={close} />;
  return <DeleteLoanDialog loan={loan} onClose={close} />;
}
