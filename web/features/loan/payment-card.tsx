import { type ReactNode, useState } from 'react';
import { paths } from '#contract/routes.ts';
import type { LoanAccount } from '#contract/servicing.ts';
import { daysBetween, type ManilaDate } from '#domain/calendar.ts';
import type { MatTile } from '#domain/mat.ts';
import { centavos } from '#domain/money.ts';
import { useWords } from '#web/lib/home-words.ts';
import { lazyPart } from '#web/lib/lazy-page.ts';
import { LoanMat } from '#web/lib/loan-mat.tsx';
import { extrasOf, nextPayment, type Standing, sentOf, wholeOf } from '#web/lib/loan-standing.ts';
import { amountOf } from '#web/lib/pesos.ts';
import { Amount } from '#web/ui/amount.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { GoLink } from '#web/ui/go-link.tsx';
import { OverdueHead } from './overdue-head.tsx';

const HowToPay = lazyPart(() => import('./how-to-pay.tsx'), 'HowToPay');
const SentPayments = lazyPart(() => import('./sent-payments.tsx'), 'SentPayments');

type PaymentCardProps = {
  loan: { id: number; loanNumber: string };
  standing: Omit<Standing, 'disbursedOn' | 'paid'>;
  tiles: readonly MatTile[];
  asOf: string;
  /** The next instalment as a whole. */
  instalment?: string | undefined;
  heading: 'h2' | 'h3';
  /** A sentence on what follows from paying, or from not paying. */
  advice?: string | undefined;
  /** The day by which to pay what is overdue already. */
  payBy?: string | undefined;
  /** The loan's account, for what the borrower has sent; undefined until it is read. */
  account: LoanAccount | undefined;
  /** Below what leads. */
  isQuiet?: boolean;
  /** Names the loan, where the page does not do so above. */
  title?: (soft: string) => ReactNode;
  /** Between the figures and the button. */
  children?: ReactNode;
};

/** Shows what to pay next, how, and the loan's mat. It leads on Home and on My loan. */
export function PaymentCard(props: PaymentCardProps) {
  const { loan, standing, tiles, asOf, instalment, advice, payBy, title, children } = props;
  const { heading: Heading, account, isQuiet = false } = props;
  const { dashboard, payment, longDate, peso } = useWords();
  const [asked, setAsked] = useState<'all' | 'part'>();
  const next = nextPayment(standing);
  const { dueNow, lateChargesOwed, refundToReturn, leftToPay } = standing;
  const whole = instalment && next?.dueOn && wholeOf(next.amount, instalment);
  const daysTo = (day: string) => daysBetween(asOf as ManilaDate, day as ManilaDate);
  const isLate = next?.dueSince !== undefined;
  const isPlain = isLate || isQuiet;
  const soft = isPlain ? 'text-ink-soft' : 'text-on-deep-soft';
  const due = amountOf(dueNow) - amountOf(lateChargesOwed) - amountOf(refundToReturn);
  const isMixed = amountOf(dueNow) > 0 && due < amountOf(dueNow);
  const parts = [
    [payment.parts.due, due],
    [payment.parts.lateCharges, amountOf(lateChargesOwed)],
    [payment.parts.toReturn, amountOf(refundToReturn)],
  ] as const;
  // A payment that covers what is due leads, and waits for staff.
  const sent = account ? sentOf(account) : 0;
  const waits = sent > 0 && sent >= amountOf(dueNow);
  const news = account && account.submitted.length > 0 && (
    <SentPayments {...{ account, isPlain }} leads={waits} />
  );
  const ask = { onPointerEnter: HowToPay.preload, onFocus: HowToPay.preload };
  return (
    <Card look={isPlain ? 'plain' : 'deep'} padding="none" className="@container overflow-hidden">
      {next?.dueSince && <OverdueHead since={next.dueSince} asOf={asOf} />}
      <div className="p-card @3xl:grid @3xl:grid-cols-[minmax(0,1fr)_20rem] @3xl:gap-x-12">
        <div>
          {title?.(soft)}
          {waits && news}
          <Heading className={isLate ? 'sr-only' : `text-14 ${soft}`}>{payment.next}</Heading>
          {isLate && <p className="text-14 text-ink-soft">{payment.upToDate}</p>}
          {next && (
            <p className="mt-0.5">
              <Amount size={waits ? 24 : isQuiet ? 32 : 44}>{peso(next.amount)}</Amount>
            </p>
          )}
          {whole && (
            <p className={soft}>
              {payment.paidOf(peso(centavos(amountOf(whole) - amountOf(next.amount))), peso(whole))}
            </p>
          )}
          {next?.dueOn ? (
            <p className="mt-1.5 flex flex-wrap items-baseline gap-x-2">
              <span className="font-heading text-20 font-bold">{payment.daysLeft(daysTo(next.dueOn))}</span>
              <span className={soft}>{longDate(next.dueOn)}</span>
            </p>
          ) : (
            !isLate && (
              <p className="font-heading text-20 font-bold">
                {standing.nextDueDate === asOf ? payment.dueToday : payment.dueNow}
              </p>
            )
          )}
          {isMixed && (
            <dl className={`mt-2 text-14 ${soft}`}>
              {parts.map(
                ([term, amount]) =>
                  amount > 0 && (
                    <div key={term} className="flex flex-wrap justify-between gap-x-4">
                      <dt>{term}</dt>
                      <dd className="ml-auto tabular-nums">{peso(centavos(amount))}</dd>
                    </div>
                  ),
              )}
            </dl>
          )}
          {!waits && news}
          {children}
        </div>
        <div className="mt-4 @3xl:col-start-2 @3xl:row-span-2 @3xl:row-start-1 @3xl:mt-0 @3xl:self-end">
          <Button
            look={!(waits || isQuiet) ? 'mango' : isPlain ? 'secondary' : 'deep'}
            size="large"
            wide
            {...ask}
            onClick={() => setAsked('all')}
          >
            {payment.howToPay}
          </Button>
          {isLate && (
            <div className="mt-2.5 grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-2.5">
              <Button look="secondary" wide {...ask} onClick={() => setAsked('part')}>
                {payment.payPart}
              </Button>
              <GoLink href={paths.help} look="secondary" wide>
                {payment.talkToUs}
              </GoLink>
            </div>
          )}
          {advice && <p className={`mt-3 text-14 ${soft}`}>{advice}</p>}
        </div>
        <div>
          <LoanMat
            loanId={loan.id}
            tiles={tiles}
            words={isLate && standing.nextDueDate === asOf ? dashboard.oneDueToday : true}
            className="mt-5 [&_svg]:max-w-none!"
          />
          <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-14">
            <span className={soft}>{dashboard.withExtras(dashboard.left, extrasOf(standing))}</span>{' '}
            <span className="font-semibold tabular-nums">{peso(leftToPay)}</span>
          </p>
        </div>
      </div>
      {asked && next && (
        <HowToPay
          loan={loan}
          amount={next.amount}
          instalment={instalment}
          isDue={amountOf(dueNow) > 0}
          isPart={asked === 'part'}
          payBy={next.dueOn ?? payBy}
          onClose={() => setAsked(undefined)}
          onReopen={() => setAsked(asked)}
        />
      )}
    </Card>
  );
}
