import { CalendarIcon, CircleAlertIcon, CircleCheckIcon, InfoIcon, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import type { Loan } from '#contract/loan.ts';
import { paths } from '#contract/routes.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { useFormats } from '#web/lib/format.ts';
import { lender, today } from '#web/lib/lender.ts';
import {
  accountOf,
  amountOf,
  contractPath,
  extrasOf,
  isPaidOff,
  isReleased,
  loansInSight,
  myLoanPath,
  nextPayment,
  type Standing,
} from '#web/lib/loan-standing.ts';
import {
  applicationStepsOf,
  loanStatusNote,
  loanStatusTone,
  loanStatusWord,
  statusNoteOf,
} from '#web/lib/loan-status.ts';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { useWords } from '#web/lib/words.ts';
import { Amount } from '#web/ui/amount.tsx';
import { buttonStyle } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { PhoneLink } from '#web/ui/contact-link.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoLoanPicture } from '#web/ui/no-loan-picture.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import type { StepsProps } from '#web/ui/steps.tsx';

/** The newest loan, and beside it the main one and what is late (§current-and-main-loan). */
export function LoanCards() {
  const { dashboard } = useWords();
  return (
    <QueryStates
      query={useRead(api.listOwnLoans)}
      skeleton={loanCardShape}
      failedTitle={dashboard.loanFailed}
      framed
    >
      {(loans) => {
        if (loans.length > 0)
          return loansInSight(loans).map((loan) => <LoanFacts key={loan.id} loan={loan} />);
        return (
          <Card padding="none">
            <EmptyState illustration={<NoLoanPicture />} title={dashboard.noLoan}>
              {dashboard.noLoanText}
            </EmptyState>
          </Card>
        );
      }}
    </QueryStates>
  );
}

/** A loan that was turned down gets a quiet card with contacts. */
function LoanFacts({ loan }: { loan: Loan }) {
  const { dashboard, loanStatus, shell } = useWords();
  const { peso } = useFormats();
  const account = accountOf(loan);
  const id = `loan-title-${loan.id}`;
  const isOver = !account && loanStatusFacts(loan.status).isTurnedDown;
  const soft = isOver ? 'text-ink-soft' : 'text-on-deep-soft';
  return (
    <section aria-labelledby={id}>
      <Card look={isOver ? 'plain' : 'deep'} padding="roomy">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
          <h2 id={id} className={`text-14 ${soft}`}>
            {dashboard.loanNumber(loan.loanNumber)}
          </h2>
          <span className="flex flex-wrap gap-1.5">
            {account?.dueSince && <StatusChip tone="bad">{dashboard.overdue}</StatusChip>}
            <StatusChip wraps tone={loanStatusTone(loan.status)}>
              {loanStatusWord(loan.status, loanStatus)}
            </StatusChip>
          </span>
        </div>
        <p className="mt-2.5">
          <Amount size={isOver ? 24 : 40}>{peso(loan.amount)}</Amount>
        </p>
        <p className={`mt-0.5 text-14 ${soft}`}>
          {dashboard.loanTerms(loan.termMonths, peso(loan.monthlyPayment))}
        </p>
        {account ? <AccountInShort account={account} status={loan.status} /> : <WhatIsNext loan={loan} />}
        {account ? (
          <Link href={myLoanPath(loan)} className={buttonStyle({ look: 'deep', wide: true })}>
            {shell.myLoan}
          </Link>
        ) : isOver ? (
          <SupportLinks />
        ) : (
          <div className="mt-4">
            <StepsBar
              steps={applicationStepsOf(loan.status, loanStatus, isReleased(loan))}
              label={loanStatus.progress}
              stateLabels={loanStatus.stepStates}
            />
          </div>
        )}
      </Card>
    </section>
  );
}

function SupportLinks() {
  const { dashboard } = useWords();
  const { supportPhone } = lender();
  const link =
    'inline-flex min-h-11 items-center text-14 font-semibold text-leaf underline underline-offset-2';
  return (
    <p className="-mb-2.5 mt-3 flex flex-wrap gap-x-5 border-t border-line pt-1">
      <Link href={paths.wallet} className={link}>
        {dashboard.ourMessage}
      </Link>
      <PhoneLink to={supportPhone} className={link} />
    </p>
  );
}

function WhatIsNext({ loan }: { loan: Loan }) {
  const { dashboard, loanStatus } = useWords();
  const { date, peso } = useFormats();
  const { amount, dueDates, isUnagreed, releasedAt, releasedAmount } = loan;
  const { isApproved, isRepaid, isTurnedDown, needsAction } = loanStatusFacts(loan.status);
  const from = today();
  const dueDate = isTurnedDown || isRepaid ? undefined : dueDates.find((due) => due >= from);
  // Until it is released nothing is due, and the release dates it anew.
  const dueText =
    releasedAt !== null ? dashboard.nextDue : isApproved ? undefined : dashboard.firstDueIfApproved;
  const due = dueDate && dueText?.(date(dueDate));
  const note = !due || needsAction ? statusNoteOf(loan, loanStatus) : undefined;
  return (
    <>
      {releasedAt !== null && releasedAmount !== null && (
        <CardLine Icon={CircleCheckIcon}>
          {dashboard.released({
            // The full amount is shown above already.
            amount: releasedAmount === amount ? '' : peso(releasedAmount),
            date: date(releasedAt),
          })}
        </CardLine>
      )}
      {isUnagreed && !isTurnedDown && !isRepaid && (
        <CardLine Icon={CircleAlertIcon}>
          <span>
            {dashboard.termsChanged}{' '}
            <Link href={contractPath(loan.id)} className="font-semibold underline underline-offset-2">
              {dashboard.openContract}
            </Link>
          </span>
        </CardLine>
      )}
      {due && <CardLine Icon={CalendarIcon}>{due}</CardLine>}
      {note !== undefined && <CardLine Icon={InfoIcon}>{note}</CardLine>}
    </>
  );
}

/** The same figures as on My loan. */
function AccountInShort({ account, status }: { account: Standing; status: string }) {
  const { dashboard, loanStatus } = useWords();
  const { date, peso } = useFormats();
  const { disbursedOn, leftToPay, paid } = account;
  const next = nextPayment(account);
  const left = amountOf(leftToPay);
  const extras = extrasOf(account);
  const words = dashboard.withExtras(dashboard.paidLeft({ paid: peso(paid), left: peso(leftToPay) }), extras);
  const note = isPaidOff(account) ? loanStatusNote(status, loanStatus) : undefined;
  return (
    <>
      <CardLine Icon={CircleCheckIcon}>
        {dashboard.released({ amount: '', date: date(disbursedOn) })}
      </CardLine>
      {next && (
        <CardLine Icon={next.dueSince ? CircleAlertIcon : CalendarIcon}>
          {next.dueOn
            ? dashboard.next({ amount: peso(next.amount), date: date(next.dueOn) })
            : dashboard.withExtras(
                next.dueSince
                  ? dashboard.dueSince({ amount: peso(next.amount), date: date(next.dueSince) })
                  : dashboard.dueNow(peso(next.amount)),
                extras,
              )}
        </CardLine>
      )}
      {note !== undefined && <CardLine Icon={InfoIcon}>{note}</CardLine>}
      <div className="mb-4 mt-4">
        <ProgressBar
          deep
          percent={left === 0 ? 100 : Math.round((100 * amountOf(paid)) / (amountOf(paid) + left))}
          label={words}
          valueText={words}
        />
        <p className="mt-1.5 flex flex-wrap justify-between gap-x-4 text-14" aria-hidden="true">
          <span className="text-on-deep-soft">{dashboard.withExtras(dashboard.left, extras)}</span>
          <span className="ml-auto font-semibold tabular-nums">{peso(leftToPay)}</span>
        </p>
      </div>
    </>
  );
}

function CardLine({ Icon, children }: { Icon: LucideIcon; children: ReactNode }) {
  return (
    <p className="mt-2 flex items-start gap-2 text-14 font-medium">
      <Icon className="mt-0.5 size-4 shrink-0" />
      {children}
    </p>
  );
}

const loanCardShape = (
  <Card look="deep" padding="roomy" className="flex flex-col gap-3 [&_span]:bg-on-deep/25">
    <div className="flex justify-between gap-3">
      <Skeleton className="h-6 w-36" />
      <Skeleton className="h-6 w-24" round />
    </div>
    <Skeleton className="h-11 w-60 max-w-full" />
    <Skeleton className="h-5 w-52 max-w-full" />
    <Skeleton className="h-5 w-44 max-w-full" />
    <Skeleton className="mt-2 h-7 w-full" />
  </Card>
);

/**
 * The stages of `Steps` as one row of bars, for the deep loan card. Where the labels do not fit, only the current one
 * is shown.
 */
export function StepsBar({ steps, label, stateLabels }: StepsProps) {
  const waiting = steps.findIndex(({ state }) => state === 'current' || state === 'failed');
  const present = waiting < 0 ? steps.findLastIndex(({ state }) => state === 'done') : waiting;
  return (
    <div className="@container">
      <ol
        aria-label={label}
        className="relative grid auto-cols-[minmax(max-content,1fr)] grid-flow-col gap-1.5 @max-[17.5rem]:pb-5.5"
      >
        {steps.map((step, index) => (
          <li
            key={step.id}
            aria-current={step.state === 'current' ? 'step' : undefined}
            className="min-w-0 forced-colors:outline-none!"
          >
            <span
              aria-hidden="true"
              className={classNames(
                'mark block h-1.5 rounded-full',
                step.state === 'ahead' ? 'bg-on-deep/25 forced-colors:opacity-30' : 'bg-mango',
              )}
            />
            <span
              className={classNames(
                'mt-1.5 block text-12 tracking-[-0.01em]',
                index === present
                  ? 'font-bold @max-[17.5rem]:absolute @max-[17.5rem]:inset-x-0 @max-[17.5rem]:bottom-0'
                  : 'text-on-deep-soft @max-[17.5rem]:sr-only',
              )}
            >
              {step.title}
              <span className="sr-only"> ({stateLabels[step.state]})</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
