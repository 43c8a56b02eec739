import { Button } from '#web/ui/button.tsx';
import { useAccountWords } from './all-words.ts';
import { BalanceText } from './balance-text.tsx';
import { useFormats } from './format.ts';
import { useUser } from './session.tsx';

type BalanceLineProps = { shown: boolean; onShownChange: (shown: boolean) => void };

/** The balance where an amount is chosen, hidden until it is shown there or on the wallet (§hidden-balance). */
export function BalanceLine({ shown, onShownChange }: BalanceLineProps) {
  const { payment, withdrawal } = useAccountWords();
  const { peso } = useFormats();
  const { balance } = useUser();
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-3 text-14 text-ink-soft">
      <span role="status">
        <BalanceText shown={shown} amount={peso(balance)} within={withdrawal.inWallet} />
      </span>
      <Button
        look="quiet"
        size="compact"
        className="-my-3 -mr-3.5 ml-auto"
        onClick={() => onShownChange(!shown)}
      >
        {shown ? payment.hideBalance : payment.showBalance}
      </Button>
    </p>
  );
}
