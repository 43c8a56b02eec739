import { type ReactNode, useState } from 'react';
import { paths } from '#contract/routes.ts';
import { BalanceText } from '#web/lib/balance-text.tsx';
import { useWords } from '#web/lib/home-words.ts';
import { amountOf } from '#web/lib/pesos.ts';
import { useUser } from '#web/lib/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, leadTitle } from '#web/ui/card.tsx';
import { GoLink } from '#web/ui/go-link.tsx';

type WalletLineProps = {
  /** The button that pays a loan, shown instead of *Withdraw*. */
  pay: ReactNode;
  /** A loan was only just paid out: withdrawing it is what the borrower came for. */
  isNew: boolean;
};

/** The wallet in one line on Home, hidden until shown, and on the page's deep surface while what is in it is new (§hidden-balance). */
export function WalletLine({ pay, isNew }: WalletLineProps) {
  const { loanStatus, payment, peso } = useWords();
  const { balance } = useUser();
  const [shown, setShown] = useState(false);
  const money =
    amountOf(balance) > 0 &&
    (pay || (
      <GoLink
        href={paths.wallet}
        {...(isNew ? { look: 'mango', size: 'large', wide: true } : { look: 'secondary', size: 'compact' })}
      >
        {payment.withdraw}
      </GoLink>
    ));
  const toggle = (
    <Button
      look={isNew ? 'quietOnDeep' : 'quiet'}
      size="compact"
      aria-label={shown ? payment.hideBalance : payment.showBalance}
      onClick={() => setShown(!shown)}
    >
      {shown ? payment.hide : payment.show}
    </Button>
  );
  return (
    <Card
      look={isNew ? 'deep' : 'plain'}
      padding="none"
      className={`flex flex-wrap items-center gap-x-8 px-card ${isNew ? 'gap-y-4 py-5' : 'gap-y-1 py-3'}`}
    >
      {isNew && <h2 className={`w-full ${leadTitle}`}>{loanStatus.notes.active}</h2>}
      <p role="status" className="min-w-0 grow">
        <span className="block text-14 opacity-80">{payment.inWallet}</span>
        <span className="block font-heading text-20 font-bold tabular-nums wrap-anywhere">
          <BalanceText shown={shown} amount={peso(balance)} />
        </span>
      </p>
      {isNew ? (
        <>
          {toggle}
          <div className="w-full wide:w-80">{money}</div>
        </>
      ) : (
        <div className={`ml-auto flex flex-wrap gap-x-1 ${money ? '' : '-mr-3.5'}`}>
          {toggle}
          {money}
        </div>
      )}
    </Card>
  );
}
