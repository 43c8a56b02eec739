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
import { PhoneLink } from '#web/ui/contact-link.tsx';

type BalanceCardProps = { shown: boolean; onShownChange: (shown: boolean) => void; children: ReactNode };

/** As many characters as the smallest phone has room for in the large size: `₱999,999.99`, and one more. */
const fitting = 12;

/** The wallet's balance, masked until shown: while hidden, the amount is not in the DOM (§hidden-balance). */
export function BalanceCard({ shown, onShownChange, children }: BalanceCardProps) {
  const { payment, wallet } = useAccountWords();
  const { peso } = useFormats();
  const { balance } = useUser();
  const amount = peso(balance);
  return (
    <section aria-labelledby="balance-title">
      <Card look="deep" padding="roomy" className="pb-2">
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <h2 id="balance-title" className="text-14 text-on-deep-soft">
            {wallet.balance}
          </h2>
          <Button
            look="quietOnDeep"
            size="compact"
            className="-mr-3.5 ml-auto"
            icon={shown ? <EyeOffIcon /> : <EyeIcon />}
            onClick={() => onShownChange(!shown)}
          >
            {shown ? payment.hideBalance : payment.showBalance}
          </Button>
        </div>
        <p role="status" className="mb-4">
          <Amount
            size={shown && amount.length > fitting ? 32 : 44}
            className={shown ? 'max-w-full whitespace-normal! wrap-anywhere' : 'tracking-[0.08em]'}
          >
            <BalanceText shown={shown} amount={amount} />
          </Amount>
        </p>
        {children}
        <div className="my-3">
          <NeverPay soft="text-on-deep-soft" />
        </div>
      </Card>
    </section>
  );
}

/** The warning against advance-fee fraud, shown in every installation (§never-pay). */
export function NeverPay({ soft = 'text-ink-soft' }: { soft?: string }) {
  const { wallet } = useAccountWords();
  const link = 'py-3 underline underline-offset-2';
  return (
    <p className={`text-center text-12 text-balance ${soft}`}>
      {wallet.neverPay}{' '}
      <Link href={paths.help} className={link}>
        {wallet.report}
      </Link>
      . <PhoneLink to={lender().supportPhone} className={link} />
    </p>
  );
}
