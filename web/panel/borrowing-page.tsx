import { BellIcon, CircleCheckIcon, PencilIcon, Trash2Icon } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import * as api from '#contract/api.ts';
import type { CsvColumn } from '#contract/csv.ts';
import { NotificationForm } from '#contract/notification.ts';
import { loanAccountPath, paths } from '#contract/routes.ts';
import type { LoanAccount } from '#contract/servicing.ts';
import type { StaffLoan } from '#contract/staff-loan.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { knownLoanStatuses, loanStatusFacts, normaliseLoanStatus } from '#domain/loan.ts';
import { call } from '#web/lib/call.ts';
import { formatsOf, showPeso } from '#web/lib/format.ts';
import { loanStatusTone } from '#web/lib/loan-status.ts';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonStyle } from '#web/ui/button.tsx';
import { NoLoanPicture } from '#web/ui/no-loan-picture.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { TextArea, TextField } from '#web/ui/text-field.tsx';
import { PanelLink, PanelRow, SidePanel } from './lib/details.tsx';
import { FormDialog, RemoveDialog } from './lib/dialogs.tsx';
import { amountColumn, borrowerColumn, columnsOf, dayColumn } from './lib/list-table.tsx';
import { borrowerName, type ListDefinition, personTexts, useListView, viewQuery } from './lib/list-view.ts';
import { RowAction, RowActions } from './lib/row-action.tsx';
import { loanRow, memberRow, useStaffForm } from './lib/staff-action.ts';
import { StaffList } from './lib/staff-list.tsx';
import { useStaffRows, useStats } from './lib/staff-rows.ts';
import { LoanEditDialog, LoanStatusDialog } from './loan/loan-dialogs.tsx';
import { LoanStepDialog } from './loan/loan-step-dialog.tsx';
import { rateOf, rateText, releaseText, statusWord } from './loan/loan-text.ts';
import { MemberMoney } from './member/member-money.tsx';

const words = panel.loans;
const { date, dateTime } = formatsOf('en');

/** The open dialog and its loan's id; the loan comes from the list, where it is always current. */
type Shown = { kind: 'status' | 'edit' | 'notify' | 'delete' | 'release'; id: number };
type ShowDialog = (shown: Shown) => void;

/** The borrowing list: every application and loan (§panel-pages). */
export default function BorrowingPage() {
  const view = useListView();
  const read = useStaffRows(api.listLoans, {
    failure: panel.toasts.loans,
    narrowed: { search: view.search, status: normaliseLoanStatus(view.status) ?? '' },
  });
  const [shown, setShown] = useState<Shown>();
  const loan = shown && read.rows?.find(({ id }) => id === shown.id);
  const close = () => setShown(undefined);
  return (
    <>
      <StaffList
        {...{ words, view, read }}
        list={loanList}
        actions={setShown}
        counts={useStats().loans}
        statuses={useMemo(() => statusChoices(read.rows), [read.rows])}
        csv={{ name: 'loans', columns: loanCsv }}
        picture={<NoLoanPicture />}
        details={(opened, closeDetails) => (
          <LoanDetails loan={opened} onClose={closeDetails} onShow={setShown} />
        )}
      />
      {loan && shown.kind === 'status' && <LoanStatusDialog loan={loan} onClose={close} />}
      {loan && shown.kind === 'edit' && <LoanEditDialog loan={loan} onClose={close} />}
      {loan && shown.kind === 'notify' && <NotifyDialog loan={loan} onClose={close} />}
      {loan && shown.kind === 'release' && (
        <LoanStepDialog loanId={loan.id} step={{ kind: 'release' }} onClose={close} />
      )}
      {loan && shown.kind === 'delete' && (
        // It leaves every list (§deleting-a-loan).
        <RemoveDialog
          title={words.deleteTitle(loan.loanNumber, borrowerName(loan))}
          text={words.deleteText(showPeso(loan.amount))}
          confirmLabel={panel.list.delete}
          send={() => call(api.deleteLoan, { params: { id: loan.id } })}
          words={{
            done: words.deleted(loan.loanNumber),
            failedTitle: panel.toasts.deleteFailed,
            row: loanRow(loan.id),
          }}
          onClose={close}
        />
      )}
    </>
  );
}

/** A filter beside the statuses; no status can be called that. */
const unagreedChoice = { value: '!unagreed', label: words.unagreedFilter };

export function statusChoices(loans: readonly StaffLoan[] | undefined): { value: string; label: string }[] {
  const values = new Set<string>(knownLoanStatuses);
  for (const { status } of loans ?? []) values.add(status);
  return [...[...values].map((value) => ({ value, label: statusWord(value) })), unagreedChoice];
}

const { columns: heads } = words;

export const loanList: ListDefinition<StaffLoan, ShowDialog> = {
  searchTexts: ({ loanNumber, user, purpose, status }) =>
    personTexts(user).concat(loanNumber, purpose, statusWord(status)),
  alsoFits: ({ isUnagreed }, choice) => choice === unagreedChoice.value && isUnagreed === true,
  columns: columnsOf(heads, {
    member: borrowerColumn({ widthPx: 146, wantPx: 176, grow: 3 }),
    loan: { size: { widthPx: 130, grow: 1, rank: 3 }, sortValue: ({ loanNumber }) => loanNumber },
    amount: amountColumn({ widthPx: 142, grow: 1, rank: 1 }),
    term: {
      size: { widthPx: 64, rank: 4 },
      numeric: true,
      sortValue: ({ termMonths }) => termMonths,
      cell: ({ termMonths }) => words.months(termMonths),
    },
    rate: {
      size: { widthPx: 62, rank: 7 },
      numeric: true,
      sortValue: rateOf,
      cell: (loan) => words.rate(rateText(loan)),
    },
    monthly: {
      size: { widthPx: 128, grow: 1, rank: 5 },
      numeric: true,
      sortValue: ({ monthlyPayment }) => Number(monthlyPayment),
      cell: ({ monthlyPayment }) => showPeso(monthlyPayment),
    },
    status: {
      size: { widthPx: 150, wantPx: 158, grow: 1 },
      sortValue: ({ status }) => statusWord(status),
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
    applied: dayColumn('createdAt', { widthPx: 110, rank: 6 }),
    actions: {
      size: { widthPx: 138 },
      numeric: true,
      cell: ({ id }, onShow) => (
        <RowActions>
          {dialogButtons.map(({ kind, ...button }) => (
            <RowAction key={kind} {...button} onPress={() => onShow({ kind, id })} />
          ))}
        </RowActions>
      ),
    },
  }),
};

const dialogButtons = [
  { kind: 'status', label: words.updateStatus, Icon: CircleCheckIcon },
  { kind: 'edit', label: panel.loanEdit.title, Icon: PencilIcon },
  { kind: 'notify', label: panel.notify.title, Icon: BellIcon },
  { kind: 'delete', label: panel.list.delete, Icon: Trash2Icon },
] as const;

export const loanCsv: readonly CsvColumn<StaffLoan>[] = [
  { head: heads.loan, value: ({ loanNumber }) => loanNumber },
  { head: heads.member, value: borrowerName },
  { head: heads.phone, value: ({ user }) => user.phone },
  { head: heads.amount, value: ({ amount }) => amount },
  { head: heads.term, value: ({ termMonths }) => termMonths },
  { head: heads.rate, value: rateText },
  { head: heads.monthly, value: ({ monthlyPayment }) => monthlyPayment },
  { head: heads.status, value: ({ status }) => statusWord(status) },
  { head: heads.purpose, value: ({ purpose }) => purpose },
  { head: heads.applied, value: ({ createdAt }) => dateTime(createdAt) },
];

type DetailsProps = DialogProps & { onShow: ShowDialog };

/** A loan's details beside the list, with its member's money, which staff edit from here too. */
function LoanDetails({ loan, onClose, onShow }: DetailsProps) {
  const labels = panel.loanPanel;
  const { id, user } = loan;
  const released = releaseText(loan);
  return (
    <SidePanel
      overline={panel.loanAccount.loan(loan.loanNumber)}
      title={borrowerName(loan)}
      onClose={onClose}
      actions={
        <>
          <Button look="secondary" size="small" onClick={() => onShow({ kind: 'edit', id })}>
            {panel.loanEdit.title}
          </Button>
          <Button size="small" className="px-1!" onClick={() => onShow({ kind: 'status', id })}>
            {words.updateStatus}
          </Button>
        </>
      }
    >
      <div className="pb-4">
        <StatusChip tone={loanStatusTone(loan.status)}>{statusWord(loan.status)}</StatusChip>
      </div>
      {loan.isUnagreed && (
        <Banner tone="warn" title={labels.unagreed} className="mb-4 p-3.5!">
          {labels.unagreedText}
        </Banner>
      )}
      {loanStatusFacts(loan.status).isApproved && (
        <AfterApproval loan={loan} onRelease={() => onShow({ kind: 'release', id })} />
      )}
      <PanelRow label={heads.amount} value={showPeso(loan.amount)} />
      <PanelRow label={labels.terms} value={labels.termsText(loan.termMonths, rateText(loan))} />
      <PanelRow label={panel.loanEdit.payment} value={showPeso(loan.monthlyPayment)} />
      <PanelRow label={heads.purpose} value={loan.purpose} />
      <PanelRow label={heads.applied} value={dateTime(loan.createdAt)} />
      {released && <PanelRow label={labels.released} value={released} />}
      <PanelRow label={labels.changed} value={dateTime(loan.updatedAt)} />
      <h3 className="border-t border-line pb-1 pt-5 font-heading text-16 font-bold">{heads.member}</h3>
      <MemberMoney
        key={user.id}
        member={user}
        onRelease={
          loanStatusFacts(loan.status).isPayable && loan.releasedAt === null
            ? () => onShow({ kind: 'release', id })
            : undefined
        }
      />
      <p className="border-t border-line pt-3">
        <PanelLink href={`${paths.members}${viewQuery({ search: user.phone, open: user.id })}`}>
          {panel.list.openMember}
        </PanelLink>
      </p>
    </SidePanel>
  );
}

/** An approved loan's next step: its release, then its account. */
function AfterApproval({ loan, onRelease }: { loan: StaffLoan; onRelease: () => void }) {
  const query = useRead(api.readLoanAccount, { params: { id: loan.id }, anew: true });
  return (
    <div className="pb-4">
      <QueryStates query={query} skeleton={<SkeletonText lines={3} />} failedTitle={panel.loanAccount.failed}>
        {(account) => <NextStep loan={loan} account={account} onRelease={onRelease} />}
      </QueryStates>
    </div>
  );
}

type NextStepProps = { loan: StaffLoan; account: LoanAccount; onRelease: () => void };

function NextStep({ loan, account: data, onRelease }: NextStepProps) {
  const { roles } = useUser();
  const isOut = data.disbursedOn !== null && data.account.state !== 'cancelled';
  const waiting = data.loan?.waiting ?? 0;
  const canRelease =
    !isOut &&
    waiting === 0 &&
    !loan.isUnagreed &&
    loanStatusFacts(loan.status).isPayable &&
    roles?.includes('encoder');
  return (
    <div className="flex flex-col gap-2.5">
      {isOut && (
        <p className="text-14 font-semibold">
          {panel.servicing.states[data.account.state]}
          {Number(data.account.dueNow) > 0 && `, ${panel.loanPanel.dueNow(showPeso(data.account.dueNow))}`}
        </p>
      )}
      {waiting > 0 && (
        <p className="rounded-control bg-warn-tint px-3.5 py-2.5 text-14 text-warn">
          {panel.loanAccount.waiting(waiting)}
        </p>
      )}
      {canRelease && (
        <>
          <p className="text-14 text-ink-soft">{panel.loanPanel.releaseNext}</p>
          <Button size="small" wide onClick={onRelease}>
            {panel.loanStep.release}
          </Button>
        </>
      )}
      <Link
        href={loanAccountPath(loan.id)}
        className={buttonStyle({ look: 'secondary', size: 'small', wide: true })}
      >
        {panel.servicing.openAccount}
      </Link>
    </div>
  );
}

type DialogProps = { loan: StaffLoan; onClose: () => void };

/** Sends the borrower of a loan a message (§notices-to-borrowers). */
function NotifyDialog({ loan, onClose }: DialogProps) {
  const { title, of, sent, subject, message, send, about } = panel.notify;
  const name = borrowerName(loan);
  const form = useStaffForm(NotificationForm, {
    userId: loan.userId,
    title: about(loan.loanNumber),
    message: '',
    type: 'loan_update',
  });
  const submit = form.handleSubmit(async (body) => {
    const result = await form.save(call(api.notifyMember, { body }), {
      done: sent(name),
      row: memberRow(loan.userId),
    });
    if (result.ok) onClose();
  });
  return (
    <FormDialog
      title={title}
      description={of(name)}
      busy={form.busy}
      saveLabel={send}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField {...form.field('title')} label={subject} maxLength={limits.shortTextMaxLength} />
      <TextArea
        {...form.field('message')}
        label={message}
        rows={4}
        maxLength={limits.messageMaxLength}
        data-autofocus
      />
    </FormDialog>
  );
}
