import { allocationOf, type ReceiptFigures } from '#domain/allocation.ts';
import { useAccountWords } from '#web/lib/all-words.ts';

/** Words where a payment goes or went, part by part. */
export function useAllocationText() {
  const { myLoan, peso } = useAccountWords();
  const { toInstalment, toInstalments, toSettle, toLateCharges, toCredit, shares } = myLoan;
  return (receipt: ReceiptFigures, withShares = false): string => {
    const { toLoan, toOther, interest, principal } = allocationOf(receipt);
    const loanWords = { instalment: toInstalment, instalments: toInstalments, settlement: () => toSettle };
    const otherWords = { lateCharges: toLateCharges, credit: toCredit };
    return [
      ...toLoan.map(({ to, rows, amount }) => `${loanWords[to](rows)}: ${peso(amount)}`),
      ...(withShares ? [shares({ interest: peso(interest), principal: peso(principal) })] : []),
      ...toOther.map(({ to, amount }) => `${otherWords[to]}: ${peso(amount)}`),
    ].join(' · ');
  };
}
