import { useAccountWords } from '#web/lib/account-words.ts';

const hiddenAmount = '₱ ••••••';

type Props = {
  shown: boolean;
  amount: string;
  /** What stands around the amount, where it is part of a sentence. */
  within?: (amount: string) => string;
};

/** An amount that tells of the balance: dots until the borrower shows it. Hidden, it is not in the page at all. */
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
