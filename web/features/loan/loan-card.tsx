import { ChevronRightIcon, PhoneIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Loan } from '#contract/loan.ts';
import * as calls from '#contract/loan-account-endpoints.ts';
import { messagesPath } from '#contract/routes.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { useWords } from '#web/lib/home-words.ts';
import { lender, today } from '#web/lib/lender.ts';
import { LoanMat } from '#web/lib/loan-mat.tsx';
import { isFresh, useNext } from '#web/lib/loan-next.ts';
import {
  accountMatOf,
  accountOf,
  contractPath,
  isOpen,
  isReleased,
  isRunning,
  matOf,
  myLoanPath,
  type Standing,
} from '#web/lib/loan-standing.ts';
import { applicationStepsOf, loanStatusTone, loanStatusWord, statusNoteOf } from '#web/lib/loan-status.ts';
import { amountOf } from '#web/lib/pesos.ts';
import { useRead } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { type ButtonStyle, buttonStyle } from '#web/ui/button.tsx';
import { Card, DeepHead, leadTitle } from '#web/ui/card.tsx';
import { PhoneLink } from '#web/ui/contact-link.tsx';
import { GoLink } from '#web/ui/go-link.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { Steps } from '#web/ui/steps.tsx';
import { PayButton } from './pay-button.tsx';
import { PaymentCard } from './payment-card.tsx';

type LoanCardsProps = {
  /** The loans in sight (§current-and-main-loan). */
  loans: readonly Loan[];
  /** Draws the wallet with the button that pays from it; `isNew`: the loan was only just paid out into it. */
  wallet: (pay: ReactNode, isNew: boolean) => ReactNode;
  /** Below the last loan. */
  beside: ReactNode;
  /** Applies again, after a refusal. */
  again: ((look: 'primary' | 'secondary') => ReactNode) | undefined;
};

export function LoanCards({ loans, wallet, beside, again }: LoanCardsProps) {
  const { balance } = useUser();
  const firstOpen = loans.find(isOpen);
  const cardOf = (loan: Loan, isQuiet: boolean) => {
    const account = accountOf(loan);
    if (account && isRunning(account)) {
      const isNew = isFresh(account, balance);
      const pay = amountOf(account.dueNow) > 0 && <PayButton loan={loan} look="secondary" size="compact" />;
      return (
        <OpenLoan {...{ loan, isQuiet, account, isNew }}>{loan === firstOpen && wallet(pay, isNew)}</OpenLoan>
      );
    }
    if (account || loanStatusFacts(loan.status).isRepaid)
      return <PaidLoan loan={loan} hasPapers={Boolean(account)} />;
    return <Application {...{ loan, isQuiet, again }} />;
  };
  return loans.map((loan, index) => (
    <section key={loan.id} aria-labelledby={titleOf(loan)} className="flex flex-col gap-3.5 wide:gap-6">
      {cardOf(loan, index > 0)}
      {loan === loans.at(-1) && beside}
    </section>
  ));
}

const titleOf = ({ id }: Loan) => `loan-title-${id}`;

type TitleProps = { loan: Loan; soft: string; withAmount: boolean };

/** Number, status and, where nothing below says it, the amount. */
function LoanTitle({ loan, soft, withAmount }: TitleProps) {
  const { dashboard, loanStatus, peso } = useWords();
  return (
    <div className="mb-3 flex flex-wrap items-start justify-between gap-x-3 gap-y-1.5">
      <div className={`text-14 ${soft}`}>
        <h2 id={titleOf(loan)}>{dashboard.loanNumber(loan.loanNumber)}</h2>
        {withAmount && <b>{peso(loan.amount)}</b>}
      </div>
      <StatusChip wraps tone={loanStatusTone(loan.status)}>
        {loanStatusWord(loan.status, loanStatus)}
      </StatusChip>
    </div>
  );
}

/** `isQuiet`: another card leads, on the page's one deep surface. */
type CardProps = { loan: Loan; isQuiet: boolean };

type OpenLoanProps = CardProps & { account: Standing; isNew: boolean; children: ReactNode };

function OpenLoan({ loan, account, isNew, isQuiet, children }: OpenLoanProps) {
  const { payment, shell, peso } = useWords();
  // Slowest to work out, so the page does not wait for it.
  const { data } = useRead(calls.readLoanAccount, { params: { id: loan.id }, anew: true });
  const rebate = data?.settlement?.rebate ?? '';
  const href = myLoanPath(loan);
  const rows = [
    { name: shell.myLoan, href },
    {
      name: payment.everything,
      href: `${href}#everything`,
      note: !isNew && amountOf(rebate) > 0 && payment.saves(peso(rebate)),
    },
    { name: payment.papers, href: `${href}#papers` },
  ];
  return (
    <>
      {isNew && children}
      <PaymentCard
        heading="h3"
        loan={loan}
        standing={account}
        tiles={data ? accountMatOf(data) : matOf(loan, today())}
        asOf={today()}
        instalment={loan.monthlyPayment}
        advice={
          account.state === 'written_off'
            ? payment.writtenOff
            : account.dueSince && amountOf(account.lateChargesOwed) > 0
              ? payment.stopCharge
              : undefined
        }
        account={data}
        isQuiet={isQuiet || isNew}
        title={(soft) => <LoanTitle loan={loan} soft={soft} withAmount />}
      />
      <div className="flex flex-col gap-[inherit] wide:flex-row">
        {!isNew && children}
        <Card padding="none" className="@container grow">
          <ul className="flex h-full flex-col divide-y divide-line @xl:flex-row @xl:divide-x @xl:divide-y-0">
            {rows.map(({ name, href: to, note }) => (
              <li key={name} className="relative flex grow items-center gap-1 px-card py-3.5">
                <div className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-2 @xl:block">
                  <Link href={to} className="font-semibold after:absolute after:inset-0">
                    {name}
                  </Link>
                  {note && <p className="ml-auto text-14 text-ink-soft">{note}</p>}
                </div>
                <ChevronRightIcon className="size-4 shrink-0 text-ink-soft" />
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </>
  );
}

type HeadedProps = Omit<TitleProps, 'soft'> & {
  isPlain: boolean;
  lead: ReactNode;
  children: ReactNode;
  actions: ReactNode;
  /** Below the head, on the plain card. */
  foot?: ReactNode;
};

/** Number, status and headline, then the details and what the borrower can do, side by side where there is room. */
function Headed({ loan, withAmount, isPlain, lead, children, actions, foot }: HeadedProps) {
  const Head = isPlain ? 'div' : DeepHead;
  return (
    <Card padding="none" className="@container overflow-hidden">
      <Head className={isPlain ? 'p-card' : undefined}>
        <LoanTitle {...{ loan, withAmount }} soft={isPlain ? 'text-ink-soft' : 'text-on-deep-soft'} />
        <div
          className={`flex flex-col gap-4 @3xl:flex-row @3xl:gap-8 ${isPlain ? '@3xl:items-center' : '@3xl:items-end'}`}
        >
          <div className="min-w-0 grow">
            <p className={`${leadTitle} ${isPlain ? 'wide:text-32!' : ''}`}>{lead}</p>
            {children}
          </div>
          <div className="flex shrink-0 flex-col gap-2 text-center empty:hidden @3xl:w-80">{actions}</div>
        </div>
      </Head>
      {foot && <div className="flex flex-col gap-3 p-card">{foot}</div>}
    </Card>
  );
}

function PaidLoan({ loan, hasPapers }: { loan: Loan; hasPapers: boolean }) {
  const { dashboard, loanStatus, payment, date } = useWords();
  const { data } = useRead(calls.readLoanAccount, { params: { id: loan.id }, enabled: hasPapers });
  return (
    <Headed
      loan={loan}
      withAmount
      isPlain
      lead={hasPapers ? dashboard.paidInFull : dashboard.closed}
      actions={
        hasPapers && (
          <GoLink href={`${myLoanPath(loan)}#papers`} look="secondary" wide>
            {payment.clearance}
          </GoLink>
        )
      }
    >
      <p className="mb-4">
        {data?.closedOn ? dashboard.paidOn(date(data.closedOn)) : statusNoteOf(loan, loanStatus)}
      </p>
      {hasPapers && <LoanMat loanId={loan.id} tiles={matOf(loan, today())} />}
    </Headed>
  );
}

/** A loan without an account here: not decided, turned down, not released, or released by an earlier version. */
function Application({ loan, isQuiet, again }: CardProps & Pick<LoanCardsProps, 'again'>) {
  const { dashboard, loanStatus, date, dayMonth, peso } = useWords();
  const { bankName, bankAccountNumber } = useUser();
  const { title, text, reason, deniedOn, calls } = useNext(loan);
  const { amount, createdAt, dueDates, isUnagreed, monthlyPayment, quote, releasedAt, releasedAmount } = loan;
  const { status, termMonths } = loan;
  const { isTurnedDown, needsAction } = loanStatusFacts(status);
  const { supportHours, supportPhone } = lender();
  const isPlain = isQuiet || isTurnedDown === true;
  // The borrower asks for the reason first, if there is none.
  const asksFirst = isTurnedDown && !reason;
  const isApproved = status === 'approved' && !isUnagreed;
  const soft = isPlain ? 'text-ink-soft' : 'text-on-deep-soft';
  const leading: ButtonStyle = {
    look: asksFirst ? 'primary' : isPlain ? 'secondary' : isUnagreed || needsAction ? 'mango' : 'deep',
    size: 'large',
    wide: true,
  };
  const dueDate = dueDates.find((due) => due >= today());
  const lines = [
    releasedAt !== null &&
      releasedAmount !== null &&
      dashboard.released({
        // The full amount is shown above already.
        amount: releasedAmount === amount ? '' : peso(releasedAmount),
        date: date(releasedAt),
      }),
    deniedOn,
    // Before the release nothing is due, and the release sets new dates.
    releasedAt !== null && !needsAction && dueDate && dashboard.nextDue(date(dueDate)),
    isTurnedDown ? again && (reason ? dashboard.applyAgain : dashboard.askWhy) : !isApproved && text,
  ].filter(Boolean);
  const steps = applicationStepsOf(status, loanStatus, isReleased(loan)).map((step) => ({
    ...step,
    note: step.id === 'submitted' ? dayMonth(createdAt) : undefined,
  }));
  return (
    <Headed
      loan={loan}
      withAmount={isTurnedDown === true}
      isPlain={isPlain}
      lead={
        isApproved ? (
          <>
            <Amount size={44} className="block">
              {peso(amount)}
            </Amount>{' '}
            <span className="block text-20">{dashboard.isApproved}</span>
          </>
        ) : (
          title
        )
      }
      actions={
        <>
          {reason && again?.('primary')}
          {calls && (
            <PhoneLink
              to={supportPhone}
              icon={<PhoneIcon className="max-[22.5rem]:hidden" />}
              className={buttonStyle(leading)}
              asks={dashboard.call}
            />
          )}
          {calls && <p className={`mb-2 text-14 ${soft}`}>{supportHours}</p>}
          {asksFirst && again?.('secondary')}
          {needsAction && (
            <GoLink href={messagesPath} look={isPlain ? 'quiet' : 'quietOnDeep'}>
              {dashboard.ourMessage}
            </GoLink>
          )}
          {quote && !calls && (
            <GoLink href={contractPath(loan.id)} {...leading}>
              {dashboard.openContract}
            </GoLink>
          )}
        </>
      }
      foot={
        !isTurnedDown && (
          <>
            <Steps isStrip steps={steps} label={loanStatus.progress} stateLabels={loanStatus.stepStates} />
            {status === 'approved' && bankAccountNumber && (
              <p className="border-t border-line pt-3 text-14 text-ink-soft">
                {dashboard.whereTo}{' '}
                <b className="inline-block font-semibold text-ink">
                  <bdi>{bankName}</bdi>{' '}
                  <bdi className="whitespace-nowrap">
                    •••• {bankAccountNumber.replace(/[\s-]/g, '').slice(-4)}
                  </bdi>
                </b>
              </p>
            )}
          </>
        )
      }
    >
      {isApproved && (
        <p className="mt-2 max-w-140">
          {title} {text}
        </p>
      )}
      {reason && (
        <p className="mt-3 border-l-3 border-mango pl-3 text-20 wrap-anywhere">
          <span className="block text-14 text-ink-soft">{dashboard.reason}</span>
          {reason}
        </p>
      )}
      {lines.map((line) => (
        <p key={String(line)} className={`mt-2 ${soft}`}>
          {line}
        </p>
      ))}
      {!isTurnedDown && (
        <p className={`mt-4 ${soft}`}>
          {!isApproved && <b className="text-20 max-wide:block">{peso(amount)}</b>}{' '}
          <span>{dashboard.loanTerms(termMonths, peso(monthlyPayment))}</span>
        </p>
      )}
    </Headed>
  );
}
