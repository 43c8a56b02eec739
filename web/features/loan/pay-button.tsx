import { useState } from 'react';
import type { Loan } from '#contract/loan.ts';
import { useWords } from '#web/lib/home-words.ts';
import { lazyPart } from '#web/lib/lazy-page.ts';
import { accountOf, nextPayment } from '#web/lib/loan-standing.ts';
import { Button, type ButtonProps } from '#web/ui/button.tsx';

const PayFromWallet = lazyPart(() => import('./pay-from-wallet.tsx'), 'PayFromWallet');

/** Pays from the wallet; it leads in place of *Withdraw* while something is due. */
export function PayButton({ loan, ...look }: { loan: Loan } & Pick<ButtonProps, 'look' | 'size' | 'wide'>) {
  const { payment } = useWords();
  const [isOpen, setOpen] = useState(false);
  const preload = PayFromWallet.preload;
  const account = accountOf(loan);
  return (
    <>
      <Button {...look} onFocus={preload} onPointerEnter={preload} onClick={() => setOpen(true)}>
        {payment.fromWallet}
      </Button>
      {isOpen && (
        <PayFromWallet
          loan={loan}
          amount={(account && nextPayment(account)?.amount) ?? ''}
          onClose={() => setOpen(false)}
          onReopen={() => setOpen(true)}
        />
      )}
    </>
  );
}
