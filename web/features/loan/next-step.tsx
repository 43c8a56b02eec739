import * as api from '#contract/borrower-endpoints.ts';
import { paths, stepPath } from '#contract/routes.ts';
import { daysBetween, type ManilaDate } from '#domain/calendar.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { lender, today } from '#web/lib/lender.ts';
import { isFresh, isOver, useNext } from '#web/lib/loan-next.ts';
import {
  accountOf,
  contractPath,
  isRunning,
  loansInSight,
  myLoanPath,
  nextPayment,
} from '#web/lib/loan-standing.ts';
import { useRead } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import { useVerificationSteps, VerificationLead } from '#web/lib/verification-lead.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { type ButtonStyle, buttonStyle } from '#web/ui/button.tsx';
import { Card, stripTitle } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { PhoneLink } from '#web/ui/contact-link.tsx';
import { GoLink } from '#web/ui/go-link.tsx';
import { OverdueHead } from './overdue-head.tsx';

/**
 * The one thing that comes next, as Home says it: what leads on the wallet, and on the profile before a loan runs.
 * `isHead`: of the card that it is in.
 */
export function NextStep({ isHead = false }: { isHead?: boolean }) {
  const { data: loans } = useRead(api.listOwnLoans);
  const { isNew, isPlain, lateSince, waits, about, sum, title, text, reason, way, calls } = useNextStep(
    loans && loansInSight(loans)[0],
  );
  const { dashboard } = useAccountWords();
  const { supportHours, supportPhone } = lender();
  const soft = isPlain ? 'text-ink-soft' : 'text-on-deep-soft';
  const leading: ButtonStyle = {
    look: lateSince ? 'mango' : isPlain ? 'primary' : waits ? 'deep' : 'mango',
    size: 'large',
    wide: true,
  };
  return (
    <div role="status" className="flex empty:hidden">
      {loans && (
        <Card
          look={isPlain ? 'plain' : 'deep'}
          padding="none"
          className={classNames(
            'flex grow flex-col overflow-hidden',
            isHead && 'rounded-none! border-b border-line shadow-none!',
          )}
        >
          {lateSince && <OverdueHead since={lateSince} asOf={today()} />}
          <div className="flex grow flex-wrap items-center justify-between gap-x-8 gap-y-3 p-card wide:py-5">
            <div className="flex-[1_1_18rem]">
              {isNew ? (
                <VerificationLead isStrip />
              ) : (
                <>
                  {about && <p className={`mb-2 text-14 ${soft}`}>{about}</p>}
                  <h2 className={stripTitle}>{title ?? <Amount size={32}>{sum}</Amount>}</h2>
                  {reason && (
                    <p className="mt-2 border-l-3 border-mango pl-3 text-20 wrap-anywhere">{reason}</p>
                  )}
                  {text && <p className={`mt-1 text-pretty ${soft}`}>{text}</p>}
                </>
              )}
            </div>
            <div className="flex flex-[1_1_18rem] flex-col gap-2 text-center empty:hidden wide:max-w-80">
              {calls && (
                <PhoneLink to={supportPhone} className={buttonStyle(leading)} asks={dashboard.call} />
              )}
              {calls && supportHours && <p className={`text-14 ${soft}`}>{supportHours}</p>}
              {way && (
                <GoLink
                  href={way.href}
                  // A sheet of this very page is no page of its own.
                  replace={way.href.startsWith(`${location.pathname}?`)}
                  {...leading}
                >
                  {way.name}
                </GoLink>
              )}
            </div>
          </div>
        </Card>
      )}
    </div>
  );
}

function useNextStep(loan: Parameters<typeof useNext>[0]) {
  const { dashboard, loanStatus, payment, profile, verification, longDate, peso } = useAccountWords();
  const { balance } = useUser();
  const missing = useVerificationSteps().find((step) => step.missing > 0);
  const { title, text, reason, calls = false } = useNext(loan);
  const account = loan && accountOf(loan);
  if (account && isRunning(account)) {
    const next = nextPayment(account);
    const daysTo = (day: string) => daysBetween(today(), day as ManilaDate);
    if (isFresh(account, balance))
      return { title: loanStatus.notes.active, way: { name: payment.withdraw, href: paths.wallet } };
    const way = { name: payment.howToPay, href: myLoanPath(loan) };
    if (next?.dueSince) {
      const sum = peso(next.amount);
      return { isPlain: true, lateSince: next.dueSince, about: payment.upToDate, sum, way };
    }
    return {
      about: payment.next,
      sum: peso(next?.amount ?? account.leftToPay),
      text: next?.dueOn && `${payment.daysLeft(daysTo(next.dueOn))}\u00a0· ${longDate(next.dueOn)}`,
      // A payment to come does not lead here.
      waits: true,
      way,
    };
  }
  if (loan && !isOver(loan))
    return {
      title,
      // The application below gives its status.
      text:
        loan.status === 'pending'
          ? `${peso(loan.amount)}, ${loan.termMonths} × ${peso(loan.monthlyPayment)}`
          : text,
      calls,
      waits: !loan.isUnagreed,
      ...(loan.quote &&
        !calls &&
        (loan.isUnagreed || loan.status === 'approved') && {
          way: { name: dashboard.openContract, href: contractPath(loan.id) },
        }),
    };
  if (missing) return { isNew: true, way: { name: verification.start, href: stepPath(missing.step) } };
  if (loan && loanStatusFacts(loan.status).isTurnedDown)
    return { isPlain: true, title, text: reason ? dashboard.applyAgain : dashboard.askWhy, reason, calls };
  return {
    title: profile.complete,
    text: profile.completeText,
    way: { name: dashboard.apply, href: paths.dashboard },
  };
}
