import { useEffect, useState } from 'react';
import { useAccountWords } from '#web/lib/all-words.ts';
import { lazyPart } from '#web/lib/lazy-page.ts';
import type { BalanceShown } from '#web/lib/money-dialog.tsx';
import { amountOf } from '#web/lib/pesos.ts';
import { Button } from '#web/ui/button.tsx';
import { useFunds } from './funds.ts';

const WithdrawMoney = lazyPart(() => import('./withdraw-money.tsx'), 'WithdrawMoney');

/** Opens the dialogs of a withdrawal (§withdrawing). They are fetched after the page, or when pressed before. */
export function WithdrawButton({ isLater, ...shown }: BalanceShown & { isLater: boolean }) {
  const { withdrawal } = useAccountWords();
  const { balance, readBalance, tellTooLittle } = useFunds();
  const [looking, setLooking] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useEffect(WithdrawMoney.preload, []);

  async function start() {
    setLooking(true);
    // Re-read an apparently empty balance first: money may have arrived since the page opened.
    const isCovered = amountOf(balance) > 0 || amountOf((await readBalance()) ?? balance) > 0;
    if (isCovered) await WithdrawMoney.load();
    setLooking(false);
    if (isCovered) setOpen(true);
    else tellTooLittle();
  }

  const isEmpty = amountOf(balance) <= 0;
  // While the balance is hidden, nothing says that there is none.
  const saysEmpty = isEmpty && shown.balanceShown;
  return (
    <>
      {/* Can be pressed: it checks whether money has arrived (§withdrawing). */}
      <Button
        look={isEmpty ? 'secondary' : isLater ? 'quietOnDeep' : 'mango'}
        size="large"
        wide
        busy={looking}
        aria-describedby={saysEmpty ? 'nothing-to-withdraw' : undefined}
        onClick={() => void start()}
      >
        {withdrawal.start}
      </Button>
      {saysEmpty && (
        <p id="nothing-to-withdraw" className="text-center text-14 text-ink-soft">
          {withdrawal.nothing}
        </p>
      )}
      {isOpen && <WithdrawMoney {...shown} onClose={() => setOpen(false)} onReopen={() => setOpen(true)} />}
    </>
  );
}
