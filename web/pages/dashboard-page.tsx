import { ShieldCheckIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation, useRoute } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import type { Loan } from '#contract/loan.ts';
import { paths } from '#contract/routes.ts';
import * as servicing from '#contract/servicing-endpoints.ts';
import { limits } from '#domain/limits.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { LoanCards } from '#web/features/loan/loan-card.tsx';
import { TwoSteps } from '#web/features/verification/two-steps.tsx';
import { WalletLine } from '#web/features/wallet/wallet-line.tsx';
import { useWords } from '#web/lib/home-words.ts';
import { lazyPart, optionalPart } from '#web/lib/lazy-page.ts';
import { accountOf, isOpen, isOverdue, isRunning, loansInSight } from '#web/lib/loan-standing.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { RefreshButton } from '#web/lib/refresh-button.tsx';
import { useSession, useUser } from '#web/lib/session.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { Column, Columns } from '#web/ui/borrower-frame.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { EmptyLoom } from '#web/ui/empty-loom.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const AccessNews = lazyPart(
  () => import('#web/features/notice/access-news.tsx'),
  (notices) => notices.AccessNews,
);
const ApplyDialog = lazyPart(
  () => import('#web/features/loan/apply-dialog.tsx'),
  (apply) => apply.ApplyDialog,
);
const VerificationRequiredDialog = lazyPart(
  () => import('#web/features/verification/missing-pieces.tsx'),
  (pieces) => pieces.VerificationRequiredDialog,
);

/** The borrower's home (§dashboard). At /dashboard the same page opens the application. */
export default function DashboardPage() {
  const { dashboard, shell, verification } = useWords();
  const { refresh } = useSession();
  const { isVerified, accessNewsSince } = useUser();
  const [isDashboard] = useRoute(paths.dashboard);
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<'apply' | 'verify'>();
  usePageTitle(isDashboard ? shell.dashboard : shell.home);

  // One who is late pays first (§dashboard); while that is read, the button keeps its place.
  const read = useRead(api.listOwnLoans);
  const loans = read.data;
  const isLate = loans?.some(isOverdue) ?? (read.isPending ? undefined : false);
  const [hasApply, setHasApply] = useState(false);
  const prepareApplication = () => (isVerified ? setHasApply(true) : VerificationRequiredDialog.preload());
  const openApplication = () => {
    prepareApplication();
    setDialog(isVerified ? 'apply' : 'verify');
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens on arrival, not on profile changes
  useEffect(() => {
    if (isDashboard) openApplication();
  }, [isDashboard]);

  function close() {
    setDialog(undefined);
    // Otherwise a reload would reopen it, and the menu's Dashboard link would not.
    if (isDashboard) navigate(paths.home, { replace: true });
  }

  const applyLeads = isVerified && loans?.every(isOver);
  const steps = !isVerified && <TwoSteps />;
  const next = (
    <>
      {!isLate && (
        <Button
          look={applyLeads ? 'primary' : 'quiet'}
          size="large"
          wide
          className={classNames(read.isPending && 'invisible', !applyLeads && '-my-2')}
          onClick={openApplication}
          onFocus={prepareApplication}
          onPointerEnter={prepareApplication}
        >
          {dashboard.apply}
        </Button>
      )}
      {isVerified && (
        <p className="flex items-center justify-center gap-1.5 text-14 text-ink-soft">
          <ShieldCheckIcon className="size-4.5 text-good" />
          {verification.verified}
        </p>
      )}
    </>
  );
  const inSight = loans && loansInSight(loans);
  // On a wide screen an open loan fills both columns, and the rest of the page goes on below it in each.
  const hasOpen = inSight?.some(isOpen);
  const endsOpen = inSight?.slice(-1).some(isOpen);
  const cards = (
    <QueryStates query={read} skeleton={loansShape} failedTitle={dashboard.loanFailed} framed>
      {() =>
        inSight?.length ? (
          <LoanCards
            loans={inSight}
            mayApply={!isLate}
            wallet={(pay, leads) => <WalletLine pay={pay} leads={leads} />}
            beside={
              endsOpen && (
                <Column>
                  {steps}
                  {next}
                  <Regulators />
                  <Converter />
                </Column>
              )
            }
            below={
              endsOpen && (
                <Column>
                  <Slides />
                  <Partners />
                </Column>
              )
            }
          />
        ) : (
          <NoLoan isLater={!isVerified} />
        )
      }
    </QueryStates>
  );
  return (
    <>
      <Greeting />
      {accessNewsSince !== undefined && <AccessNews since={accessNewsSince} />}
      {hasOpen && <Columns>{cards}</Columns>}
      {!endsOpen && (
        <Columns>
          <Column>
            {steps}
            {!hasOpen && cards}
            {next}
            <Slides />
          </Column>
          <Column className={classNames(read.isPending && 'wide:invisible')}>
            <Partners />
            <Regulators />
            <Converter />
          </Column>
        </Columns>
      )}
      {hasApply && (
        <ApplyDialog
          open={dialog === 'apply' && isLate === false}
          onClose={close}
          onVerificationRequired={() => {
            setDialog('verify');
            void refresh();
          }}
        />
      )}
      {dialog === 'verify' && isLate === false && <VerificationRequiredDialog onClose={close} />}
    </>
  );
}

/** Nothing is open or waiting: what comes next is another application. */
const isOver = (loan: Loan): boolean => {
  const account = accountOf(loan);
  const { isRepaid, isTurnedDown } = loanStatusFacts(loan.status);
  return account ? !isRunning(account) : Boolean(isRepaid || isTurnedDown);
};

/** `isLater`: after the two steps. */
function NoLoan({ isLater }: { isLater: boolean }) {
  const { dashboard } = useWords();
  return (
    <Card look={isLater ? 'plain' : 'deep'} padding="roomy">
      <h2 className="text-14 opacity-80">{isLater ? dashboard.thenYouChoose : dashboard.noLoan}</h2>
      <p className="mt-1">
        <Amount size={isLater ? 24 : 32}>{dashboard.upTo}</Amount>
      </p>
      <p className="mt-1 opacity-80">{dashboard.youMayBorrow}</p>
      {isLater ? (
        <p className="mt-2 text-14 opacity-80">{dashboard.noLoan}</p>
      ) : (
        <EmptyLoom count={limits.loanTermDefaultMonths} className="mt-5" />
      )}
    </Card>
  );
}

const loansShape = (
  <Card look="deep" padding="roomy" className="[&_span]:bg-on-deep/25">
    <Skeleton className="h-56" />
  </Card>
);

/** Loaded after what the borrower came for, into a space of about its size. */
const Slides = optionalPart(
  () => import('#web/features/lender/slides.tsx'),
  (slides) => slides.Slides,
  {
    shape: (
      <Card padding="none" aria-hidden="true">
        <div className="aspect-[24/11]" />
        <div className="h-30" />
      </Card>
    ),
  },
);

/** Below the fold on phones, so loaded lazily into reserved space. */
const Converter = optionalPart(
  () => import('#web/features/converter/converter.tsx'),
  (converter) => converter.Converter,
  { shape: <Card aria-hidden="true" className="h-110" /> },
);

const fetchLender = () => import('#web/features/lender/lender-sections.tsx');
const Partners = optionalPart(fetchLender, (sections) => sections.Partners, {
  shape: <Card aria-hidden="true" className="h-33" />,
});
const Regulators = optionalPart(fetchLender, (sections) => sections.Regulators, {
  shape: <Card aria-hidden="true" className="h-112" />,
});

function Greeting() {
  const { dashboard } = useWords();
  const { fullName, phone } = useUser();
  return (
    <div className="-mb-2 flex items-center justify-between gap-3">
      <h1 className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3">
        <span className="min-w-0 wrap-anywhere">
          <span className="text-ink-soft">{dashboard.greeting}</span> <b>{firstName(fullName)}</b>
        </span>{' '}
        <span className="text-14 text-ink-soft wrap-anywhere">{phone}</span>
      </h1>
      <RefreshButton reads={[api.listOwnLoans, servicing.readLoanAccount]} />
    </div>
  );
}

/** With what is short for a name before another, such as "Ma. Cristina". */
const firstName = (fullName: string) => /^\s*(\S+\.\s+)*\S+/.exec(fullName)?.[0].trim() ?? '';
