import { Link } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import type { Loan } from '#contract/loan.ts';
import { paths } from '#contract/routes.ts';
import { type ApplicationStep, applicationProgress, currentLoan, mainLoan } from '#domain/loan.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { useNext } from '#web/lib/loan-next.ts';
import {
  accountOf,
  extrasOf,
  isOverdue,
  isReleased,
  loansInSight,
  myLoanPath,
  nextPayment,
} from '#web/lib/loan-standing.ts';
import { applicationStepsOf, loanStatusTone, loanStatusWord, statusNoteOf } from '#web/lib/loan-status.ts';
import { amountOf } from '#web/lib/pesos.ts';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { useQuoteRows } from '#web/lib/quote-text.tsx';
import { useUser } from '#web/lib/session.tsx';
import { SupportContact } from '#web/lib/support-contact.tsx';
import { RowText, rowStyle } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { GoLink } from '#web/ui/go-link.tsx';
import { Loading, SkeletonText } from '#web/ui/skeleton.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { Steps } from '#web/ui/steps.tsx';

export function ApplicationStatus() {
  const { application } = useAccountWords();
  const { balance } = useUser();
  const read = useRead(api.listOwnLoans);
  return (
    <Section title={application.title}>
      <QueryStates query={read} skeleton={<SkeletonText lines={8} />} failedTitle={application.failed}>
        {(loans) => {
          const loan = currentLoan(loans);
          const isLed = amountOf(balance) <= 0 && loan === loansInSight(loans)[0];
          return loan && <Progress {...{ loan, isLed }} mayApply={!loans.some(isOverdue)} />;
        }}
      </QueryStates>
    </Section>
  );
}

/** `isLed`: the page's next step, above, is this loan's. */
function Progress({ loan, isLed, mayApply }: { loan: Loan; isLed: boolean; mayApply: boolean }) {
  const { dashboard, loanStatus, shell } = useAccountWords();
  const notes = useStepNotes(loan, isLed);
  const account = accountOf(loan);
  const isOut = isReleased(loan);
  const steps = applicationStepsOf(loan.status, loanStatus, isOut).map((step) => ({
    ...step,
    note: notes[step.id as ApplicationStep],
  }));
  const { standing } = applicationProgress(loan.status, isOut);
  return (
    <>
      <LoanHead loan={loan} />
      {account && standing === 'positive' ? (
        <p className="-mt-1 text-14 text-ink-soft">{notes.released}</p>
      ) : (
        <Steps steps={steps} label={loanStatus.progress} stateLabels={loanStatus.stepStates} />
      )}
      {account && <RowLink href={myLoanPath(loan)}>{shell.myLoan}</RowLink>}
      {(standing === 'negative' || (standing === 'action_needed' && !isLed)) && (
        <div className="mt-2 border-t border-line pt-1">
          {!isLed && <SupportContact />}
          {standing === 'negative' && mayApply && (
            <GoLink href={paths.dashboard} look="secondary" wide>
              {dashboard.apply}
            </GoLink>
          )}
        </div>
      )}
    </>
  );
}

/** *Overdue* is no status, so it is shown beside it. */
function LoanHead({ loan }: { loan: Loan }) {
  const { dashboard, loanStatus } = useAccountWords();
  const { loanNumber, status } = loan;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
      <h3 className="font-semibold">{loanNumber}</h3>
      <span className="flex flex-wrap gap-1.5">
        <StatusChip wraps tone={loanStatusTone(status)}>
          {loanStatusWord(status, loanStatus)}
        </StatusChip>
        {isOverdue(loan) && <StatusChip tone="bad">{dashboard.overdue}</StatusChip>}
      </span>
    </div>
  );
}

const RowLink = ({ href, children }: { href: string; children: string }) => (
  <div className="-mx-card -mb-3 mt-auto pt-2">
    <Link href={href} className={rowStyle}>
      <RowText>{children}</RowText>
    </Link>
  </div>
);

/** A note under each step: when it happened or what it means. The status's own note goes under the step it is about. */
function useStepNotes(loan: Loan, isLed: boolean): Partial<Record<ApplicationStep, string>> {
  const { application, dashboard, loanStatus, date, dateTime, peso } = useAccountWords();
  const { title } = useNext(loan);
  const { releasedAt, releasedAmount, status } = loan;
  const account = accountOf(loan);
  const isOut = isReleased(loan);
  const { step, standing } = applicationProgress(status, isOut);
  const isDecided = standing === 'positive' || step === 'released';
  const releasedOn = releasedAt ?? account?.disbursedOn;
  const released =
    isOut && releasedOn
      ? dashboard.released({ amount: peso(releasedAmount ?? loan.amount), date: date(releasedOn) })
      : undefined;
  // The release date says more than the note for a loan still on its way there.
  const isOnItsWay = standing !== 'negative' && standing !== 'action_needed' && status !== 'completed';
  const notes = {
    submitted: dateTime(loan.createdAt),
    decision: isDecided ? undefined : application.eitherWay,
    released,
  };
  if (released && isOnItsWay) return notes;
  const own = statusNoteOf(loan, loanStatus);
  const note = isLed && own === title ? undefined : own;
  if (!isDecided) return { ...notes, [step]: note };
  return { ...notes, released: [released, note].filter(Boolean).join('. ') || undefined };
}

/**
 * The main loan's cost in brief (§agreed-quote): the figures agreed to, never recalculated. Renders nothing if the
 * loans cannot be read: the application above reports that and offers a retry.
 */
export function LoanPreview() {
  const { application, shell } = useAccountWords();
  const { data: loans, isError } = useRead(api.listOwnLoans);
  if (!loans && isError) return null;
  const loan = loans && mainLoan(loans);
  return (
    <Section title={application.preview}>
      {loan ? (
        <Preview loan={loan} isNamed={loan !== currentLoan(loans)} />
      ) : (
        <Loading label={shell.loading}>
          <SkeletonText lines={5} />
        </Loading>
      )}
    </Section>
  );
}

/** `isNamed`: not the loan of the application above. Once it is released, what is left says more than its cost. */
function Preview({ loan, isNamed }: { loan: Loan; isNamed: boolean }) {
  const { application, dashboard, landing, payment, date, peso } = useAccountWords();
  const account = accountOf(loan);
  const next = account && nextPayment(account);
  const { amount, monthlyPayment, termMonths, quote } = loan;
  const explained = (sum: string) => (account ? dashboard.withExtras(sum, extrasOf(account)) : sum);
  const rowsOf = useQuoteRows();
  const rows = [
    // The application above gives a released loan's amount.
    ...(isNamed || !account ? rowsOf({ amount }, ['amount']) : []),
    { term: landing.cost.monthly, value: `${peso(monthlyPayment)} × ${termMonths}` },
    ...(quote && !account ? rowsOf(quote, ['costOfCredit', 'effectiveMonthlyRate']) : []),
    {
      term: next?.dueOn ? `${payment.next}, ${date(next.dueOn)}` : explained(payment.dueNow),
      value: next && peso(next.amount),
    },
    { term: explained(dashboard.left), value: account && peso(account.leftToPay) },
  ];
  return (
    <>
      {isNamed && <LoanHead loan={loan} />}
      <DefinitionRows size={14} rows={rows} />
      <RowLink href={`${paths.profile}#papers`}>{application.papers}</RowLink>
    </>
  );
}
