import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { paths } from '#contract/routes.ts';
import { BalanceText } from '#web/lib/balance-text.tsx';
import { useWords } from '#web/lib/home-words.ts';
import { amountOf } from '#web/lib/loan-standing.ts';
import { useUser } from '#web/lib/session.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { buttonStyle, QuietButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';

type WalletLineProps = {
  /** The button that pays a loan, shown instead of *Withdraw*. */
  pay: ReactNode;
  /** What was only just paid out: withdrawing it is what the borrower came for. */
  released: string | undefined;
};

/** The wallet in one line on Home, hidden until shown (§hidden-balance). */
export function WalletLine({ pay, released }: WalletLineProps) {
  const { loanStatus, payment, peso } = useWords();
  const { balance } = useUser();
  const [shown, setShown] = useState(false);
  const money =
    amountOf(balance) > 0 &&
    (pay || (
      <Link
        href={paths.wallet}
        className={buttonStyle(
          released === undefined
            ? { look: 'secondary', size: 'compact' }
            : { look: 'mango', size: 'large', wide: true },
        )}
      >
        {payment.withdraw}
      </Link>
    ));
  if (released !== undefined)
    return (
      <Card
        look="deep"
        className="flex flex-col gap-4 wide:flex-row wide:items-center wide:justify-between wide:gap-8"
      >
        <h2 className="font-heading font-bold text-balance wide:text-20">
          <Amount size={44} className="block">
            {released}
          </Amount>
          {loanStatus.notes.active}
        </h2>
        <div className="wide:w-80 wide:shrink-0">{money}</div>
      </Card>
    );
  return (
    <Card padding="none" className="flex flex-wrap items-center gap-x-8 gap-y-1 px-card py-3">
      <p role="status" className="min-w-0 grow">
        <span className="block text-14 opacity-80">{payment.inWallet}</span>
        <span className="block font-heading text-20 font-bold tabular-nums wrap-anywhere">
          <BalanceText shown={shown} amount={peso(balance)} />
        </span>
      </p>
      <div className={`ml-auto flex flex-wrap gap-x-1 ${money ? '' : '-mr-3.5'}`}>
        <QuietButton
          aria-label={shown ? payment.hideBalance : payment.showBalance}
          onClick={() => setShown(!shown)}
        >
          {shown ? payment.hide : payment.show}
        </QuietButton>
        {money}
      </div>
    </Card>
  );
}
