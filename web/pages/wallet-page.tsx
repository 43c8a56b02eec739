import { useLayoutEffect, useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import { ApplicationStatus, LoanPreview } from '#web/features/application/application-status.tsx';
import { LatestNotice } from '#web/features/notice/latest-notice.tsx';
import { BalanceCard } from '#web/features/wallet/balance.tsx';
import { WithdrawMoney } from '#web/features/wallet/withdraw-money.tsx';
import { WithdrawalList } from '#web/features/wallet/withdrawal-list.tsx';
import { useWords } from '#web/lib/home-words.ts';
import { optionalPart } from '#web/lib/lazy-page.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { refreshReads } from '#web/lib/query.tsx';
import { RefreshButton } from '#web/lib/refresh-button.tsx';
import { Column, Columns } from '#web/ui/borrower-frame.tsx';

/** The borrower's wallet (§wallet-page). Leaving the page hides the balance again. */
export default function WalletPage() {
  const { shell } = useWords();
  const [balanceShown, setBalanceShown] = useState(false);
  const [contractOf, setContractOf] = useState<number>();
  usePageTitle(shell.wallet);
  // While the next page's chunk loads, React only hides this page and keeps its state: without this, going back before
  // it has loaded would reveal the balance.
  useLayoutEffect(() => () => setBalanceShown(false), []);
  return (
    <>
      <div className="-mb-2 flex items-center justify-between gap-3">
        <h1 className="font-heading text-24 font-bold">{shell.wallet}</h1>
        <RefreshButton reads={[api.listOwnLoans, api.listOwnWithdrawals, api.listNotifications]} />
      </div>
      <Columns>
        <Column>
          <BalanceCard shown={balanceShown} onShownChange={setBalanceShown}>
            <WithdrawMoney balanceShown={balanceShown} />
          </BalanceCard>
          <LatestNotice balanceShown={balanceShown} onOpenContract={setContractOf} />
          <ApplicationStatus />
        </Column>
        <Column>
          <LoanPreview />
          <WithdrawalList />
        </Column>
      </Columns>
      {contractOf !== undefined && (
        <ContractDialog loanId={contractOf} onClose={() => setContractOf(undefined)} />
      )}
    </>
  );
}

const ContractDialog = optionalPart(
  () => {
    // Staff may have issued a new version since it was last read.
    void refreshReads(api.readLoanContract);
    return import('#web/features/contract/contract-dialog.tsx');
  },
  (contract) => contract.ContractDialog,
);
