import { EyeIcon, EyeOffIcon, ShieldIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { paths } from '#contract/routes.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { BalanceText } from '#web/lib/balance-text.tsx';
import { lender } from '#web/lib/lender.ts';
import { useUser } from '#web/lib/session.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { PhoneLink } from '#web/ui/contact-link.tsx';

type BalanceCardProps = {
  shown: boolean;
  onShownChange: (shown: boolean) => void;
  /** Another card leads. */
  isQuiet: boolean;
  children: ReactNode;
};

/** The smallest phone fits so many characters in the large size: `₱999,999.99` and one more. */
const fitting = 12;

/** The wallet's balance, masked until shown: while hidden, the amount is not in the DOM (§hidden-balance). */
export function BalanceCard({ shown, onShownChange, isQuiet, children }: BalanceCardProps) {
  const { payment, wallet, peso } = useAccountWords();
  const amount = peso(useUser().balance);
  return (
    <section aria-labelledby="balance-title" className="flex">
      <Card
        look={isQuiet ? 'plain' : 'deep'}
        className={classNames(
          'flex min-w-0 grow flex-col gap-4 wide:grid wide:grid-cols-[1fr_20rem] wide:items-center wide:gap-x-8',
          !isQuiet && 'wide:py-7',
        )}
      >
        <div className="flex flex-wrap items-center gap-x-3">
          <h2
            id="balance-title"
            className={`text-14 wide:w-full ${isQuiet ? 'text-ink-soft' : 'text-on-deep-soft'}`}
          >
            {wallet.balance}
          </h2>
          <Button
            look={isQuiet ? 'quiet' : 'quietOnDeep'}
            size="compact"
            className="-my-2.5 -mr-3.5 ml-auto wide:order-1 wide:ml-0"
            icon={shown ? <EyeOffIcon /> : <EyeIcon />}
            onClick={() => onShownChange(!shown)}
          >
            {shown ? payment.hideBalance : payment.showBalance}
          </Button>
          <p role="status" className="w-full wide:w-auto">
            <Amount
              size={isQuiet ? 24 : shown && amount.length > fitting ? 32 : 44}
              className={shown ? 'max-w-full whitespace-normal! wrap-anywhere' : 'tracking-[0.04em]'}
            >
              <BalanceText shown={shown} amount={amount} />
            </Amount>
          </p>
        </div>
        <div className="flex flex-col gap-2">{children}</div>
        <NeverPay />
      </Card>
    </section>
  );
}

/** The warning against advance-fee fraud, shown in every installation (§never-pay). */
export function NeverPay() {
  const { wallet } = useAccountWords();
  const link = 'py-3 underline underline-offset-2';
  return (
    <p className="flex gap-2.5 border-t border-current/15 pt-3 text-14 wide:col-span-2">
      <ShieldIcon className="mt-0.5 size-4 shrink-0 opacity-80" />
      <span className="opacity-80">
        {wallet.neverPay}{' '}
        <Link href={paths.help} className={link}>
          {wallet.report}
        </Link>
        . <PhoneLink to={lender().supportPhone} className={link} />
      </span>
    </p>
  );
}
