import { useLayoutEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import { messagesPath, paths } from '#contract/routes.ts';
import { ApplicationStatus, LoanPreview } from '#web/features/application/application-status.tsx';
import { ContractDialog } from '#web/features/contract/contract-dialog.tsx';
import { PayButton } from '#web/features/loan/pay-button.tsx';
import { LatestNotice } from '#web/features/notice/latest-notice.tsx';
import { BalanceCard } from '#web/features/wallet/balance.tsx';
import { WithdrawMoney } from '#web/features/wallet/withdraw-money.tsx';
import { WithdrawalList } from '#web/features/wallet/withdrawal-list.tsx';
import { useWords } from '#web/lib/home-words.ts';
import { amountOf, contractPath, isOverdue } from '#web/lib/loan-standing.ts';
import { PageHead } from '#web/lib/page-head.tsx';
import { useRead } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Column, Columns } from '#web/ui/borrower-frame.tsx';

/** The borrower's wallet (§wallet-page). Leaving the page hides the balance again. */
export default function WalletPage() {
  const { shell } = useWords();
  const [balanceShown, setBalanceShown] = useState(false);
  const [, navigate] = useLocation();
  const { balance } = useUser();
  // One who is late pays before withdrawing.
  const late = useRead(api.listOwnLoans).data?.find(isOverdue);
  const asked = new URLSearchParams(useSearch());
  const contractOf = Number(asked.get('contract'));
  // While the next page's chunk loads, React only hides this page and keeps its state: without this, going back before
  // it has loaded would reveal the balance.
  useLayoutEffect(() => () => setBalanceShown(false), []);
  return (
    <>
      <PageHead
        title={shell.wallet}
        reads={[api.listOwnLoans, api.listOwnWithdrawals, api.listNotifications]}
      />
      <Columns>
        <Column>
          <BalanceCard shown={balanceShown} onShownChange={setBalanceShown}>
            {late && amountOf(balance) > 0 && <PayButton loan={late} look="mango" size="large" wide />}
            <WithdrawMoney
              balanceShown={balanceShown}
              onBalanceShown={setBalanceShown}
              isLater={late !== undefined || amountOf(balance) === 0}
            />
          </BalanceCard>
          <LatestNotice
            balanceShown={balanceShown}
            isOpen={asked.has('messages')}
            onOpen={(isOpen) => navigate(isOpen ? messagesPath : paths.wallet, { replace: true })}
            onOpenContract={(id) => navigate(contractPath(id))}
          />
          <ApplicationStatus />
        </Column>
        <Column>
          <LoanPreview />
          <WithdrawalList />
        </Column>
      </Columns>
      {contractOf > 0 && (
        <ContractDialog loanId={contractOf} onClose={() => navigate(paths.wallet, { replace: true })} />
      )}
    </>
  );
}
