import { useWords } from './home-words.ts';

const hiddenAmount = '₱ ••••••';

type BalanceTextProps = {
  shown: boolean;
  amount: string;
  within?: (amount: string) => string;
};

/** Masks the balance until the borrower shows it. While hidden, the amount is not in the DOM. */
export function BalanceText({ shown, amount, within = String }: BalanceTextProps) {
  const { payment } = useWords();
  if (shown) return <span translate="no">{within(amount)}</span>;
  return (
    <>
      <span aria-hidden="true" translate="no">
        {within(hiddenAmount)}
      </span>
      <span className="sr-only">{payment.balanceHidden}</span>
    </>
  );
}
