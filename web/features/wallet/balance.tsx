import { EyeIcon, EyeOffIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAccountWords } from '#web/lib/all-words.ts';
import { BalanceText } from '#web/lib/balance-text.tsx';
import { useFormats } from '#web/lib/format.ts';
import { useUser } from '#web/lib/session.tsx';
import { SupportContact } from '#web/lib/support-contact.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';

type BalanceCardProps = { shown: boolean; onShownChange: (shown: boolean) => void; children: ReactNode };

/** The wallet's balance, masked until shown: while hidden, the amount is not in the DOM (§hidden-balance). */
export function BalanceCard({ shown, onShownChange, children }: BalanceCardProps) {
  const { payment, wallet } = useAccountWords();
  const { peso } = useFormats();
  const { balance } = useUser();
  return (
    <section aria-labelledby="balance-title">
      <Card padding="roomy" className="pb-3">
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <h2 id="balance-title" className="text-14 text-ink-soft">
            {wallet.balance}
          </h2>
          <Button
            look="quiet"
            size="compact"
            className="-mr-3 ml-auto"
            icon={shown ? <EyeOffIcon /> : <EyeIcon />}
            onClick={() => onShownChange(!shown)}
          >
            {shown ? payment.hideBalance : payment.showBalance}
          </Button>
        </div>
        <p role="status" className="mb-4">
          <Amount
            size={40}
            className={shown ? 'max-w-full whitespace-normal wrap-anywhere' : 'tracking-[0.08em]'}
          >
            <BalanceText shown={shown} amount={peso(balance)} />
          </Amount>
        </p>
        {children}
        <div className="mt-3">
          <NeverPay />
        </div>
      </Card>
    </section>
  );
}

/** The warning against advance-fee fraud, shown in every installation (§never-pay). */
export function NeverPay() {
  const { wallet } = useAccountWords();
  return (
    <div className="text-center text-ink-soft">
      <p className="text-12 text-balance">{wallet.neverPay}</p>
      <SupportContact />
    </div>
  );
}
