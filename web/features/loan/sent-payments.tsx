import type { LoanAccount } from '#contract/servicing.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { sentOf } from '#web/lib/loan-standing.ts';
import { Amount } from '#web/ui/amount.tsx';
import { Mat } from '#web/ui/mat-drawing.tsx';

/** The tile of a payment that waits for confirmation: half woven. */
export const HalfWoven = () => (
  <Mat tiles={['sent']} className="size-12 max-w-none! shrink-0 overflow-visible" />
);

type Props = {
  account: LoanAccount;
  /** Nothing else is due, so it leads the card. */
  leads: boolean;
  isPlain: boolean;
};

/** Says what becomes of payments that the borrower sent: the newest was not confirmed, others wait (§own-payments). */
export function SentPayments({ account, leads, isPlain }: Props) {
  const { myLoan, pay, date, peso } = useAccountWords();
  const waiting = account.submitted.filter(({ status }) => status === 'submitted');
  const [newest] = account.payments.toSorted((one, other) => other.id - one.id);
  const refused = account.submitted.find(({ id, status }) => id === newest?.id && status === 'rejected');
  const soft = isPlain ? 'text-ink-soft' : 'text-on-deep-soft';
  const [first, ...others] = waiting;
  return (
    <>
      {refused && (
        <div
          role="status"
          className="my-3 rounded-control border-l-4 border-bad bg-bad-tint px-4 py-3 text-14 text-ink"
        >
          <b className="block text-bad">
            {pay.notConfirmed({ amount: peso(refused.amount), date: date(refused.paidOn) })}
          </b>
          {refused.note && (
            <span className="block wrap-anywhere">
              {pay.note} {refused.note}
            </span>
          )}
          {pay.sendAgain}
        </div>
      )}
      {first && (
        <div
          role="status"
          className={
            leads
              ? `mb-4 border-b pb-4 ${isPlain ? 'border-line' : 'border-on-deep/20'}`
              : `mt-3 rounded-control px-4 py-3 ${isPlain ? 'bg-sunken' : 'bg-on-deep/10'}`
          }
        >
          <div className="flex items-center gap-3.5">
            <HalfWoven />
            <p
              className={`font-heading font-bold text-balance ${leads ? 'text-24 leading-[1.2]' : 'text-16'}`}
            >
              {pay.waiting}
            </p>
          </div>
          <p className={leads ? 'mt-2' : 'mt-1'}>
            <Amount size={leads ? 44 : 24}>{peso(sentOf(account))}</Amount>
          </p>
          {waiting.map(({ id, amount, channel, paidOn }) => (
            <p key={id} className={`text-14 ${soft}`}>
              {[others.length > 0 && peso(amount), myLoan.channels[channel], myLoan.paidOn(date(paidOn))]
                .filter(Boolean)
                .join(' · ')}
            </p>
          ))}
          {leads && (
            <p className="mt-2 text-14">
              {pay.waitingText(date(first.paidOn))} {pay.notAgain}
            </p>
          )}
        </div>
      )}
    </>
  );
}
