import { useAccountWords } from '#web/lib/account-words.ts';
import { useFormats } from '#web/lib/format.ts';
import { useUser } from '#web/lib/session.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EyeIcon, EyeOffIcon } from '#web/ui/icons.tsx';
import { BalanceText } from './balance-text.tsx';
import { NeverPay } from './never-pay.tsx';
import { WithdrawMoney } from './withdraw-money.tsx';

type Props = { shown: boolean; onShownChange: (shown: boolean) => void };

/** What is in the wallet, as dots until asked for: the hidden amount is not in the page at all (spec section 9). */
export function BalanceCard({ shown, onShownChange }: Props) {
  const { wallet } = useAccountWords();
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
            icon={
              shown ? <EyeOffIcon className="size-4.5 shrink-0" /> : <EyeIcon className="size-4.5 shrink-0" />
            }
            onClick={() => onShownChange(!shown)}
          >
            {shown ? wallet.hideBalance : wallet.showBalance}
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
        <WithdrawMoney balanceShown={shown} />
        <div className="mt-3">
          <NeverPay />
        </div>
      </Card>
    </section>
  );
}
