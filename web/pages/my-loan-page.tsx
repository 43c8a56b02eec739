import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import type { Loan } from '#contract/loan.ts';
import * as calls from '#contract/loan-account-endpoints.ts';
import { paths } from '#contract/routes.ts';
import type { LoanAccount } from '#contract/servicing.ts';
import { addDays, type ManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { pesosText } from '#domain/money.ts';
import { EarlySettlement } from '#web/features/loan/early-settlement.tsx';
import { InstalmentSplit } from '#web/features/loan/instalment-split.tsx';
import { PaymentCard } from '#web/features/loan/payment-card.tsx';
import { AccountPapers, PaymentList } from '#web/features/loan/payment-list.tsx';
import { useAccountWords } from '#web/lib/all-words.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { deferredMonthsOf, isChargeGrowing, leftToPayOf } from '#web/lib/loan-account.ts';
import { LoanMat } from '#web/lib/loan-mat.tsx';
import {
  accountMatOf,
  accountOf,
  isPaidOff,
  isRunning,
  myLoanPath,
  shownLoan,
} from '#web/lib/loan-standing.ts';
import { loanStatusTone, loanStatusWord } from '#web/lib/loan-status.ts';
import { MoreButton, useOlderRows } from '#web/lib/older-rows.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { amountOf, signedAmountOf } from '#web/lib/pesos.ts';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { ReadTime } from '#web/lib/read-time.tsx';
import { SupportContact } from '#web/lib/support-contact.tsx';
import { Column, Columns } from '#web/ui/borrower-frame.tsx';
import { Card, CardSection } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { EmptyLoom } from '#web/ui/empty-loom.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { GoLink } from '#web/ui/go-link.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Skeleton, SkeletonText } from '#web/ui/skeleton.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';

/** A disbursed loan: what is due and how to pay it, what was paid, what paying it off costs (§my-loan). */
export default function MyLoanPage() {
  const { myLoan, shell } = useAccountWords();
  const asked = new URLSearchParams(useSearch()).get('loan');
  const read = useRead(api.listOwnLoans, { anew: true });
  const { rows, more } = useOlderRows(api.listOwnLoans, read.data ?? []);
  const loan = shownLoan(rows, asked);
  return (
    <>
      <PageHead
        title={shell.myLoan}
        reads={[api.listOwnLoans, calls.readLoanAccount, calls.readSettlement]}
      />
      <QueryStates query={read} skeleton={accountShape} failedTitle={myLoan.failed} framed>
        {() => (
          <>
            {loan ? <ShownLoan loan={loan} loans={rows} /> : <NoLoan />}
            {more}
          </>
        )}
      </QueryStates>
    </>
  );
}

function ShownLoan({ loan, loans }: { loan: Loan; loans: readonly Loan[] }) {
  const { dashboard, loanStatus, myLoan, peso } = useAccountWords();
  const [, navigate] = useLocation();
  const read = useRead(calls.readLoanAccount, { params: { id: loan.id }, enabled: false });
  const disbursed = loans.filter(({ account }) => account !== null);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        {disbursed.length > 1 ? (
          <SelectField
            label={myLoan.which}
            labelHidden
            fieldClassName="grow wide:max-w-100"
            value={loan.loanNumber}
            onChange={(event) => navigate(myLoanPath({ loanNumber: event.currentTarget.value }))}
            options={disbursed.map(({ loanNumber: value, amount }) => ({
              value,
              label: `${value} · ${peso(amount)}`,
            }))}
          />
        ) : (
          <p className="text-14 text-ink-soft">
            {dashboard.loanNumber(loan.loanNumber)}
            {' · '}
            {peso(loan.amount)}
          </p>
        )}
        <StatusChip wraps tone={loanStatusTone(loan.status)}>
          {loanStatusWord(loan.status, loanStatus)}
        </StatusChip>
        <div className="ml-auto">
          <ReadTime at={read.dataUpdatedAt} />
        </div>
      </div>
      {accountOf(loan) ? <Account key={loan.id} loan={loan} /> : <NoAccount loan={loan} />}
    </>
  );
}

function NoLoan() {
  const { dashboard, myLoan } = useAccountWords();
  return (
    <Card>
      <EmptyLoom count={24} />
      <h2 className="mt-4 font-heading text-24 font-bold">{dashboard.noLoan}</h2>
      <p className="text-ink-soft">{myLoan.notReleasedText}</p>
      <GoLink href={paths.dashboard} size="large" wide className="mt-4">
        {dashboard.apply}
      </GoLink>
    </Card>
  );
}

/**
 * Stands for the account of a loan that was not released, was taken back, or was released or paid back
 * without the books of this product.
 */
function NoAccount({ loan }: { loan: Loan }) {
  const { dashboard, loanStatus, myLoan } = useAccountWords();
  const isRepaid = !loan.account && loanStatusFacts(loan.status).isRepaid;
  const isElsewhere = loan.releasedAt !== null || loanStatusFacts(loan.status).isOut;
  const [title, text, link, href] = loan.account
    ? [myLoan.cancelled, myLoan.cancelledText, myLoan.follow, paths.wallet]
    : isRepaid
      ? [dashboard.closed, loanStatus.completedByHand, myLoan.toSchedule, `${paths.profile}#papers`]
      : isElsewhere
        ? [myLoan.elsewhere, myLoan.elsewhereText, myLoan.toSchedule, `${paths.profile}#papers`]
        : [myLoan.notReleased, myLoan.notReleasedText, myLoan.follow, paths.wallet];
  return (
    <Card padding="none">
      <div className="px-card pt-6">
        {/* Nothing says here what was paid on it. */}
        <EmptyLoom count={loan.dueDates.length} />
      </div>
      <EmptyState
        title={title}
        action={
          <>
            <GoLink href={href} look="secondary">
              {link}
            </GoLink>
            {(isElsewhere || isRepaid) && <SupportContact className="mt-2 justify-center" />}
          </>
        }
      >
        {text}
      </EmptyState>
    </Card>
  );
}

function Account({ loan }: { loan: Loan }) {
  const { myLoan } = useAccountWords();
  const read = useRead(calls.readLoanAccount, { params: { id: loan.id }, anew: true });
  const isHere = read.data !== undefined;
  useEffect(() => {
    if (isHere) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isHere]);
  return (
    <QueryStates query={read} skeleton={accountShape} failedTitle={myLoan.failed} framed staleFirst>
      {(account) => {
        const isOver = isPaidOff(account.account);
        const isLate = dueSinceOf(account) !== null;
        const papers = <AccountPapers account={account} />;
        const everything = !isOver && (
          <EarlySettlement key={account.asOf} account={account} isFolded={isLate} />
        );
        return (
          <>
            {isRunning(account.account) && <NextPayment account={account} />}
            {isOver && <PaidOff account={account} />}
            <Columns>
              <Column>
                {isOver && papers}
                {isCharged(account) && <LateCharges account={account} />}
                <Instalments account={account} isFolded={isOver} />
                {!isCharged(account) && <LateCharges account={account} />}
              </Column>
              <Column>
                {!isLate && everything}
                <PaymentList account={account} />
                {isLate && everything}
                {!isOver && papers}
              </Column>
            </Columns>
            {!isOver && <Split account={account} />}
          </>
        );
      }}
    </QueryStates>
  );
}

const isCharged = ({ account }: LoanAccount) => amountOf(account.lateChargesOwed) > 0;

const dueSinceOf = ({ asOf, instalments }: LoanAccount) =>
  instalments.find(({ left, dueDate }) => amountOf(left) > 0 && dueDate < asOf)?.dueDate ?? null;

function NextPayment({ account }: { account: LoanAccount }) {
  const { myLoan, payment, date, peso } = useAccountWords();
  const { account: figures, asOf, servicing: terms } = account;
  const dueSince = dueSinceOf(account);
  const graceEnd = dueSince && addDays(dueSince as ManilaDate, terms.graceDays);
  const isFree = graceEnd !== null && graceEnd >= asOf && amountOf(figures.lateChargesOwed) === 0;
  const isWrittenOff = figures.state === 'written_off';
  const advice = isWrittenOff
    ? payment.writtenOff
    : isFree
      ? myLoan.noChargeBy(date(graceEnd))
      : dueSince
        ? payment.stopCharge
        : undefined;
  const isNextLater =
    amountOf(figures.dueNow) > 0 && figures.nextDueDate !== null && figures.nextDueDate > asOf;
  return (
    <section aria-label={payment.next}>
      <PaymentCard
        heading="h2"
        loan={{ id: account.loanId, loanNumber: account.loanNumber }}
        standing={{ ...figures, dueSince, leftToPay: pesosText(leftToPayOf(account)) }}
        tiles={accountMatOf(account)}
        asOf={asOf}
        instalment={account.instalments.find(({ left }) => amountOf(left) > 0)?.amount}
        advice={advice}
        account={account}
        payBy={isFree && !isWrittenOff ? graceEnd : undefined}
      >
        {amountOf(figures.refundToReturn) > 0 && (
          <p className="mt-2 text-14">
            {myLoan.returnWhy({ amount: peso(figures.refundToReturn), where: refundedTo(account) })}
          </p>
        )}
        {isNextLater && figures.nextDueDate && (
          <p className="mt-2 text-14 opacity-80">
            {myLoan.after({ amount: peso(figures.nextDueAmount), date: date(figures.nextDueDate) })}
          </p>
        )}
      </PaymentCard>
    </section>
  );
}

/** Tells where refunds went. */
function refundedTo({ events }: LoanAccount): 'wallet' | 'cash' | 'both' {
  const refunds = events.filter(({ kind, isReversed }) => kind === 'refund' && !isReversed);
  if (refunds.every(({ auto }) => auto)) return 'wallet';
  return refunds.some(({ auto }) => auto) ? 'both' : 'cash';
}

function PaidOff({ account }: { account: LoanAccount }) {
  const { myLoan, date, peso } = useAccountWords();
  const { closedOn: on } = account;
  const { rebate } = account.account;
  return (
    <section aria-labelledby="paid-off-title">
      <Card look="deep">
        <LoanMat loanId={account.loanId} tiles={accountMatOf(account)} />
        <h2 id="paid-off-title" className="mt-4 font-heading text-32 font-bold wide:text-48">
          {myLoan.paidOff}
        </h2>
        <p className="mt-1">{myLoan.paidOffThanks}</p>
        <p className="mt-1 text-14 text-on-deep-soft">
          {[on && `${myLoan.paidOffOn(date(on))}.`, amountOf(rebate) > 0 && myLoan.saved(peso(rebate))]
            .filter(Boolean)
            .join(' ')}
        </p>
      </Card>
    </section>
  );
}

/** `isFolded`: nothing in it is left to be done. */
function Instalments({ account, isFolded = false }: { account: LoanAccount; isFolded?: boolean }) {
  const { instalments, disbursedOn } = account;
  const deferred = deferredMonthsOf(account);
  const { contractText, myLoan, papers, payment, date, peso } = useAccountWords();
  const [all, setAll] = useState(false);
  // Two more while the settlement is open in the column beside it.
  const most = isFolded ? 0 : limits.instalmentsShown + (account.account.state === 'overdue' ? 0 : 2);
  const isLong = instalments.length > most;
  const firstUnpaid = instalments.findIndex(({ left }) => amountOf(left) > 0);
  const from = Math.max(0, Math.min(firstUnpaid - 1, instalments.length - most));
  const shown = isLong && !all ? instalments.slice(from, from + most) : instalments;
  return (
    <CardSection
      title={myLoan.instalments}
      action={
        isLong && <MoreButton all={all} onAll={setAll} count={instalments.length} controls="instalments" />
      }
      className={classNames('@container py-1.5', isFolded && !all && 'hidden')}
    >
      {/* Large text on a phone puts an amount below its day. */}
      <table id="instalments" className="w-full text-14 @max-[13rem]:block">
        <caption className="sr-only">{myLoan.instalments}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{papers.number}</th>
            <th scope="col">{papers.dueDate}</th>
            <th scope="col">{papers.amount}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line @max-[13rem]:block">
          {shown.map(({ number, dueDate, amount, left, paid, status }) => (
            <tr key={number} className="@max-[13rem]:flex @max-[13rem]:flex-wrap">
              <td className="w-7 py-3 align-top text-ink-soft tabular-nums">{number}</td>
              <td className="py-2.5 align-top">
                <span className="flex min-h-6.5 flex-wrap items-center gap-x-3 gap-y-1">
                  <span className="min-w-22">{date(dueDate)}</span>
                  {status === 'pending' ? (
                    <span className="text-12 text-ink-soft">
                      {dueDate === account.asOf ? payment.dueToday : papers.rowStatuses[status]}
                    </span>
                  ) : (
                    <StatusChip wraps tone={tones.instalment[status]}>
                      {papers.rowStatuses[status]}
                    </StatusChip>
                  )}
                </span>
              </td>
              <td className="ml-auto py-3 pl-2 text-right align-top">
                <span className="font-semibold tabular-nums">{peso(amount)}</span>
                {amountOf(paid) > 0 && amountOf(left) > 0 && (
                  <span className="block text-12 text-ink-soft">{myLoan.leftOf(peso(left))}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {disbursedOn && (
        <p className="border-t border-line py-3 text-12 text-ink-soft">
          {contractText.dates({ startDate: date(disbursedOn), isDisbursed: true })}
          {deferred > 0 && ` ${contractText.deferred(deferred)}`}
        </p>
      )}
    </CardSection>
  );
}

/** Shows what of each instalment is interest, while there are instalments to come. */
function Split({ account: { instalments } }: { account: LoanAccount }) {
  const { myLoan } = useAccountWords();
  const next = instalments.findIndex(({ left }) => amountOf(left) > 0);
  const rows = instalments.map(({ dueDate, interest, principal }) => ({
    dueDate,
    interest: signedAmountOf(interest),
    principal: amountOf(principal),
  }));
  return (
    <CardSection title={myLoan.split.title} className="pb-1.5">
      <InstalmentSplit rows={rows} next={next < 0 ? instalments.length : next} />
    </CardSection>
  );
}

/** Lists the instalments with a late charge, since when and why they have it, and what became of it. */
function LateCharges({ account }: { account: LoanAccount }) {
  const { myLoan, payment, date, peso } = useAccountWords();
  const { lateCharges, account: figures, servicing: terms } = account;
  const charged = lateCharges.filter(({ charge }) => amountOf(charge) > 0);
  if (charged.length === 0) return null;
  const totals = [
    { term: myLoan.chargesPaid, amount: figures.lateChargesPaid },
    { term: myLoan.chargesWaived, amount: figures.lateChargesWaived },
    { term: myLoan.chargesOwed, amount: figures.lateChargesOwed },
  ].filter(({ amount }) => amountOf(amount) > 0);
  // A single charge is its own total.
  const single = charged.length === 1 && totals.length === 1 ? totals[0]?.term : undefined;
  return (
    <CardSection title={payment.parts.lateCharges}>
      {!single && (
        <div className="mb-3 border-b border-line pb-3">
          <DefinitionRows
            size={14}
            rows={totals.map(({ term, amount }) => ({ term, value: peso(amount) }))}
          />
        </div>
      )}
      <ul className="flex flex-col gap-3 text-14">
        {charged.map((late) => (
          <li key={late.number}>
            <p className="flex flex-wrap justify-between gap-x-4 font-semibold">
              <span>{[myLoan.instalment(late.number), single].filter(Boolean).join(' · ')}</span>
              <span className="tabular-nums">{peso(late.charge)}</span>
            </p>
            <p className="text-ink-soft">
              {myLoan.began({ due: date(late.dueDate), grace: date(late.graceEnd) })}
              {!isChargeGrowing(account, late) && ` ${myLoan.chargeOver}`}
            </p>
          </li>
        ))}
      </ul>
      {isCharged(account) && (
        <p className="mt-3 text-12 text-ink-soft">
          {myLoan.lateRule({ rate: String(terms.lateChargeRate), cap: String(terms.lateChargeCapPercent) })}
        </p>
      )}
    </CardSection>
  );
}

const accountShape = (
  <>
    <Card look="deep" className="[&_span]:bg-on-deep/25">
      <Skeleton className="h-53" />
    </Card>
    <Card>
      <SkeletonText lines={12} />
    </Card>
  </>
);
