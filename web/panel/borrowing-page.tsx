import { BellIcon, CircleCheckIcon, PencilIcon, Trash2Icon } from 'lucide-react';
import { useMemo, useState } from 'react';
import * as api from '#contract/api.ts';
import type { CsvColumn } from '#contract/csv.ts';
import { monthName } from '#contract/month-tables.ts';
import { NotificationForm } from '#contract/notification.ts';
import { loanAccountPath, paths } from '#contract/routes.ts';
import type { StaffLoan } from '#contract/staff-loan.ts';
import { contract } from '#contract/wording/en-contract.ts';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { limits } from '#domain/limits.ts';
import {
  type ApplicationOutcome,
  applicationOutcomes,
  knownLoanStatuses,
  loanStatusFacts,
  normaliseLoanStatus,
} from '#domain/loan.ts';
import { parseMonth } from '#domain/month.ts';
import { addressOf, call } from '#web/lib/call.ts';
import { loanStatusTone } from '#web/lib/loan-status.ts';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import type { Figure } from '#web/ui/data-table.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { DayFilters, dayFilter, oneOf } from './lib/address-filters.tsx';
import { AgreementWarning } from './lib/before-release.tsx';
import { PanelLink, PanelRow, SidePanel, Warning } from './lib/details.tsx';
import { FormDialog, RemoveDialog } from './lib/dialogs.tsx';
import { CheckField } from './lib/form-field.tsx';
import { date, dateTime, showPeso } from './lib/format.ts';
import { amountColumn, borrowerColumn, columnsOf, dayColumn } from './lib/list-table.tsx';
import { borrowerName, type ListDefinition, personTexts, useListView } from './lib/list-view.ts';
import { useMessageChannels } from './lib/message-channels.ts';
import { RowActions } from './lib/row-action.tsx';
import { loanRow, memberRow, useStaffForm } from './lib/staff-action.ts';
import { ScopeBar, StaffList, showCount } from './lib/staff-list.tsx';
import { type StaffLoanAccount, useLoanAccount, useStaffRows, useStats } from './lib/staff-rows.ts';
import { ContactGuard } from './loan/contact-block.tsx';
import { ApproveDialog, DenyDialog } from './loan/decision-dialogs.tsx';
import { DecisionButtons, LoanDecision } from './loan/loan-decision.tsx';
import { LoanEditDialog, LoanStatusDialog } from './loan/loan-edit-dialogs.tsx';
import { LoanStepDialog } from './loan/loan-step-dialog.tsx';
import {
  daysOverdue,
  isDecisionLate,
  listedRateOf,
  rateText,
  releaseText,
  salaryShare,
  statusWord,
  waitingDays,
} from './loan/loan-text.ts';
import { MemberMoney } from './member/member-edits.tsx';

const words = panel.loans;
const { columns: heads } = words;

/** The open dialog and its loan's id; the loan comes from the list, where it is always current. */
type Shown = {
  kind: 'status' | 'edit' | 'notify' | 'delete' | 'release' | 'approve' | 'deny';
  id: number;
};
type ShowDialog = (shown: Shown) => void;

/** The borrowing list: every application and loan (§panel-pages). */
export default function BorrowingPage() {
  const view = useListView(filterReadings);
  const { pastDue, appliedIn, outcome, ...due } = view.filters;
  const isByDue = due.dueFrom !== '' || due.dueTo !== '';
  const { data: readRows, ...state } = useStaffRows(api.listLoans, {
    failure: panel.toasts.loans,
    besides: [api.readLoanAccount],
    // A row does not say when its instalments are due, so the server lists what is due between two days.
    query: { ...due, appliedIn, outcome },
    narrowed: { search: view.search, status: normaliseLoanStatus(view.status) ?? '', pastDue },
  });
  const read = {
    ...state,
    data: useMemo(
      () => (pastDue === '' ? readRows : readRows?.filter((loan) => daysOverdue(loan) >= Number(pastDue))),
      [readRows, pastDue],
    ),
  };
  const { roles } = useUser();
  const stats = useStats().loans;
  const [shown, setShown] = useState<Shown>();
  const loan = shown && read.data?.find(({ id }) => id === shown.id);
  const close = () => setShown(undefined);
  return (
    <>
      <StaffList
        {...{ words, view, read }}
        list={view.status === 'pending' ? (roles?.includes('approver') ? decideList : denyList) : loanList}
        note={
          <>
            {view.status === 'pending' && (
              <p className="mb-2 text-12 text-ink-soft">{panel.loanDecision.keys}</p>
            )}
            {appliedIn && (
              <ScopeBar
                text={words.appliedIn(monthName(appliedIn), outcomeWord(outcome).toLowerCase())}
                showAll={words.showEvery}
                onShowAll={() => view.show({ appliedIn: '', outcome: '' })}
              />
            )}
          </>
        }
        actions={setShown}
        counts={isByDue || appliedIn || pastDue !== '' ? undefined : stats}
        counters={useCounters(readRows, view)}
        choices={useMemo(() => [...accountChoices, ...statusChoices(readRows)], [readRows])}
        csv={{ name: 'loans', columns: loanCsv }}
        details={(opened, closeDetails) => (
          <LoanDetails loan={opened} onClose={closeDetails} onShow={setShown} />
        )}
      >
        <SelectField
          label={heads.pastDue}
          labelHidden
          fieldClassName="w-44 shrink-0"
          value={pastDue}
          onChange={(event) => view.show({ pastDue: event.currentTarget.value })}
          options={pastDueChoices}
        />
        <DayFilters view={view} labels={{ dueFrom: words.dueFrom, dueTo: words.dueTo }} />
      </StaffList>
      {loan && shown.kind === 'status' && <LoanStatusDialog loan={loan} onClose={close} />}
      {loan && shown.kind === 'approve' && <ApproveDialog loan={loan} onClose={close} />}
      {loan && shown.kind === 'deny' && <DenyDialog byKey loan={loan} onClose={close} />}
      {loan && shown.kind === 'edit' && <LoanEditDialog loan={loan} onClose={close} />}
      {loan && shown.kind === 'notify' && <NotifyDialog loan={loan} onClose={close} />}
      {loan && shown.kind === 'release' && (
        <LoanStepDialog loanId={loan.id} step={{ kind: 'release' }} onClose={close} />
      )}
      {loan && shown.kind === 'delete' && (
        // The deleted loan leaves every list (§deleting-a-loan).
        <RemoveDialog
          title={words.deleteTitle(loan.loanNumber, borrowerName(loan))}
          text={words.deleteText(showPeso(loan.amount))}
          confirmLabel={panel.list.delete}
          send={() => call(api.deleteLoan, { params: { id: loan.id } })}
          done={words.deleted(loan.loanNumber)}
          failedTitle={panel.toasts.deleteFailed}
          row={loanRow(loan.id)}
          onClose={close}
        />
      )}
    </>
  );
}

const filterReadings = {
  pastDue: oneOf(['1', '31', '61', '91']),
  dueFrom: dayFilter,
  dueTo: dayFilter,
  appliedIn: (text: string) => parseMonth(text),
  outcome: oneOf(applicationOutcomes),
};

/** The word that the month's report has for an outcome; an empty text without one. */
const outcomeWord = (outcome: string): string =>
  outcome === '' ? '' : panel.month.applicationParts[outcome as ApplicationOutcome];

const pastDueChoices = [
  { value: '', label: words.anyDays },
  ...['1', '31', '61', '91'].map((value) => ({ value, label: words.atLeastDays(value) })),
];

/** Filters by the state of a loan's account. The `!` keeps them apart from statuses, which have none. */
const accountChoices = [
  {
    value: '!release',
    label: words.counters.release,
    fits: ({ status, account, releasedAt }: StaffLoan) =>
      status === 'approved' && releasedAt === null && (account === null || account.state === 'cancelled'),
  },
  { value: '!open', label: words.counters.open, fits: ({ account }: StaffLoan) => account?.state === 'open' },
  {
    value: '!current',
    label: words.nothingOverdue,
    fits: (loan: StaffLoan) => loan.account?.state === 'open' && daysOverdue(loan) === 0,
  },
] as const;
const [toRelease, open] = accountChoices;

function useCounters(
  rows: readonly StaffLoan[] | undefined,
  { status: chosen, filters, show }: ReturnType<typeof useListView<keyof typeof filterReadings>>,
): readonly Figure[] {
  const counted = useMemo(() => {
    const count = (fits: (loan: StaffLoan) => boolean) => rows?.filter(fits).length;
    return [
      { id: 'decide', status: 'pending', pastDue: '', count: count(({ status }) => status === 'pending') },
      { id: 'release', status: toRelease.value, pastDue: '', count: count(toRelease.fits) },
      { id: 'overdue', status: '', pastDue: '1', count: count((loan) => daysOverdue(loan) > 0) },
      { id: 'open', status: open.value, pastDue: '', count: count(open.fits) },
      { id: 'all', status: '', pastDue: '', count: rows?.length },
    ] as const;
  }, [rows]);
  return counted.map(({ id, status, pastDue, count }) => ({
    label: words.counters[id],
    value: count === undefined ? panel.list.dash : showCount(count),
    isBad: id === 'overdue' && count !== undefined && count > 0,
    filter: {
      isOn: chosen === status && filters.pastDue === pastDue,
      onPress: () =>
        show({ status, open: undefined, pastDue, ...(id === 'all' && { dueFrom: '', dueTo: '' }) }),
    },
  }));
}

/** A filter that is no status; no status can have this name. */
const unagreedChoice = { value: '!unagreed', label: words.unagreedFilter };

export function statusChoices(loans: readonly StaffLoan[] | undefined): { value: string; label: string }[] {
  const values = new Set<string>(knownLoanStatuses);
  for (const { status } of loans ?? []) values.add(status);
  return [...[...values].map((value) => ({ value, label: statusWord(value) })), unagreedChoice];
}

const dialogButtons = [
  { kind: 'status', label: words.updateStatus, Icon: CircleCheckIcon },
  { kind: 'edit', label: panel.loanEdit.title, Icon: PencilIcon },
  { kind: 'notify', label: panel.notify.title, Icon: BellIcon },
  { kind: 'delete', label: panel.list.delete, Icon: Trash2Icon, isDangerous: true },
] as const;

const actionsColumn = {
  size: { widthPx: 138 },
  numeric: true,
  cell: ({ id }: StaffLoan, onShow: ShowDialog) => (
    <RowActions
      actions={dialogButtons.map(({ kind, ...button }) => ({
        ...button,
        onPress: () => onShow({ kind, id }),
      }))}
    />
  ),
};

const firstColumns = {
  member: borrowerColumn({ widthPx: 146, wantPx: 176, grow: 3 }),
  loan: {
    size: { widthPx: 130, grow: 1, rank: 3 },
    sortValue: ({ loanNumber }: StaffLoan) => loanNumber,
  },
  amount: amountColumn('amount', { widthPx: 142, grow: 1, rank: 1 }),
  term: {
    size: { widthPx: 64, rank: 4 },
    numeric: true,
    sortValue: ({ termMonths }: StaffLoan) => termMonths,
    cell: ({ termMonths }: StaffLoan) => words.months(termMonths),
  },
};

export const loanList: ListDefinition<StaffLoan, ShowDialog> = {
  searchTexts: ({ loanNumber, oldNumber = '', user, purpose, status }) =>
    personTexts(user).concat(loanNumber, oldNumber, purpose, statusWord(status)),
  choices: [...accountChoices, { ...unagreedChoice, fits: ({ isUnagreed }) => isUnagreed }],
  columns: columnsOf(heads, {
    ...firstColumns,
    rate: {
      size: { widthPx: 62, rank: 7 },
      numeric: true,
      sortValue: listedRateOf,
      cell: (loan) => `${rateText(loan)}%`,
    },
    monthly: amountColumn('monthlyPayment', { widthPx: 128, grow: 1, rank: 5 }, ''),
    status: {
      size: { widthPx: 150, wantPx: 158, grow: 1 },
      sortValue: ({ status }) => statusWord(status),
      cell: (loan) => (
        <>
          <span className="flex *:min-w-0 *:py-0!">
            <StatusChip tone={loanStatusTone(loan.status)}>
              <span className="truncate">{statusWord(loan.status)}</span>
            </StatusChip>
          </span>
          <StatusNote loan={loan} />
        </>
      ),
    },
    applied: dayColumn('createdAt', { widthPx: 110, rank: 6 }),
    actions: actionsColumn,
  }),
};

const papersText = ({ user }: StaffLoan) => (user.isVerified ? words.papersDone : words.papersMissing);

/** The applications that wait, with the figures that a decision depends on and the days they have waited. */
const waitingList: ListDefinition<StaffLoan, ShowDialog> = {
  ...loanList,
  // The oldest applications come first: they have waited longest.
  firstSort: { by: 'waiting', descending: true },
  columns: columnsOf(heads, {
    ...firstColumns,
    loan: { ...firstColumns.loan, size: { widthPx: 130, grow: 1, rank: 5 } },
    amount: amountColumn('amount', { widthPx: 126, grow: 1, rank: 1 }),
    share: {
      size: { widthPx: 100, rank: 1 },
      numeric: true,
      sortValue: (loan) => salaryShare(loan) ?? -1,
      cell: (loan) => {
        const share = salaryShare(loan);
        if (share === undefined) return panel.list.dash;
        return <strong className={share > 100 ? 'text-bad' : undefined}>{panel.list.percent(share)}</strong>;
      },
    },
    papers: {
      size: { widthPx: 106, rank: 2 },
      sortValue: papersText,
      cell: (loan) => (
        <span className={loan.user.isVerified ? 'text-good' : 'text-warn'}>{papersText(loan)}</span>
      ),
    },
    waiting: {
      size: { widthPx: 84, rank: 3 },
      numeric: true,
      sortValue: ({ createdAt }) => -Date.parse(createdAt),
      cell: (loan) => (
        <span className={isDecisionLate(loan) ? 'font-semibold text-bad' : undefined}>
          {words.waitingDays(waitingDays(loan))}
        </span>
      ),
    },
    actions: actionsColumn,
  }),
};

const press = (letter: string, { id }: StaffLoan, onShow: ShowDialog) =>
  onShow({ kind: letter === 'a' ? 'approve' : 'deny', id });

/** Only an approver approves. */
const decideList: ListDefinition<StaffLoan, ShowDialog> = { ...waitingList, keys: { letters: 'ad', press } };
const denyList: ListDefinition<StaffLoan, ShowDialog> = { ...waitingList, keys: { letters: 'd', press } };

function StatusNote({ loan }: { loan: StaffLoan }) {
  const { status, releasedAt, isUnagreed, isAgreedAfterChange } = loan;
  const late = daysOverdue(loan);
  if (isUnagreed) return <span className="block text-12 text-warn">{words.unagreed}</span>;
  if (isAgreedAfterChange) return <span className="block text-12 text-warn">{words.agreedAfter}</span>;
  if (late > 0) {
    return (
      <span className="inline-block rounded-small bg-bad-tint px-2 text-12 font-bold text-bad">
        {words.overdueDays(late)}
      </span>
    );
  }
  const isLate = isDecisionLate(loan);
  const text =
    status === 'pending'
      ? `${heads.waiting} ${words.waitingDays(waitingDays(loan))}`
      : releasedAt && words.releasedOn(date(releasedAt));
  return (
    text && <span className={`text-12 ${isLate ? 'font-semibold text-bad' : 'text-ink-soft'}`}>{text}</span>
  );
}

/** Returns a figure that the decision depends on; null once staff have decided. */
const whilePending = (read: (loan: StaffLoan) => string | number | undefined) => (loan: StaffLoan) =>
  loan.status === 'pending' ? (read(loan) ?? null) : null;

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
  { head: heads.pastDue, value: daysOverdue },
  { head: heads.share, value: whilePending(salaryShare) },
  { head: heads.papers, value: whilePending(papersText) },
  { head: heads.waitingSince, value: whilePending(({ createdAt }) => date(createdAt)) },
];

/** A loan's details beside the list, with its member's money, which staff edit from here too. */
function LoanDetails({ loan, onClose, onShow }: DialogProps & { onShow: ShowDialog }) {
  const labels = panel.loanPanel;
  const { id, user } = loan;
  const released = releaseText(loan);
  const isPending = loan.status === 'pending';
  const late = daysOverdue(loan);
  const facts = loanStatusFacts(loan.status);
  const edit = (
    <Button look={isPending ? 'quiet' : 'secondary'} onClick={() => onShow({ kind: 'edit', id })}>
      {panel.loanEdit.title}
    </Button>
  );
  return (
    <SidePanel
      overline={home.dashboard.loanNumber(loan.loanNumber)}
      title={borrowerName(loan)}
      onClose={onClose}
      actions={
        isPending ? (
          <DecisionButtons loan={loan} />
        ) : (
          <>
            {edit}
            <Button className="px-1!" onClick={() => onShow({ kind: 'status', id })}>
              {words.updateStatus}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-2 pb-4">
        <span className="flex flex-wrap gap-2">
          <StatusChip tone={loanStatusTone(loan.status)}>{statusWord(loan.status)}</StatusChip>
          {late > 0 && <StatusChip tone="bad">{words.overdueDays(late)}</StatusChip>}
        </span>
        {isPending && edit}
      </div>
      {loan.isUnagreed && (
        <Banner tone="warn" title={contract.papers.notAgreed} className="mb-4 p-3.5!">
          {labels.unagreedText}
        </Banner>
      )}
      {(facts.isApproved || facts.isTurnedDown) && (
        <AfterDecision loan={loan} onRelease={() => onShow({ kind: 'release', id })} />
      )}
      {!facts.isTurnedDown && <EarlierDenials loanId={id} />}
      {isPending ? (
        <LoanDecision key={id} loan={loan} />
      ) : (
        <>
          <PanelRow label={heads.amount} value={showPeso(loan.amount)} />
          <PanelRow label={labels.terms} value={labels.termsText(loan.termMonths, rateText(loan))} />
          <PanelRow label={panel.loanEdit.payment} value={showPeso(loan.monthlyPayment)} />
          <PanelRow label={heads.purpose} value={loan.purpose} />
          <PanelRow label={heads.applied} value={dateTime(loan.createdAt)} />
          {released && <PanelRow label={labels.released} value={released} />}
        </>
      )}
      <h3 className="border-t border-line pb-1 pt-5 font-heading text-16 font-bold">{heads.member}</h3>
      <MemberMoney
        key={user.id}
        member={user}
        onRelease={
          facts.isPayable && loan.releasedAt === null ? () => onShow({ kind: 'release', id }) : undefined
        }
      />
      <p className="border-t border-line pt-3">
        <PanelLink href={addressOf(paths.members, {}, { search: user.phone, open: user.id })}>
          {panel.list.openMember}
        </PanelLink>
      </p>
    </SidePanel>
  );
}

/**
 * Shows, beneath a decision, why a loan was denied, or the next step of an approved one: its release, then
 * its account.
 */
function AfterDecision({ loan, onRelease }: { loan: StaffLoan; onRelease: () => void }) {
  const query = useLoanAccount(loan.id);
  const { reason, noReason } = panel.loanPanel;
  return (
    <div className="pb-4">
      <QueryStates query={query} skeleton={<SkeletonText lines={3} />} failedTitle={panel.loanAccount.failed}>
        {(account) =>
          loanStatusFacts(loan.status).isApproved ? (
            <NextStep loan={loan} account={account} onRelease={onRelease} />
          ) : (
            <>
              <PanelRow label={reason} value={account.loan.reason ?? noReason} />
              <DecidedRow decided={account.loan.decided} />
            </>
          )
        }
      </QueryStates>
    </div>
  );
}

/** Every denial of a loan that has another status by now: who denied it, when and why. */
function EarlierDenials({ loanId }: { loanId: number }) {
  const denials = useLoanAccount(loanId).data?.loan.denials ?? [];
  const { denials: label, noReason, decidedBy } = panel.loanPanel;
  return denials.map(({ by, at, reason }) => (
    <PanelRow
      key={at}
      label={label}
      value={
        <>
          {reason ?? noReason}
          <span className="block font-normal text-ink-soft">{decidedBy(by, dateTime(at))}</span>
        </>
      }
    />
  ));
}

function DecidedRow({ decided }: { decided: StaffLoanAccount['loan']['decided'] }) {
  if (!decided) return null;
  const { decided: label, decidedBy } = panel.loanPanel;
  return <PanelRow label={label} value={decidedBy(decided.by, dateTime(decided.at))} />;
}

type NextStepProps = { loan: StaffLoan; account: StaffLoanAccount; onRelease: () => void };

function NextStep({ loan, account: data, onRelease }: NextStepProps) {
  const { roles } = useUser();
  const isOut = data.disbursedOn !== null && data.account.state !== 'cancelled';
  const { waiting } = data.loan;
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
          {Number(data.account.dueNow) > 0 && `, ${home.dashboard.dueNow(showPeso(data.account.dueNow))}`}
        </p>
      )}
      {!isOut && <AgreementWarning changes={data.loan.changesBeforeAgreement} />}
      {waiting > 0 && <Warning>{panel.loanAccount.waiting(waiting)}</Warning>}
      {canRelease && (
        <>
          <p className="text-14 text-ink-soft">{panel.loanPanel.releaseNext}</p>
          <Button wide onClick={onRelease}>
            {panel.loanStep.release}
          </Button>
        </>
      )}
      <PanelLink look="secondary" href={loanAccountPath(loan.id)}>
        {panel.servicing.openAccount}
      </PanelLink>
    </div>
  );
}

type DialogProps = { loan: StaffLoan; onClose: () => void };

/** Sends the borrower of a loan a message (§notices-to-borrowers). */
function NotifyDialog({ loan, onClose }: DialogProps) {
  const { title, of, sent, subject, message, send, about, isAttempt, alsoSend } = panel.notify;
  const isReached = useMessageChannels().setUp.length > 0;
  const [isAlsoSent, setAlsoSent] = useState(false);
  const guard = useRead(api.listContacts, { params: { id: loan.id }, anew: true }).data;
  const counts = guard?.isMessageAttempt === true;
  const name = borrowerName(loan);
  const type = 'loan_update' as const;
  const blank = { userId: loan.userId, title: about(loan.loanNumber), message: '', type };
  const form = useStaffForm(NotificationForm, {
    values: blank,
    keptAs: `message ${loan.id}`,
    fields: {
      title: { label: subject, maxLength: limits.shortTextMaxLength },
      message: { kind: 'message', label: message, isFirst: true },
    },
    send: (body) => call(api.notifyMember, { body: { ...body, ...(isAlsoSent && { alsoSend: true }) } }),
    done: sent(name),
    row: memberRow(loan.userId),
    // After a refusal too: somebody else may have tried.
    onAnswered: () => void refreshReads(api.listContacts),
    onSaved: onClose,
  });
  return (
    <FormDialog
      title={title}
      description={of(name)}
      form={form}
      saveLabel={send}
      disabled={counts && !guard.may}
      onClose={onClose}
      {...(counts && guard.may && { note: isAttempt })}
    >
      {counts && <ContactGuard {...guard} isSaid />}
      {form.fields}
      {isReached && <CheckField label={alsoSend} onCheck={setAlsoSent} />}
    </FormDialog>
  );
}
