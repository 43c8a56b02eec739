import { BellIcon, FilePlusIcon, FileTextIcon, LandmarkIcon } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import { messagesPath, paths } from '#contract/routes.ts';
import { ApplicationStatus, LoanPreview } from '#web/features/application/application-status.tsx';
import { NextStep } from '#web/features/loan/next-step.tsx';
import { PayButton } from '#web/features/loan/pay-button.tsx';
import { AllNotices, LatestNotice } from '#web/features/notice/latest-notice.tsx';
import { BalanceCard } from '#web/features/wallet/balance.tsx';
import { WithdrawButton } from '#web/features/wallet/withdraw-button.tsx';
import { WithdrawalList } from '#web/features/wallet/withdrawal-list.tsx';
import { useAccountWords } from '#web/lib/all-words.ts';
import { lazyPart } from '#web/lib/lazy-page.ts';
import { isOverdue } from '#web/lib/loan-standing.ts';
import { PageHead } from '#web/lib/page-head.tsx';
import { amountOf } from '#web/lib/pesos.ts';
import { useIsFirst, useRead } from '#web/lib/query.tsx';
import { QueryStates, type ReadState } from '#web/lib/query-states.tsx';
import { useSession, useUser } from '#web/lib/session.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';

const ContractDialog = lazyPart(() => import('#web/features/contract/contract-dialog.tsx'), 'ContractDialog');

/** The borrower's wallet (§wallet-page). Leaving the page hides the balance again. */
export default function WalletPage() {
  const { application, dashboard, messages, shell, withdrawal } = useAccountWords();
  const [balanceShown, setBalanceShown] = useState(false);
  const [, navigate] = useLocation();
  const { refresh } = useSession();
  const isFirst = useIsFirst();
  const isFunded = amountOf(useUser().balance) > 0;
  // Together, so that no message reports what the page does not show yet.
  const loans = useRead(api.listOwnLoans, { anew: true });
  const notices = useRead(api.listNotifications, { anew: true });
  const withdrawals = useRead(api.listOwnWithdrawals);
  // A borrower who is late pays before withdrawing.
  const late = loans.data?.find(isOverdue);
  const hasLoan = !isEmpty(loans);
  const asked = new URLSearchParams(useSearch());
  const contractOf = Number(asked.get('contract'));
  const leave = () => navigate(paths.wallet, { replace: true });
  const apply = (
    <Link
      key="apply"
      href={paths.dashboard}
      className="-my-2.5 inline-flex min-h-11 items-center font-semibold text-leaf"
    >
      {dashboard.apply}
    </Link>
  );
  const nothingYet = (
    [
      [loans, FilePlusIcon, application.title, application.none, apply],
      [loans, FileTextIcon, application.preview, application.previewNone],
      [notices, BellIcon, messages.latest, messages.none],
      [withdrawals, LandmarkIcon, withdrawal.list, withdrawal.none],
    ] as const
  ).filter(([read]) => isEmpty(read));
  const latest = !isEmpty(notices) && (
    <LatestNotice balanceShown={balanceShown} isLate={late !== undefined} />
  );
  const ofLoan = (
    <Card padding="none" className="overflow-hidden">
      {!isFunded && <NextStep isHead />}
      <div className="divide-y divide-line *:px-card *:py-4.5 wide:grid wide:grid-cols-2 wide:divide-x wide:divide-y-0">
        <ApplicationStatus />
        <LoanPreview />
      </div>
    </Card>
  );
  // The first page of a visit comes with a profile that was read just now.
  useEffect(() => {
    if (!isFirst) void refresh();
  }, [isFirst, refresh]);
  useEffect(ContractDialog.preload, []);
  return (
    <>
      <PageHead
        title={shell.wallet}
        reads={[api.listOwnLoans, api.listOwnWithdrawals, api.listNotifications]}
      />
      <div data-wide className="flex flex-col gap-5 wide:gap-6">
        {!isFunded && (hasLoan ? ofLoan : <NextStep />)}
        {/* The card keeps its place whatever it holds, so that its dialogs survive the money's coming and
            going. */}
        <BalanceCard shown={balanceShown} onShownChange={setBalanceShown} isQuiet={!isFunded}>
          {late && isFunded && <PayButton loan={late} look="mango" size="large" wide />}
          <WithdrawButton
            balanceShown={balanceShown}
            onBalanceShown={setBalanceShown}
            isLater={late !== undefined}
          />
        </BalanceCard>
        <div
          className={classNames(
            'grid grid-cols-1 gap-[inherit] empty:hidden wide:*:last:odd:col-span-2',
            nothingYet.length === 1 ? 'wide:grid-cols-[2fr_1fr]' : 'wide:grid-cols-2',
          )}
        >
          {!isEmpty(withdrawals) && <WithdrawalList />}
          {latest}
          {nothingYet.length > 0 && <NothingYet rows={nothingYet} />}
        </div>
        {isFunded && hasLoan && ofLoan}
      </div>
      {asked.has('messages') && notices.data && (
        <AllNotices
          balanceShown={balanceShown}
          onBalanceShown={setBalanceShown}
          notices={notices.data}
          onClose={leave}
        />
      )}
      {contractOf > 0 && (
        <ContractDialog
          loanId={contractOf}
          // Back to the messages, if one of them led here.
          onClose={asked.has('messages') ? () => navigate(messagesPath, { replace: true }) : leave}
        />
      )}
    </>
  );
}

type EmptyRow = readonly [ReadState, typeof BellIcon, name: string, text: string, way?: ReactNode];

/** Lists the parts that have nothing to show yet, each by its name and a sentence. */
function NothingYet({ rows }: { rows: readonly EmptyRow[] }) {
  return (
    <Card
      padding="none"
      className={classNames(
        '@container flex flex-col justify-center text-14 text-ink-soft',
        // Level with the card beside it, below that one's title.
        rows.length === 1 && 'wide:even:mt-9.5',
      )}
    >
      <div
        className={`flex flex-col divide-y divide-line px-card @3xl:grid @3xl:gap-x-8 @3xl:divide-y-0 @3xl:py-2 ${rows.length % 3 ? '@3xl:grid-cols-2' : '@3xl:grid-cols-3'}`}
      >
        {rows.map(([read, Icon, name, text, way]) => (
          <section key={name} aria-label={name} className="flex gap-3.5 py-3">
            <Icon className="mt-0.5 size-5 shrink-0" />
            <div>
              <h2 className="font-semibold text-ink">{name}</h2>
              <p>{text}</p>
              <QueryStates query={read} skeleton={null} failedTitle="">
                {() => way}
              </QueryStates>
            </div>
          </section>
        ))}
      </div>
    </Card>
  );
}

const isEmpty = ({ data }: ReadState<readonly unknown[]>): boolean => data?.length === 0;
