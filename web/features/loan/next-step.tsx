import { Link } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import { paths, stepPath } from '#contract/routes.ts';
import { daysBetween, type ManilaDate } from '#domain/calendar.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { documentPieces, missingPieces } from '#domain/profile.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { useFormats } from '#web/lib/format.ts';
import { lender, today } from '#web/lib/lender.ts';
import { isFresh, isOver, useNext } from '#web/lib/loan-next.ts';
import {
  accountOf,
  contractPath,
  isRunning,
  loansInSight,
  myLoanPath,
  nextPayment,
  wholeOf,
} from '#web/lib/loan-standing.ts';
import { useRead } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { buttonStyle } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { PhoneLink } from '#web/ui/contact-link.tsx';

/** The one thing that comes next, as Home says it: what leads on wallet and profile. */
export function NextStep() {
  const { data: loans } = useRead(api.listOwnLoans);
  const { isPlain, isLate, waits, about, sum, title, text, reason, way, calls } = useNextStep(
    loans && loansInSight(loans)[0],
  );
  const { dashboard } = useAccountWords();
  const { supportHours, supportPhone } = lender();
  const soft = isPlain ? 'text-ink-soft' : 'text-on-deep-soft';
  const leading = buttonStyle({
    look: isLate ? 'mango' : isPlain ? 'primary' : waits ? 'deep' : 'mango',
    size: 'large',
    wide: true,
  });
  return (
    <div role="status" className="flex empty:hidden">
      {loans && (
        <Card
          look={isPlain ? 'plain' : 'deep'}
          className="flex grow flex-wrap content-between items-center gap-4 *:flex-[1_1_18rem]"
        >
          <div>
            {about && <p className={`text-14 ${soft}`}>{about}</p>}
            <h2 className="font-heading text-[min(1.5rem,6.4vw)] leading-[1.25] font-bold text-balance wide:text-32">
              {title ?? <Amount size={44}>{sum}</Amount>}
            </h2>
            {reason && <p className="mt-2 border-l-3 border-mango pl-3 text-20 wrap-anywhere">{reason}</p>}
            {text && <p className={`mt-1 ${isLate ? 'font-bold text-bad' : soft}`}>{text}</p>}
          </div>
          <div className="flex flex-col gap-2 text-center empty:hidden">
            {calls && <PhoneLink to={supportPhone} className={leading} asks={dashboard.call} />}
            {calls && supportHours && <p className={`text-14 ${soft}`}>{supportHours}</p>}
            {way && (
              <Link href={way.href} className={leading}>
                {way.name}
              </Link>
            )}
          </div>
        </Card>
      )}
    </div>
  );
}

type Shown = Partial<Record<'isPlain' | 'isLate' | 'calls' | 'waits', boolean>> &
  Partial<Record<'about' | 'text' | 'reason', string | false>> &
  Partial<Record<'sum' | 'title', string>> & { way?: { name: string; href: string } };

function useNextStep(loan: Parameters<typeof useNext>[0]): Shown {
  const { dashboard, loanStatus, payment, profile, verification } = useAccountWords();
  const { date, longDate, peso } = useFormats();
  const user = useUser();
  const { title, text, reason, calls = false } = useNext(loan);
  const account = loan && accountOf(loan);
  if (account && isRunning(account)) {
    const next = nextPayment(account);
    const daysTo = (day: string) => daysBetween(today(), day as ManilaDate);
    if (isFresh(account, user.balance))
      return { title: loanStatus.notes.active, way: { name: payment.withdraw, href: paths.wallet } };
    const way = { name: payment.howToPay, href: myLoanPath(loan) };
    if (next?.dueSince) {
      const since = payment.since({ date: date(next.dueSince), days: -daysTo(next.dueSince) });
      const text = `${dashboard.overdue} ${since}`;
      return { isPlain: true, isLate: true, about: payment.upToDate, sum: peso(next.amount), text, way };
    }
    const whole = next?.dueOn && wholeOf(next.amount, loan.monthlyPayment);
    return {
      about: whole ? `${payment.next} · ${payment.leftOf(peso(whole))}` : payment.next,
      sum: peso(next?.amount ?? account.leftToPay),
      text: next?.dueOn && `${payment.daysLeft(daysTo(next.dueOn))} · ${longDate(next.dueOn)}`,
      way,
    };
  }
  if (loan && !isOver(loan))
    return {
      title,
      // The application beside it says what is under way.
      text: loan.status !== 'pending' && text,
      calls,
      waits: !loan.isUnagreed,
      ...(loan.quote &&
        !calls &&
        (loan.isUnagreed || loan.status === 'approved') && {
          way: { name: dashboard.openContract, href: contractPath(loan.id) },
        }),
    };
  const missing = missingPieces(user);
  if (missing.length > 0) {
    const photos = documentPieces.filter((piece) => missing.includes(piece)).length;
    const left = Number(photos > 0) + Number(missing.length > photos);
    return {
      about: verification.notVerified,
      title: verification.twoSteps,
      text: `${verification.stepsDone(2 - left)}. ${left > 1 ? verification.stepsLead : verification.stepLead}`,
      way: { name: verification.start, href: stepPath(missing.length > photos ? 'about' : 'photos') },
    };
  }
  if (loan && loanStatusFacts(loan.status).isTurnedDown)
    return { isPlain: true, title, text: dashboard.applyAgain, reason, calls };
  return {
    title: profile.complete,
    text: profile.completeText,
    way: { name: dashboard.apply, href: paths.dashboard },
  };
}
