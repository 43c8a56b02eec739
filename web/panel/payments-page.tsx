import { XIcon } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import * as api from '#contract/api.ts';
import type { CsvColumn } from '#contract/csv.ts';
import { monthName } from '#contract/month-tables.ts';
import { loanAccountPath, paths } from '#contract/routes.ts';
import type { StaffPayment } from '#contract/servicing.ts';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { parseMonth } from '#domain/month.ts';
import { paymentChannels, paymentStatuses } from '#domain/payment.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { lazyPart } from '#web/lib/lazy-page.ts';
import { useRead } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { DayFilters, dayFilter, oneOf } from './lib/address-filters.tsx';
import { PanelLink, PanelRow, SidePanel, Warning } from './lib/details.tsx';
import { date, dateTime, showPeso } from './lib/format.ts';
import { amountColumn, borrowerColumn, columnsOf, dayColumn } from './lib/list-table.tsx';
import { borrowerName, countsOf, type ListDefinition, personTexts, useListView } from './lib/list-view.ts';
import { LoanSearch } from './lib/loan-search.tsx';
import { RowButton } from './lib/row-action.tsx';
import { StaffList } from './lib/staff-list.tsx';
import { refreshLoan, useStaffRows } from './lib/staff-rows.ts';
import { LineDialog } from './loan/line-dialog.tsx';
import { LoanStepDialog } from './loan/loan-step-dialog.tsx';
import { allocationLines, channelChoices, movesOf, reasonText, stepWord } from './loan/loan-text.ts';
import { PaymentProof } from './loan/payment-proof.tsx';
import type { LookedLine } from './statement/statement-matches.tsx';

const StatementDialog = lazyPart(() => import('./statement/statement-dialog.tsx'), 'StatementDialog');

const words = panel.payments;
const { columns: heads } = words;
const { channels, paymentStatuses: paymentStatusWords } = panel.servicing;

type Shown = { kind: 'confirm' | 'reject' | 'reverse'; payment: StaffPayment };
type Actions = (shown: Shown) => void;

/** Everybody's payments: those to be confirmed, and those that counted (§payments). */
export default function PaymentsPage() {
  const view = useListView(filterReadings);
  const { filters, show } = view;
  const { receivedOn, receivedIn, recoveredIn, by, confirmedBy, channel, ...days } = filters;
  const { data: rows, ...state } = useStaffRows(api.listPayments, {
    failure: words.failedToFetch,
    // Rows do not say on which day their receipt was made: those of a day's report are a list of their own.
    query: { receivedOn, receivedIn, recoveredIn, by },
    narrowed: {
      search: view.search,
      status: oneOf(paymentStatuses)(view.status) ?? '',
      ...days,
      channel: channel === outside ? '' : channel,
    },
    anew: true,
  });
  const read = {
    ...state,
    data: useMemo(() => rows?.filter((payment) => fits(payment, filters)), [rows, filters]),
  };
  const [shown, setShown] = useState<Shown>();
  const [opened, setOpened] = useState<'statement' | 'record'>();
  const [looked, setLooked] = useState<LookedLine>();
  const [, go] = useLocation();
  return (
    <>
      <StaffList
        {...{ words, view, read }}
        list={paymentList}
        actions={setShown}
        counts={useMemo(() => read.data && countsOf(read.data, paymentList, words.figures), [read.data])}
        csv={{ name: 'payments', columns: paymentCsv }}
        button={
          <>
            <Button look="secondary" onClick={() => setOpened('statement')}>
              {panel.statement.open}
            </Button>
            <Button look="secondary" onClick={() => setOpened('record')}>
              {stepWord('payment')}
            </Button>
            <Button onClick={() => go(paths.takePayment)}>{panel.takePayment.title}</Button>
          </>
        }
        details={(payment, close) => <PaymentDetails payment={payment} onClose={close} onShow={setShown} />}
      >
        <SelectField
          label={heads.channel}
          labelHidden
          fieldClassName="w-36 shrink-0"
          value={filters.channel}
          onChange={(event) => show({ channel: event.currentTarget.value })}
          options={[
            { value: '', label: words.allChannels },
            { value: outside, label: words.outsideWallets },
            ...channelChoices,
          ]}
        />
        <DayFilters view={view} labels={{ from: panel.list.from, to: panel.list.to }} />
        {(receivedOn || receivedIn || recoveredIn || by) && (
          <Button
            look="secondary"
            onClick={() => show({ receivedOn: '', receivedIn: '', recoveredIn: '', by: '', confirmedBy: '' })}
          >
            {words.ofReport(
              receivedOn
                ? date(receivedOn)
                : recoveredIn
                  ? words.recoveredIn(monthName(recoveredIn))
                  : receivedIn && monthName(receivedIn),
              by && (by === 'borrower' ? words.borrowers : (rows?.[0]?.recordedByName ?? '')),
            )}
            <XIcon aria-label={words.leaveReport} />
          </Button>
        )}
      </StaffList>
      {opened === 'statement' && (
        <StatementDialog
          onLook={setLooked}
          onConfirmed={() => void refreshLoan()}
          onClose={() => setOpened(undefined)}
        />
      )}
      {looked?.loanId !== undefined && (
        <LineDialog
          line={looked}
          loanId={looked.loanId}
          onDone={looked.onDone}
          onClose={() => setLooked(undefined)}
        />
      )}
      {opened === 'record' && <RecordDialog onClose={() => setOpened(undefined)} />}
      {shown && (
        <LoanStepDialog loanId={shown.payment.loanId} step={shown} onClose={() => setShown(undefined)} />
      )}
    </>
  );
}

/** A payment on a loan that is looked for first. */
function RecordDialog({ onClose }: { onClose: () => void }) {
  const [loanId, setLoanId] = useState<number>();
  if (loanId !== undefined)
    return <LoanStepDialog loanId={loanId} step={{ kind: 'payment' }} onClose={onClose} />;
  return (
    <Dialog title={stepWord('payment')} closeLabel={home.shell.close} onClose={onClose}>
      <LoanSearch isChosen={false} onChoose={setLoanId} />
    </Dialog>
  );
}

/** All channels but the borrowers' wallets here: what the reports call collected. */
const outside = '!wallet';

function fits({ channel, valueDate, confirmedBy }: StaffPayment, wanted: OwnFilters): boolean {
  return (
    (wanted.channel === '' ||
      (wanted.channel === outside ? channel !== 'wallet' : channel === wanted.channel)) &&
    (wanted.confirmedBy === '' || String(confirmedBy ?? 'nobody') === wanted.confirmedBy) &&
    (wanted.from === '' || valueDate >= wanted.from) &&
    (wanted.to === '' || valueDate <= wanted.to)
  );
}

/** Reads the id of an account, or the word `nobody`. */
const oneOfPeople = (text: string) => (/^(nobody|[1-9]\d{0,8})$/.test(text) ? text : undefined);

const filterReadings = {
  channel: oneOf([...paymentChannels, outside]),
  from: dayFilter,
  to: dayFilter,
  receivedOn: dayFilter,
  receivedIn: (text: string) => parseMonth(text),
  recoveredIn: (text: string) => parseMonth(text),
  confirmedBy: oneOfPeople,
  by: (text: string) => (/^(borrower|[1-9]\d{0,8})$/.test(text) ? text : undefined),
};
type OwnFilters = Record<keyof typeof filterReadings, string>;

const paymentList: ListDefinition<StaffPayment, Actions> = {
  searchTexts: ({ loanNumber, receiptNumber, reference, user }) =>
    personTexts(user).concat(loanNumber, receiptNumber, reference),
  choices: paymentStatuses.map((value) => ({ value, label: paymentStatusWords[value] })),
  columns: columnsOf(heads, {
    member: borrowerColumn({ widthPx: 140, wantPx: 176, grow: 3 }),
    loan: { size: { widthPx: 130, grow: 1, rank: 3 }, sortValue: ({ loanNumber }) => loanNumber },
    amount: amountColumn('amount', { widthPx: 126, grow: 1 }, 'font-semibold text-leaf'),
    channel: {
      size: { widthPx: 130, grow: 2, rank: 2 },
      sortValue: ({ channel }) => channels[channel],
      cell: ({ channel, reference }) => <CellLines main={channels[channel]} note={reference ?? undefined} />,
    },
    paidOn: dayColumn('valueDate', { widthPx: 110, rank: 4 }),
    status: {
      size: { widthPx: 128 },
      sortValue: ({ status }) => status,
      cell: (payment) => <PaymentStatus payment={payment} />,
    },
    receipt: {
      size: { widthPx: 132, rank: 5 },
      sortValue: ({ receiptNumber }) => receiptNumber ?? '',
      cell: ({ receiptNumber }) => receiptNumber ?? panel.list.dash,
    },
    actions: {
      size: { widthPx: 174, rank: 1 },
      numeric: true,
      cell: (payment, onShow) => <RowMoves payment={payment} onShow={onShow} />,
    },
  }),
};

function PaymentStatus({ payment }: { payment: StaffPayment }) {
  const isOwn = useIsOwn(payment);
  return (
    // Both lines fit into a row.
    <span className={isOwn ? 'flex flex-col items-start *:first:py-px' : undefined}>
      <StatusChip tone={tones.payment[payment.status]}>{paymentStatusWords[payment.status]}</StatusChip>
      {isOwn && <span className="text-12 leading-3.5 text-ink-soft">{words.own}</span>}
    </span>
  );
}

/** True if somebody else has to confirm it, as long as anybody else may. */
function useIsOwn({ status, recordedBy }: StaffPayment): boolean {
  const { id } = useUser();
  return status === 'submitted' && recordedBy === id;
}

/** Returns the steps that a payment allows here; none while a request about it waits in Approvals, or may. */
function useMoves({ id, status }: StaffPayment) {
  const { data: open, isPending } = useRead(api.listApprovals, { query: { status: 'open' } });
  const isRequested = open?.some(({ payment }) => payment?.id === id) ?? false;
  return { isRequested, moves: isRequested || isPending ? [] : movesOf(status) };
}

function RowMoves({ payment, onShow }: { payment: StaffPayment; onShow: Actions }) {
  const { isRequested, moves } = useMoves(payment);
  return (
    <span className="flex justify-end gap-1.5">
      {isRequested && <PanelLink href={paths.approvals}>{words.inApprovals}</PanelLink>}
      {moves.map((kind) => (
        <RowButton
          key={kind}
          look={looks[kind]}
          isHidden={kind === 'reverse'}
          onClick={() => onShow({ kind, payment })}
        >
          {stepWord(kind)}
        </RowButton>
      ))}
    </span>
  );
}

const looks = { confirm: 'primary', reject: 'danger', reverse: 'secondary' } as const;

const paymentCsv: readonly CsvColumn<StaffPayment>[] = [
  { head: heads.receipt, value: ({ receiptNumber }) => receiptNumber },
  { head: heads.loan, value: ({ loanNumber }) => loanNumber },
  { head: heads.member, value: borrowerName },
  { head: heads.phone, value: ({ user }) => user.phone },
  { head: heads.amount, value: ({ amount }) => amount },
  { head: heads.channel, value: ({ channel }) => channels[channel] },
  { head: heads.reference, value: ({ reference }) => reference },
  { head: heads.paidOn, value: ({ valueDate }) => valueDate },
  { head: heads.status, value: ({ status }) => paymentStatusWords[status] },
  { head: heads.recorded, value: ({ createdAt }) => dateTime(createdAt) },
  { head: heads.recordedBy, value: ({ recordedByName }) => recordedByName },
  { head: heads.confirmedBy, value: ({ confirmedByName }) => confirmedByName },
];

type DetailsProps = { payment: StaffPayment; onClose: () => void; onShow: Actions };

function PaymentDetails({ payment, onClose, onShow }: DetailsProps) {
  const isOwn = useIsOwn(payment);
  const allocation = payment.application && allocationLines(payment.application);
  const facts = [
    [heads.loan, payment.loanNumber],
    [heads.channel, channels[payment.channel]],
    [heads.reference, payment.reference],
    [heads.paidOn, date(payment.valueDate)],
    [heads.receipt, payment.receiptNumber],
    [panel.loanAccount.goesTo, allocation?.join(' · ')],
    [heads.reason, reasonText(payment.reason)],
    [panel.loanStep.sentAmount, payment.sentAmount && showPeso(payment.sentAmount)],
    [panel.loanStep.told, payment.note !== payment.reason && payment.note],
    [panel.loanStep.doubleOn, payment.doubleOn?.join(', ')],
    [heads.recorded, `${dateTime(payment.createdAt)} ${panel.servicing.by(payment.recordedByName)}`],
    [heads.confirmedBy, payment.confirmedByName],
  ] as const;
  const { isRequested, moves } = useMoves(payment);
  return (
    <SidePanel
      overline={`${words.overline} · ${borrowerName(payment)}`}
      title={showPeso(payment.amount)}
      onClose={onClose}
      actions={
        isRequested ? (
          <PanelLink href={paths.approvals}>{words.inApprovals}</PanelLink>
        ) : (
          moves.length > 0 &&
          moves.map((kind) => (
            <Button key={kind} look={looks[kind]} onClick={() => onShow({ kind, payment })}>
              {stepWord(kind)}
            </Button>
          ))
        )
      }
    >
      <div className="pb-4">
        <StatusChip tone={tones.payment[payment.status]}>{paymentStatusWords[payment.status]}</StatusChip>
      </div>
      {isOwn && !isRequested && (
        <div className="pb-4">
          <Warning>{words.ownRequest}</Warning>
        </div>
      )}
      <div className="pb-4">
        <PaymentProof url={payment.proofUrl} />
      </div>
      {facts.map(([label, value]) => value && <PanelRow key={label} label={label} value={value} />)}
      <p className="border-t border-line pt-3">
        <PanelLink href={loanAccountPath(payment.loanId)}>{panel.servicing.openAccount}</PanelLink>
      </p>
    </SidePanel>
  );
}
