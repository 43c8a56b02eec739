import { ChevronRightIcon, PhoneIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import type { Loan } from '#contract/loan.ts';
import { paths } from '#contract/routes.ts';
import * as servicing from '#contract/servicing-endpoints.ts';
import { addWorkingDays, daysBetween, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { useFormats } from '#web/lib/format.ts';
import { useWords } from '#web/lib/home-words.ts';
import { lender, today } from '#web/lib/lender.ts';
import { LoanMat } from '#web/lib/loan-mat.tsx';
import {
  accountOf,
  amountOf,
  contractPath,
  isOpen,
  isReleased,
  isRunning,
  matOf,
  myLoanPath,
  type Standing,
  sentOf,
} from '#web/lib/loan-standing.ts';
import { applicationStepsOf, loanStatusTone, loanStatusWord, statusNoteOf } from '#web/lib/loan-status.ts';
import { useRead } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { buttonStyle } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { PhoneLink } from '#web/ui/contact-link.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { Steps } from '#web/ui/steps.tsx';
import { PayButton } from './pay-button.tsx';
import { PaymentCard } from './payment-card.tsx';

type LoanCardsProps = {
  /** Those in sight (§current-and-main-loan). */
  loans: readonly Loan[];
  mayApply: boolean;
  /** Draws the wallet with the button that pays from it; `leads` while the loan was only just paid out. */
  wallet: (pay: ReactNode, leads: boolean) => ReactNode;
  /** Further content for the two columns of the last loan, if it is open: after its links, and below its payment card. */
  beside: ReactNode;
  below: ReactNode;
};

export function LoanCards({ loans, mayApply, wallet, beside, below }: LoanCardsProps) {
  const { balance } = useUser();
  const firstOpen = loans.find(isOpen);
  return loans.map((loan, index) => {
    const isQuiet = index > 0;
    const account = accountOf(loan);
    const facts = loanStatusFacts(loan.status);
    if (account && isRunning(account)) {
      const isNew = amountOf(balance) > 0 && isFarOff(account);
      const pay = amountOf(account.dueNow) > 0 && <PayButton loan={loan} look="secondary" size="compact" />;
      return (
        <OpenLoan
          key={loan.id}
          {...{ loan, account, isNew, isQuiet }}
          {...(loan === loans.at(-1) && { beside, below })}
        >
          {loan === firstOpen && wallet(pay, isNew)}
        </OpenLoan>
      );
    }
    if (account || facts.isRepaid) return <PaidLoan key={loan.id} loan={loan} hasPapers={Boolean(account)} />;
    if (facts.isTurnedDown) return <TurnedDown key={loan.id} loan={loan} mayApply={mayApply} />;
    return <Application key={loan.id} loan={loan} isQuiet={isQuiet} />;
  });
}

const farOffDays = 14;

/** Nothing is paid, and nothing has to be for a while. */
const isFarOff = ({ paid, dueNow, nextDueDate }: Standing): boolean =>
  amountOf(paid) === 0 &&
  amountOf(dueNow) === 0 &&
  nextDueDate !== null &&
  daysBetween(today(), nextDueDate as ManilaDate) > farOffDays;

const titleOf = ({ id }: Loan) => `loan-title-${id}`;

/** `isQuiet`: below another that leads, on the one deep surface of the page. */
type CardProps = { loan: Loan; isQuiet: boolean };

type OpenLoanProps = CardProps & {
  account: Standing;
  isNew: boolean;
  beside?: ReactNode;
  below?: ReactNode;
  children: ReactNode;
};

function OpenLoan({ loan, account, isNew, isQuiet, beside, below, children }: OpenLoanProps) {
  const { dashboard, payment, shell } = useWords();
  const { peso } = useFormats();
  // What takes longest to work out comes after what the borrower came for.
  const { data } = useRead(servicing.readLoanAccount, { params: { id: loan.id } });
  const rebate = data?.settlement?.rebate ?? '';
  const isCharged = amountOf(account.lateChargesOwed) > 0;
  const rows = [
    { name: shell.myLoan, part: '', note: `${loan.loanNumber} · ${peso(loan.amount)}` },
    {
      name: payment.everything,
      part: '#everything',
      note: !isNew && amountOf(rebate) > 0 && payment.saves(peso(rebate)),
    },
    { name: payment.papers, part: '#papers', note: false },
  ];
  return (
    <section
      aria-labelledby={titleOf(loan)}
      className="grid grid-cols-[minmax(0,1fr)] gap-3.5 *:flex *:flex-col *:gap-3.5 wide:col-span-2 wide:grid-cols-2 wide:grid-rows-[auto_1fr] wide:items-start wide:gap-x-6"
    >
      <h2 id={titleOf(loan)} className="sr-only">
        {dashboard.loanNumber(loan.loanNumber)}
      </h2>
      <div>
        {isNew && children}
        <PaymentCard
          heading="h3"
          loan={loan}
          standing={account}
          tiles={matOf(loan, today())}
          asOf={today()}
          advice={
            account.state === 'written_off'
              ? payment.writtenOff
              : account.dueSince && isCharged
                ? payment.stopCharge
                : undefined
          }
          sent={data && sentOf(data)}
          isLater={isNew}
          isQuiet={isQuiet}
          chip={!account.dueSince && <LoanChip loan={loan} />}
        />
      </div>
      <div className="wide:row-span-2">
        {!isNew && children}
        <Card padding="none" className="px-5">
          <ul className="divide-y divide-line">
            {rows.map(({ name, part, note }) => (
              <li key={name} className="relative flex flex-wrap items-center gap-x-2 py-3">
                <Link
                  href={`${myLoanPath(loan)}${part}`}
                  className="font-semibold after:absolute after:-inset-x-3 after:inset-y-0"
                >
                  {name}
                </Link>
                <span className="ml-auto flex items-center gap-1 text-14 text-ink-soft">
                  {note}
                  <ChevronRightIcon className="size-4 shrink-0" />
                </span>
              </li>
            ))}
          </ul>
        </Card>
        {beside}
      </div>
      {below && <div>{below}</div>}
    </section>
  );
}

const LoanChip = ({ loan: { status } }: { loan: Loan }) => {
  const { loanStatus } = useWords();
  return (
    <StatusChip wraps tone={loanStatusTone(status)}>
      {loanStatusWord(status, loanStatus)}
    </StatusChip>
  );
};

type HeadedProps = { loan: Loan; look: 'plain' | 'deep'; lead: ReactNode; children: ReactNode };

/** Number and status, then the sentence that leads. */
function Headed({ loan, look, lead, children }: HeadedProps) {
  const { dashboard } = useWords();
  return (
    <section aria-labelledby={titleOf(loan)} className="@container wide:col-span-2">
      <Card look={look} padding="roomy">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
          <h2
            id={titleOf(loan)}
            className={`text-14 ${look === 'deep' ? 'text-on-deep-soft' : 'text-ink-soft'}`}
          >
            {dashboard.loanNumber(loan.loanNumber)}
          </h2>
          <LoanChip loan={loan} />
        </div>
        <p className="mt-3 font-heading text-[min(1.5rem,8.2vw)] leading-[1.25] font-bold text-balance wide:text-32">
          {lead}
        </p>
        {children}
      </Card>
    </section>
  );
}

function PaidLoan({ loan, hasPapers }: { loan: Loan; hasPapers: boolean }) {
  const { dashboard, loanStatus, payment } = useWords();
  const { date } = useFormats();
  const { data } = useRead(servicing.readLoanAccount, { params: { id: loan.id }, enabled: hasPapers });
  return (
    <Headed loan={loan} look="plain" lead={dashboard.paidInFull}>
      <p className="text-ink-soft">
        {data?.closedOn ? dashboard.paidOn(date(data.closedOn)) : loanStatus.notes.completed}
      </p>
      <LoanMat loanId={loan.id} tiles={matOf(loan, today())} className="mt-4" />
      {hasPapers && (
        <Link
          href={`${myLoanPath(loan)}#papers`}
          className={`${buttonStyle({ look: 'secondary', wide: true })} mt-4`}
        >
          {payment.clearance}
        </Link>
      )}
    </Headed>
  );
}

/** Why it was turned down is in the message only: it is personal data. */
function TurnedDown({ loan, mayApply }: { loan: Loan; mayApply: boolean }) {
  const { dashboard, loanStatus } = useWords();
  const { peso } = useFormats();
  const notices = useRead(api.listNotifications).data ?? [];
  const reason = notices.find(({ details }) => details?.loanNumber === loan.loanNumber)?.details?.reason;
  return (
    <Headed loan={loan} look="plain" lead={statusNoteOf(loan, loanStatus)}>
      {reason && (
        <p className="mt-3 border-l-3 border-mango pl-3 text-20 wrap-anywhere">
          <span className="block text-14 text-ink-soft">{dashboard.reason}</span>
          {reason}
        </p>
      )}
      <p className="mt-3 text-14 text-ink-soft">
        {peso(loan.amount)} · {dashboard.loanTerms(loan.termMonths, peso(loan.monthlyPayment))}
      </p>
      {mayApply && <p className="mt-3">{dashboard.applyAgain}</p>}
      <PhoneLink
        to={lender().supportPhone}
        icon={<PhoneIcon />}
        className={`${buttonStyle({ look: 'quiet' })} -mb-3 -ml-5`}
      />
    </Headed>
  );
}

/** A loan without an account here: not decided, not released, or released by an earlier version. */
function Application({ loan, isQuiet }: CardProps) {
  const { dashboard, loanStatus } = useWords();
  const { date, longDate, peso } = useFormats();
  const { amount, createdAt, dueDates, isUnagreed, monthlyPayment, releasedAt, releasedAmount } = loan;
  const { status, termMonths } = loan;
  const soft = isQuiet ? 'text-ink-soft' : 'text-on-deep-soft';
  const { needsAction } = loanStatusFacts(status);
  const { decisionDays, supportPhone } = lender();
  const hearBy = decisionDays && addWorkingDays(manilaDate(new Date(createdAt)), decisionDays);
  const note = statusNoteOf(loan, loanStatus);
  const isAwaited = status === 'pending' && hearBy && hearBy >= today();
  const lead = isUnagreed ? (
    dashboard.termsChanged
  ) : isAwaited ? (
    <>
      <span className="block font-sans text-16 font-normal">{dashboard.hearBy}</span>{' '}
      <Amount size={32} className="whitespace-normal!">
        {longDate(hearBy)}
      </Amount>
    </>
  ) : (
    note
  );
  const dueDate = dueDates.find((due) => due >= today());
  const lines = [
    releasedAt !== null &&
      releasedAmount !== null &&
      dashboard.released({
        // The full amount is shown above already.
        amount: releasedAmount === amount ? '' : peso(releasedAmount),
        date: date(releasedAt),
      }),
    // Until it is released nothing is due, and the release dates it anew.
    releasedAt !== null && !needsAction && dueDate && dashboard.nextDue(date(dueDate)),
    lead !== note && note,
  ].filter(Boolean);
  return (
    <Headed loan={loan} look={isQuiet ? 'plain' : 'deep'} lead={lead}>
      {isUnagreed && (
        <Link
          href={contractPath(loan.id)}
          className={`${buttonStyle({ look: isQuiet ? 'secondary' : 'mango', wide: true })} mb-2 mt-4`}
        >
          {dashboard.openContract}
        </Link>
      )}
      {needsAction && (
        <div className="mb-2 mt-4 flex flex-col">
          <PhoneLink
            to={supportPhone}
            icon={<PhoneIcon />}
            className={buttonStyle({ look: isQuiet ? 'secondary' : 'mango', size: 'large', wide: true })}
          />
          <Link href={paths.wallet} className={buttonStyle({ look: isQuiet ? 'quiet' : 'quietOnDeep' })}>
            {dashboard.ourMessage}
          </Link>
        </div>
      )}
      <p className="mt-3 flex flex-wrap items-baseline gap-x-3">
        <span className="font-heading text-20 font-bold tabular-nums">{peso(amount)}</span>
        <span className={`text-14 ${soft}`}>{dashboard.loanTerms(termMonths, peso(monthlyPayment))}</span>
      </p>
      {lines.map((line) => (
        <p key={String(line)} className={`mt-1 text-14 ${soft}`}>
          {line}
        </p>
      ))}
      <div className="mt-4 @3xl:-mt-20 @3xl:mr-10 @3xl:ml-auto @3xl:w-fit">
        <Steps
          steps={applicationStepsOf(status, loanStatus, isReleased(loan))}
          label={loanStatus.progress}
          stateLabels={loanStatus.stepStates}
        />
      </div>
    </Headed>
  );
}
