import { EyeIcon, EyeOffIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { paths } from '#contract/routes.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { BalanceText } from '#web/lib/balance-text.tsx';
import { useFormats } from '#web/lib/format.ts';
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

/** How many characters fit on the smallest phone in the large size: `₱999,999.99` and one more. */
const fitting = 12;

/** The wallet's balance, masked until shown: while hidden, the amount is not in the DOM (§hidden-balance). */
export function BalanceCard({ shown, onShownChange, isQuiet, children }: BalanceCardProps) {
  const { payment, wallet } = useAccountWords();
  const { peso } = useFormats();
  const amount = peso(useUser().balance);
  return (
    <section aria-labelledby="balance-title" className="flex wide:col-span-2">
      <Card
        look={isQuiet ? 'plain' : 'deep'}
        className={classNames(
          'flex min-w-0 grow flex-col gap-4 wide:grid wide:items-center wide:gap-x-8',
          isQuiet ? 'wide:grid-cols-[1fr_auto]' : 'wide:grid-cols-[1fr_20rem] wide:py-7',
        )}
      >
        <div>
          <div className="flex flex-wrap items-center gap-x-3">
            <h2 id="balance-title" className={`text-14 ${isQuiet ? 'text-ink-soft' : 'text-on-deep-soft'}`}>
              {wallet.balance}
            </h2>
            <Button
              look={isQuiet ? 'quiet' : 'quietOnDeep'}
              size="compact"
              className="-my-2.5 -mr-3.5 ml-auto wide:ml-0"
              icon={shown ? <EyeOffIcon /> : <EyeIcon />}
              onClick={() => onShownChange(!shown)}
            >
              {shown ? payment.hideBalance : payment.showBalance}
            </Button>
          </div>
          <p role="status">
            <Amount
              size={isQuiet ? 24 : shown && amount.length > fitting ? 32 : 44}
              className={shown ? 'max-w-full whitespace-normal! wrap-anywhere' : 'tracking-[0.04em]'}
            >
              <BalanceText shown={shown} amount={amount} />
            </Amount>
          </p>
        </div>
        <div
          className={
            isQuiet
              ? '-mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 wide:mt-0'
              : 'flex flex-col gap-2'
          }
        >
          {children}
        </div>
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
    <p className="text-14 text-balance opacity-80">
      {wallet.neverPay}{' '}
      <Link href={paths.help} className={link}>
        {wallet.report}
      </Link>
      . <PhoneLink to={lender().supportPhone} className={link} />
    </p>
  );
}
