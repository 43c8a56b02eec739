import { ChevronRightIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'wouter';
import * as api from '#contract/api.ts';
import { paths } from '#contract/routes.ts';
import type { LoanAccount } from '#contract/servicing.ts';
import { home } from '#contract/wording/en-home.ts';
import { myLoan } from '#contract/wording/en-my-loan.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { isSameAllocation } from '#domain/allocation.ts';
import { addDays, type ManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import type { StaffRole } from '#domain/member.ts';
import { fetchReply } from '#web/lib/call.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { useDebouncedDay } from '#web/lib/debounced-day.ts';
import { DownloadButton, PrintButton } from '#web/lib/download-button.tsx';
import { today } from '#web/lib/lender.ts';
import { isChargeGrowing } from '#web/lib/loan-account.ts';
import { LoanMat } from '#web/lib/loan-mat.tsx';
import { accountMatOf, isPaidOff, isRunning } from '#web/lib/loan-standing.ts';
import { loanStatusTone } from '#web/lib/loan-status.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardSection, Section } from '#web/ui/card.tsx';
import { CellLines, Figures, ShortTable, type ShortTableColumn } from '#web/ui/data-table.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { GoLink } from '#web/ui/go-link.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { dayFilter, oneOf, useAddress } from './lib/address-filters.tsx';
import { AgreementWarning } from './lib/before-release.tsx';
import { DayField } from './lib/day-field.tsx';
import { date, dateTime, showPeso } from './lib/format.ts';
import { amountOrDash, columnsOf } from './lib/list-table.tsx';
import { borrowerName } from './lib/list-view.ts';
import { useMessageChannels } from './lib/message-channels.ts';
import { PanelTitle } from './lib/panel-title.tsx';
import { ReadAt } from './lib/read-at.tsx';
import { type StaffLoanAccount, useLoanAccount, useMemberRow } from './lib/staff-rows.ts';
import { ContactBlock } from './loan/contact-block.tsx';
import { LoanStepDialog } from './loan/loan-step-dialog.tsx';
import {
  allocationLines,
  type LoanAction,
  type LoanStep,
  movesOf,
  reasonText,
  statusWord,
  stepWord,
} from './loan/loan-text.ts';
import { PersonMessages } from './member/person-messages.tsx';

const words = panel.loanAccount;
const { by, channels, kinds, monthsLater, paymentStatuses, rowStates, states } = panel.servicing;

type Show = (step: LoanStep) => void;

/** The day in the URL, empty for today, and the step that a link leads to. */
const readings = { asOf: dayFilter, step: oneOf(['release']) };

/** One loan from its release on: its position on any day, what happened, and what can be done. */
export default function LoanAccountPage() {
  const { id } = useParams<{ id: string }>();
  // A day typed for one loan is not another's.
  return <AccountPage key={id} id={Number(id)} />;
}

function AccountPage({ id }: { id: number }) {
  const { query, put } = useAddress(readings);
  const { asOf } = query;
  const [chosen, setStep] = useState<LoanStep>();
  const step = chosen ?? (query.step === 'release' ? { kind: 'release' as const } : undefined);
  const read = useLoanAccount(id);
  const then = useLoanAccount(id, { asOf, enabled: asOf !== '' });
  const now = read.data?.asOf ?? today();
  const released = read.data?.disbursedOn ?? undefined;
  const { state, type, field } = useDebouncedDay({
    day: asOf || now,
    min: released,
    onDay: (day) => put({ asOf: day === now ? '' : day }),
  });
  const isShown = state === 'settled';
  usePageTitle(read.data ? home.dashboard.loanNumber(read.data.loanNumber) : words.timeline);
  return (
    <>
      <div className="mb-1 flex items-center justify-between gap-3">
        <Link
          href={paths.borrowing}
          className="inline-flex min-h-9 items-center gap-1 text-14 font-semibold text-leaf hover:underline"
        >
          <ChevronRightIcon className="size-4 rotate-180" />
          {panel.loans.title}
        </Link>
        <ReadAt
          query={asOf === '' ? read : then}
          reads={[api.readLoanAccount, api.readSettlement, api.listApprovals, api.listContacts]}
        />
      </div>
      <QueryStates query={read} failedTitle={words.failed} framed skeleton={pageSkeleton}>
        {(present) => (
          <>
            <Head
              present={present}
              account={isShown ? (asOf === '' ? present : then.data)?.account : undefined}
            >
              {released && (
                <div className="flex items-end gap-2">
                  <DayField label={words.asOf} {...field} />
                  {(asOf !== '' || !isShown) && (
                    <Button
                      look="secondary"
                      onClick={() => {
                        type(now);
                        put({ asOf: '' });
                      }}
                    >
                      {words.backToToday}
                    </Button>
                  )}
                </div>
              )}
            </Head>
            {state === 'typing' ? (
              pageSkeleton
            ) : state === 'invalid' ? (
              <Card>
                <p role="status">{words.dayNeeded(date(released ?? now))}</p>
              </Card>
            ) : asOf === '' ? (
              <Account loan={present} present={present} onShow={setStep} />
            ) : (
              <QueryStates query={then} failedTitle={words.failed} framed skeleton={pageSkeleton}>
                {(past) => <Account loan={past} present={present} onShow={setStep} />}
              </QueryStates>
            )}
          </>
        )}
      </QueryStates>
      {step && (
        <LoanStepDialog
          loanId={id}
          step={step}
          onClose={() => {
            setStep(undefined);
            put({ step: '' });
          }}
        />
      )}
    </>
  );
}

const pageSkeleton = <SkeletonText lines={16} />;

type HeadProps = {
  present: StaffLoanAccount;
  /** The account on the day that is looked at; undefined while it is not known. */
  account: LoanAccount['account'] | undefined;
  children: ReactNode;
};

function Head({ present, account, children }: HeadProps) {
  const { disbursedOn, loanNumber, loan: terms } = present;
  return (
    <header className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <p className="text-14 text-ink-soft">{home.dashboard.loanNumber(loanNumber)}</p>
        <div className="flex flex-wrap items-center gap-3">
          <PanelTitle className="wrap-anywhere">{borrowerName(terms)}</PanelTitle>
          {account?.state === 'not_disbursed' ? (
            <StatusChip tone={loanStatusTone(terms.status)}>{statusWord(terms.status)}</StatusChip>
          ) : (
            account && <StatusChip tone={tones.account[account.state]}>{states[account.state]}</StatusChip>
          )}
          {account && account.daysPastDue > 0 && (
            <span className="text-14 font-semibold text-bad">{words.daysPastDue(account.daysPastDue)}</span>
          )}
        </div>
        <p className="text-14 text-ink-soft">
          {words.terms(showPeso(terms.amount), terms.termMonths, showPeso(terms.monthlyPayment))}
          {disbursedOn && ` · ${words.released(date(disbursedOn))}`}
        </p>
      </div>
      {children}
    </header>
  );
}

/** `loan` is the account on the day that is looked at, `present` today's, which is what can be acted on. */
function Account({ loan, present, onShow }: { loan: LoanAccount; present: StaffLoanAccount; onShow: Show }) {
  const { disbursedOn } = loan;
  const isOtherDay = loan.asOf !== present.asOf;
  const { waiting, status, reason, decided, user, changesBeforeAgreement } = present.loan;
  return (
    <div className="@container flex flex-col gap-6">
      {waiting > 0 && (
        <p role="status" className="flex items-center gap-3 rounded-control bg-warn-tint p-1 pl-4 text-14">
          <span className="min-w-0 flex-1">
            <strong className="block">{words.waiting(waiting)}</strong> {words.waitingText}
          </span>
          <GoLink href={paths.approvals} look="quiet" size="small">
            {words.openApprovals}
          </GoLink>
        </p>
      )}
      {disbursedOn === null && <AgreementWarning changes={changesBeforeAgreement} />}
      {isOtherDay && (
        <p role="status" className="rounded-control bg-mango-tint px-4 py-2.5 text-14">
          {(loan.asOf > present.asOf ? words.asOfAhead : words.asOfNote)(date(loan.asOf))}
        </p>
      )}
      {!isOtherDay && <Actions present={present} onShow={onShow} />}
      {disbursedOn === null ? (
        <Card>
          <EmptyState title={myLoan.notReleased}>
            {loanStatusFacts(status).isTurnedDown
              ? [
                  reason ?? panel.loanPanel.noReason,
                  decided &&
                    panel.loanPanel.decidedText(statusWord(status), decided.by, dateTime(decided.at)),
                ]
                  .filter(Boolean)
                  .join(' ')
              : words.notReleasedText}
          </EmptyState>
        </Card>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
            <AccountFigures loan={loan} />
            <div className="w-60 shrink-0">
              <LoanMat loanId={loan.loanId} tiles={accountMatOf(loan)} />
            </div>
          </div>
          <div className="grid items-start gap-6 @[60rem]:grid-cols-[minmax(0,2fr)_minmax(19rem,1fr)]">
            <div className="flex min-w-0 flex-col gap-6">
              <Instalments loan={loan} />
              <Receipts loan={present} onShow={onShow} />
            </div>
            <div className="flex min-w-0 flex-col gap-6">
              <CardSection title={panel.contact.title}>
                <ContactBlock
                  loanId={loan.loanId}
                  loanNumber={loan.loanNumber}
                  name={borrowerName({ user })}
                  phone={user.phone || null}
                />
              </CardSection>
              <BorrowerMessages user={user} />
              <Papers loan={present} />
              {loan.settlement && <Settlement key={loan.asOf} loan={loan} present={present} />}
              {loan.lateCharges.length > 0 && <LateCharges loan={loan} />}
              <Timeline loan={present} onShow={onShow} />
            </div>
          </div>
        </>
      )}
    </div>
  );
}

/** How the borrower is reached outside the app, which the loan's own rows do not say. */
function BorrowerMessages({ user }: { user: StaffLoanAccount['loan']['user'] }) {
  return useMessageChannels().isUsed ? <MessagesCard user={user} /> : null;
}

function MessagesCard({ user }: { user: StaffLoanAccount['loan']['user'] }) {
  const { data: member, refetch } = useMemberRow(user);
  if (!member) return null;
  return (
    <Card className="-my-px py-0!">
      <PersonMessages member={member} onChanged={refetch} />
    </Card>
  );
}

function Papers({ loan: { loanId, loanNumber, account } }: { loan: LoanAccount }) {
  const papers = [
    [words.statement, api.readStatementPdf, 'statement.pdf'] as const,
    [words.statementCsv, api.readStatementTable, 'statement.csv'] as const,
    ...(isPaidOff(account) ? [[words.clearance, api.readClearancePdf, 'clearance.pdf'] as const] : []),
  ];
  return (
    <Section title={words.papers}>
      <div className="flex flex-wrap gap-2.5">
        {papers.map(([label, row, file]) => {
          const paper = {
            look: 'secondary',
            fetchFile: () => fetchReply(row, { params: { id: loanId } }),
            fileName: `${loanNumber}-${file}`,
          } as const;
          return (
            <span key={file} className="flex gap-1">
              <span id={`paper-${file}`}>
                <DownloadButton {...paper}>{label}</DownloadButton>
              </span>
              {file.endsWith('.pdf') && <PrintButton {...paper} look="quiet" describedBy={`paper-${file}`} />}
            </span>
          );
        })}
      </div>
    </Section>
  );
}

function Actions({ present, onShow }: { present: StaffLoanAccount; onShow: Show }) {
  const { roles, isMainAdmin } = useUser();
  const { account, events, disbursedOn, loan } = present;
  const isOut = disbursedOn !== null && account.state !== 'cancelled';
  const isLive = isRunning(account);
  const isWrittenOff = account.state === 'written_off';
  const released = events.findLast(({ kind }) => kind === 'disbursement');
  const deferrals = events.filter(({ kind, isReversed }) => kind === 'deferral' && !isReversed);
  const steps: [kind: LoanAction, role: StaffRole, isOffered: boolean][] = [
    // A request that waits before the release can only be for the release.
    ['release', 'encoder', !isOut && loan.waiting === 0 && loanStatusFacts(loan.status).isPayable === true],
    ['payment', 'cashier', isOut],
    ['waiver', 'encoder', isLive && Number(account.lateChargesOwed) > 0],
    ['deferral', 'encoder', isLive && !isWrittenOff && deferrals.length < limits.deferralsMax],
    ['write_off', 'encoder', isLive && !isWrittenOff && isMainAdmin],
    ['refund', 'cashier', isOut && Number(account.credit) > 0],
    ['cancellation', 'encoder', isLive && released?.channel === 'wallet' && present.receipts.length === 0],
  ];
  const offered = steps.filter(([, role, isOffered]) => isOffered && roles?.includes(role));
  if (offered.length === 0) return null;
  return (
    <fieldset className="flex flex-wrap gap-2.5">
      <legend className="sr-only">{words.actions}</legend>
      {offered.map(([kind], index) => (
        <Button
          key={kind}
          look={index === 0 ? 'primary' : kind === 'write_off' ? 'danger' : 'secondary'}
          onClick={() => onShow({ kind })}
        >
          {stepWord(kind)}
        </Button>
      ))}
    </fieldset>
  );
}

function AccountFigures({ loan: { account, settlement } }: { loan: LoanAccount }) {
  const { figures } = words;
  const isSome = (amount: string) => Number(amount) > 0;
  const bad = (amount: string) => isSome(amount) && <span className="text-bad">{showPeso(amount)}</span>;
  const shown = [
    { label: figures.dueNow, value: showPeso(account.dueNow) },
    { label: figures.payoff, value: settlement && showPeso(settlement.amount) },
    { label: figures.overdue, value: bad(account.overdue) },
    { label: figures.lateChargesOwed, value: bad(account.lateChargesOwed) },
    { label: figures.principalLeft, value: showPeso(account.principalLeft) },
    {
      label: figures.next(account.nextDueDate ? date(account.nextDueDate) : ''),
      value: account.nextDueDate && showPeso(account.nextDueAmount),
    },
    ...(['credit', 'writeOffAmount', 'rebate'] as const).map((name) => ({
      label: figures[name],
      value: isSome(account[name]) && showPeso(account[name]),
    })),
  ];
  return (
    // The sum that is due leads.
    <div className="[&_div:first-child>dd]:text-32">
      <Figures figures={shown} />
      {isSome(account.refundToReturn) && (
        <p className="mt-2 text-14 text-warn">{words.refundToReturn(showPeso(account.refundToReturn))}</p>
      )}
    </div>
  );
}

type Instalment = LoanAccount['instalments'][number];

const instalmentColumns: readonly ShortTableColumn<Instalment>[] = columnsOf(words.columns, {
  number: { width: '2.75rem', numeric: true, cell: ({ number }) => number },
  due: { width: 'minmax(6rem, 1fr)', cell: ({ dueDate }) => date(dueDate) },
  amount: {
    width: 'minmax(8.5rem, 1.4fr)',
    numeric: true,
    cell: ({ amount, interest }) => (
      <CellLines main={showPeso(amount)} note={words.ofInterest(showPeso(interest))} />
    ),
  },
  paid: {
    width: 'minmax(6rem, 1fr)',
    numeric: true,
    cell: ({ paid }) => <AmountOrDash amount={paid} some="text-good" />,
  },
  left: {
    width: 'minmax(6.5rem, 1fr)',
    numeric: true,
    cell: ({ left, status }) => (
      <span className={status === 'overdue' ? 'font-semibold text-bad' : ''}>{amountOrDash(left)}</span>
    ),
  },
  late: {
    width: 'minmax(5.5rem, 1fr)',
    numeric: true,
    cell: ({ lateCharge }) => <AmountOrDash amount={lateCharge} some="text-bad" />,
  },
  state: {
    width: '7.75rem',
    // Instalments still to come are quiet, so that the others stand out.
    cell: ({ status }) =>
      status === 'pending' ? (
        <span className="text-ink-soft">{rowStates[status]}</span>
      ) : (
        <StatusChip tone={tones.instalment[status]}>{rowStates[status]}</StatusChip>
      ),
  },
});

/** Rows of a long loan shown at first, from just before the oldest unpaid one. */
const rowsAtOnce = 12;

function Instalments({ loan: { instalments } }: { loan: LoanAccount }) {
  const [showsAll, setShowsAll] = useState(false);
  const oldest = instalments.findIndex(({ left }) => Number(left) > 0);
  const start = Math.max(0, Math.min(oldest - 2, instalments.length - rowsAtOnce));
  const rows = showsAll ? instalments : instalments.slice(start, start + rowsAtOnce);
  return (
    <Section
      title={words.instalments}
      action={
        instalments.length > rowsAtOnce && (
          <Button look="quiet" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? words.showFewer : words.showAll(instalments.length)}
          </Button>
        )
      }
    >
      <ShortTable label={words.instalments} columns={instalmentColumns} rows={rows} />
    </Section>
  );
}

const AmountOrDash = ({ amount, some }: { amount: string; some: string }) => (
  <span className={Number(amount) > 0 ? some : 'text-ink-soft'}>{amountOrDash(amount)}</span>
);

function Settlement({ loan, present }: { loan: LoanAccount; present: LoanAccount }) {
  const { loanId, settlement: shown } = loan;
  const [day, setDay] = useState(loan.asOf);
  const isOther = day !== loan.asOf;
  const query = useRead(api.readSettlement, {
    params: { id: loanId },
    query: { date: day },
    enabled: isOther,
    anew: true,
  });
  const from = loan.disbursedOn ?? loan.asOf;
  const to = addDays(present.asOf as ManilaDate, limits.settlementAheadDays);
  const { state, field } = useDebouncedDay({ day, min: from, max: to, onDay: setDay });
  return (
    <CardSection title={words.settlement}>
      <DayField {...field} label={words.settleOn} fieldClassName="mb-4" />
      {state === 'typing' ? (
        <SkeletonText lines={4} />
      ) : state === 'invalid' ? (
        <p role="status" className="text-14 text-ink-soft">
          {words.settleDayNeeded(date(from), date(to))}
        </p>
      ) : isOther ? (
        <QueryStates query={query} failedTitle={words.settlementFailed} skeleton={<SkeletonText lines={4} />}>
          {(settlement) => <SettlementRows settlement={settlement} />}
        </QueryStates>
      ) : (
        shown && <SettlementRows settlement={shown} />
      )}
    </CardSection>
  );
}

function SettlementRows({ settlement }: { settlement: NonNullable<LoanAccount['settlement']> }) {
  const { amount, rebate, comparison } = settlement;
  return (
    <>
      <DefinitionRows
        size={14}
        rows={[
          { term: words.settleCosts, value: showPeso(amount), strong: true },
          {
            term: words.settleSaves,
            value: Number(rebate) > 0 && <span className="text-good">{showPeso(rebate)}</span>,
          },
        ]}
      />
      <p className="mt-3 border-t border-line pb-1 pt-3 text-12 text-ink-soft">{words.compared}</p>
      <DefinitionRows
        size={14}
        rows={(['noRebate', 'ruleOf78', 'proRataByDays'] as const).map((id) => ({
          term: words[id],
          value: <span className="font-normal">{showPeso(comparison[id])}</span>,
        }))}
      />
    </>
  );
}

function LateCharges({ loan }: { loan: LoanAccount }) {
  const { account, lateCharges, servicing } = loan;
  const [first] = lateCharges;
  return (
    <CardSection title={words.late}>
      <p className="mb-3 text-12 text-ink-soft">
        {words.lateText(
          String(servicing.lateChargeRate),
          servicing.graceDays,
          showPeso(first?.cap ?? '0.00'),
        )}
      </p>
      <ul className="flex flex-col gap-3">
        {lateCharges.map((late) => (
          <li key={late.number} className="border-t border-line pt-3 text-14">
            <p className="flex items-baseline justify-between gap-3 font-semibold">
              <span>{myLoan.instalment(late.number)}</span>
              <span className="tabular-nums">
                {showPeso(late.charge)}
                {!isChargeGrowing(loan, late) && (
                  <span className="font-normal text-ink-soft">
                    {' '}
                    {late.charge === late.cap ? words.lateCapped : words.lateStopped}
                  </span>
                )}
              </span>
            </p>
            <p className="text-12 text-ink-soft">{words.lateDue(date(late.dueDate), date(late.graceEnd))}</p>
            <ul>
              {late.spans.map((span) => (
                <li key={span.from} className="flex items-baseline justify-between gap-3 text-12">
                  <span>
                    {words.lateSpan({
                      unpaid: showPeso(span.unpaid),
                      from: date(span.from),
                      to: date(span.to),
                    })}
                  </span>
                  <span className="tabular-nums">{showPeso(span.charge)}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <p className="mt-3 border-t border-line pt-3 text-14 text-ink-soft">
        {words.lateSum({
          accrued: showPeso(account.lateChargesAccrued),
          paid: showPeso(account.lateChargesPaid),
          waived: showPeso(account.lateChargesWaived),
        })}
      </p>
    </CardSection>
  );
}

const dotted = (...parts: unknown[]) => parts.filter(Boolean).join(' · ');

function Timeline({ loan: { events, payments }, onShow }: { loan: LoanAccount; onShow: Show }) {
  const { roles } = useUser();
  const titleOf = ({ kind, amount, months, channel }: LoanAccount['events'][number]) =>
    dotted(
      kinds[kind],
      amount && showPeso(amount),
      months && monthsLater(months),
      channel && channels[channel],
    );
  return (
    <CardSection title={words.timeline} padding="none">
      <ol className="divide-y divide-line">
        {events.toReversed().map((event) => {
          const undone = events.find(({ sequence }) => sequence === event.reverses);
          const canReverse =
            !event.isReversed &&
            ['waiver', 'deferral', 'write_off'].includes(event.kind) &&
            roles?.includes('encoder');
          const details = dotted(
            event.reference ?? payments.find(({ id }) => id === event.paymentId)?.receiptNumber,
            undone && event.kind === 'reversal' && words.reverses(titleOf(undone)),
            event.auto && words.automatic,
          );
          return (
            <li key={event.sequence} className="px-4 py-3 text-14">
              <div className="flex items-baseline justify-between gap-3">
                <span className={event.isReversed ? 'text-ink-soft line-through' : 'font-semibold'}>
                  {titleOf(event)}
                </span>
                <span className="shrink-0 text-12 text-ink-soft tabular-nums">{date(event.date)}</span>
              </div>
              {details && <p className="text-12 wrap-anywhere">{details}</p>}
              {event.reason && <p className="mt-0.5 wrap-anywhere">“{reasonText(event.reason)}”</p>}
              <p className="mt-0.5 text-12 text-ink-soft wrap-anywhere">
                {dotted(
                  `${words.recorded(dateTime(event.createdAt))} ${by(event.by ?? '')}`,
                  event.approvedBy && words.approvedBy(event.approvedBy),
                  event.isAlone && words.onePerson,
                  event.isReversed && words.reversed,
                )}
              </p>
              {canReverse && (
                <Button
                  look="quiet"
                  className="-ml-3 mt-0.5"
                  aria-description={titleOf(event)}
                  onClick={() => onShow({ kind: 'reversal', reverses: event.sequence, what: titleOf(event) })}
                >
                  {stepWord('reversal')}
                </Button>
              )}
            </li>
          );
        })}
      </ol>
    </CardSection>
  );
}

function Receipts({ loan, onShow }: { loan: LoanAccount; onShow: Show }) {
  const { payments, receipts, events } = loan;
  const user = useUser();
  return (
    <CardSection title={words.receipts} padding="none">
      {payments.length === 0 && <p className="p-4.5 text-14 text-ink-soft">{words.noReceipts}</p>}
      <ul className="divide-y divide-line">
        {payments.map((payment) => {
          const event = events.find(({ kind, paymentId }) => kind === 'receipt' && paymentId === payment.id);
          const live = receipts.find(({ ofEvent }) => ofEvent === event?.sequence);
          const { application } = payment;
          const differs = application !== null && live && !isSameAllocation(application, live);
          const printed = application && allocationLines(application, differs);
          const isOwn = payment.recordedBy === user.id;
          const { receiptNumber, status } = payment;
          const paper = {
            look: 'quiet',
            fetchFile: () =>
              fetchReply(api.readReceiptPdf, { params: { id: loan.loanId, number: receiptNumber ?? '' } }),
            fileName: `${receiptNumber}.pdf`,
            describedBy: `receipt-${payment.id}`,
          } as const;
          const role = status === 'confirmed' ? 'cashier' : 'approver';
          const moves = user.roles?.includes(role) ? movesOf(status) : [];
          return (
            <li key={payment.id} className="px-4.5 py-3 text-14">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span className="font-heading text-16 font-bold text-leaf tabular-nums">
                  {showPeso(payment.amount)}
                </span>
                <StatusChip tone={tones.payment[status]}>{paymentStatuses[status]}</StatusChip>
                <span className="text-ink-soft">
                  {dotted(date(payment.valueDate), channels[payment.channel], payment.reference)}
                </span>
                <span id={`receipt-${payment.id}`} className="ml-auto tabular-nums">
                  {receiptNumber}
                </span>
              </div>
              {printed && (
                <p className="mt-1">
                  <span className="text-ink-soft">{differs ? words.asPrinted : words.goesTo} </span>
                  {printed.join(' · ')}
                </p>
              )}
              {differs && (
                <p className="mt-1 rounded-small bg-warn-tint px-2.5 py-1.5 text-warn">
                  <span className="font-semibold">{words.asCountedToday} </span>
                  {allocationLines(live, true).join(' · ')}. {myLoan.countedAnew}
                </p>
              )}
              {payment.reason && <p className="mt-1 wrap-anywhere">“{payment.reason}”</p>}
              <p className="mt-0.5 text-12 text-ink-soft">
                {words.recorded(dateTime(payment.createdAt))} {by(payment.by ?? '')}
              </p>
              <div className="-ml-3 mt-0.5 flex flex-wrap gap-1">
                {receiptNumber !== null && (
                  <>
                    <DownloadButton {...paper}>{words.receiptPdf}</DownloadButton>
                    <PrintButton {...paper} />
                  </>
                )}
                {moves.map((kind) => (
                  <Button key={kind} look="quiet" onClick={() => onShow({ kind, payment })}>
                    {stepWord(kind)}
                  </Button>
                ))}
                {isOwn && moves.includes('confirm') && (
                  <span className="sr-only">{panel.payments.ownRequest}</span>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </CardSection>
  );
}
