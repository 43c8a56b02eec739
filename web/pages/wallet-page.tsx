import { useLayoutEffect, useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import { ApplicationStatus, LoanPreview } from '#web/features/application/application-status.tsx';
import { LatestNotice } from '#web/features/notice/latest-notice.tsx';
import { BalanceCard } from '#web/features/wallet/balance-card.tsx';
import { WithdrawalList } from '#web/features/wallet/withdrawal-list.tsx';
import { useLazyPart } from '#web/lib/lazy-page.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { refreshReads } from '#web/lib/query.tsx';
import { useSession } from '#web/lib/session.tsx';
import { useWords } from '#web/lib/words.ts';
import { Columns } from '#web/ui/borrower-frame.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { RefreshIcon } from '#web/ui/icons.tsx';

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
      <Head />
      <Columns
        first={
          <>
            <BalanceCard shown={balanceShown} onShownChange={setBalanceShown} />
            <LatestNotice balanceShown={balanceShown} onOpenContract={setContractOf} />
            <ApplicationStatus />
          </>
        }
        second={
          <>
            <LoanPreview />
            <WithdrawalList />
          </>
        }
      />
      {contractOf !== undefined && (
        <OpenedContract loanId={contractOf} onClose={() => setContractOf(undefined)} />
      )}
    </>
  );
}

async function fetchContract() {
  // Staff may have issued a new version since it was last read.
  void refreshReads(api.readLoanContract);
  const { ContractDialog } = await import('#web/features/contract/contract-dialog.tsx');
  return ContractDialog;
}

function OpenedContract(props: { loanId: number; onClose: () => void }) {
  const ContractDialog = useLazyPart(fetchContract);
  return ContractDialog ? <ContractDialog {...props} /> : null;
}

/** Title and refresh button: nothing refetches automatically. */
function Head() {
  const { dashboard, shell } = useWords();
  const { refresh } = useSession();
  const [state, setState] = useState<'idle' | 'busy' | 'done'>('idle');

  async function readAgain() {
    setState('busy');
    const [isRead] = await Promise.all([
      refresh(),
      refreshReads(api.listOwnLoans),
      refreshReads(api.listOwnWithdrawals),
      refreshReads(api.listNotifications),
    ]);
    setState(isRead ? 'done' : 'idle');
  }

  return (
    <div className="-mb-2 flex items-center justify-between gap-3">
      <h1 className="font-heading text-24 font-bold">{shell.wallet}</h1>
      <IconButton
        label={dashboard.refresh}
        aria-busy={state === 'busy' || undefined}
        disabled={state === 'busy'}
        onClick={() => void readAgain()}
        className="-mr-2.5"
      >
        <RefreshIcon className={classNames(state === 'busy' && 'animate-turn')} />
      </IconButton>
      <p role="status" className="sr-only">
        {state === 'done' && dashboard.refreshed}
      </p>
    </div>
  );
}
