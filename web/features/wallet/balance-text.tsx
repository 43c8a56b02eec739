import { useAccountWords } from '#web/lib/account-words.ts';

const hiddenAmount = '₱ ••••••';

type Props = {
  shown: boolean;
  amount: string;
  within?: (amount: string) => string;
};

/** Masked until the borrower shows the balance. While hidden, the amount is not in the DOM. */
export function BalanceText({ shown, amount, within = String }: Props) {
  const { wallet } = useAccountWords();
  if (shown) return within(amount);
  return (
    <>
      <span aria-hidden="true">{within(hiddenAmount)}</span>
      <span className="sr-only">{wallet.balanceHidden}</span>
    </>
  );
}
