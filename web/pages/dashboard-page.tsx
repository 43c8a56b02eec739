import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useRoute } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import * as calls from '#contract/loan-account-endpoints.ts';
import { paths } from '#contract/routes.ts';
import { exampleLoan, loanStatusFacts, monthlyPayment } from '#domain/loan.ts';
import { formatPeso, formatWholePeso } from '#domain/money.ts';
import { LoanCards } from '#web/features/loan/loan-card.tsx';
import { TwoSteps, Verified } from '#web/features/verification/verification.tsx';
import { WalletLine } from '#web/features/wallet/wallet-line.tsx';
import { useWords } from '#web/lib/home-words.ts';
import { type LazyPart, lazyPart } from '#web/lib/lazy-page.ts';
import { monthlyRate } from '#web/lib/lender.ts';
import { isFresh, isOver } from '#web/lib/loan-next.ts';
import { accountOf, isOpen, isOverdue, isRunning, loansInSight } from '#web/lib/loan-standing.ts';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { RefreshButton } from '#web/lib/refresh-button.tsx';
import { useSession, useUser } from '#web/lib/session.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { Button, RowButton } from '#web/ui/button.tsx';
import { Card, type CardProps } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';

const AccessNews = lazyPart(() => import('#web/features/notice/access-news.tsx'), 'AccessNews');
const ApplyDialog = lazyPart(() => import('#web/features/loan/apply-dialog.tsx'), 'ApplyDialog');
const VerificationRequiredDialog = lazyPart(
  () => import('#web/features/verification/verification-required.tsx'),
  'VerificationRequiredDialog',
);

const OverdueFirst = lazyPart(() => import('#web/features/loan/overdue-first.tsx'), 'OverdueFirst');

/** The borrower's home (§dashboard). At /dashboard the same page opens the application. */
export default function DashboardPage() {
  const { dashboard, shell } = useWords();
  const { refresh } = useSession();
  const { isVerified, accessNewsSince, balance } = useUser();
  const [isDashboard] = useRoute(paths.dashboard);
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<'apply' | 'verify'>();
  usePageTitle(isDashboard ? shell.dashboard : shell.home);

  // Somebody who is late pays before applying, and reads so (§dashboard). While that is unknown, the button is invisible in its place.
  const read = useRead(api.listOwnLoans);
  const loans = read.data;
  const late = loans?.find(isOverdue);
  const isLate = loans ? late !== undefined : read.isPending ? undefined : false;
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

  const isOut = loans?.every(isOver);
  const inSight = loans && loansInSight(loans);
  const hasLoan = inSight?.length !== 0;
  const isDenied = inSight?.some(({ status }) => loanStatusFacts(status).isTurnedDown);
  const apply = {
    children: dashboard.apply,
    onClick: openApplication,
    onFocus: prepareApplication,
    onPointerEnter: prepareApplication,
  };
  const next = isVerified ? (
    isOut &&
    !isDenied && (
      <Offer look={hasLoan ? 'plain' : 'deep'}>
        <Button {...apply} look={hasLoan ? 'primary' : 'mango'} size="large" wide />
      </Offer>
    )
  ) : (
    <TwoSteps>
      {isOut !== false && !isDenied && !isLate && (
        <div className={classNames('text-center', read.isPending && 'invisible')}>
          <Button {...apply} look="quietOnDeep" wide />
          <p className="text-14 text-on-deep-soft">{dashboard.noLoan}</p>
        </div>
      )}
    </TwoSteps>
  );
  // This is the loan that the wallet is drawn with.
  const account = inSight?.filter(isOpen).map(accountOf)[0];
  const isPaidOut = account && isRunning(account) && isFresh(account, balance);
  const news = accessNewsSince !== undefined && <AccessNews since={accessNewsSince} />;
  return (
    <>
      <Greeting />
      {!read.isPending && !isPaidOut && news}
      <div data-wide className="flex flex-col gap-3.5 wide:gap-6">
        <QueryStates query={read} skeleton={loansShape} failedTitle={dashboard.loanFailed} framed>
          {() =>
            inSight?.length ? (
              <LoanCards
                loans={inSight}
                wallet={(pay, isNew) => (
                  <>
                    <WalletLine {...{ pay, isNew }} />
                    {isNew && news}
                  </>
                )}
                again={isLate ? undefined : (look) => <Button {...apply} look={look} size="large" wide />}
                beside={next}
              />
            ) : (
              next
            )
          }
        </QueryStates>
        {!loans && next}
      </div>
      {late ? (
        <OverdueFirst loan={late}>{belowLoans()}</OverdueFirst>
      ) : (
        // The loans tell if it folds.
        <div className={classNames(read.isPending && 'invisible')}>
          {belowLoans(
            (isVerified ? !isOut : isOut === false) && (
              <Card padding="none" className="py-1">
                <RowButton {...apply} />
              </Card>
            ),
          )}
        </div>
      )}
      {loans && (
        <PageBoundary fallback={false}>
          <Installed loans={loans} />
        </PageBoundary>
      )}
      {hasApply && (
        <ApplyDialog
          open={dialog === 'apply' && isLate === false}
          onClose={close}
          onReopen={openApplication}
          onVerificationRequired={() => {
            setDialog('verify');
            void refresh();
          }}
        />
      )}
      {dialog === 'verify' && isLate === false && <VerificationRequiredDialog onClose={close} />}
      {dialog && late && <OverdueFirst loan={late} onClose={close} />}
    </>
  );
}

/** Says how much one may borrow, with the button to apply. */
function Offer({ look, children }: Pick<CardProps, 'look' | 'children'>) {
  const { dashboard } = useWords();
  return (
    <Card look={look} className="flex grow flex-wrap content-between items-center gap-4">
      <div className="flex-[1_1_18rem]">
        <h2 className="text-14 opacity-80">{dashboard.noLoan}</h2>
        <p className="my-1.5">
          <Amount size={look === 'deep' ? 44 : 24} className="max-wide:whitespace-normal! wide:text-48!">
            {dashboard.upTo}
          </Amount>
        </p>
        <p className="text-pretty opacity-80">{dashboard.youMayBorrow}</p>
        <p className="mt-2 font-semibold text-pretty">
          {dashboard.example({
            amount: formatWholePeso(exampleLoan.amountCentavos),
            months: exampleLoan.termMonths,
            monthly: formatPeso(monthlyPayment({ ...exampleLoan, monthlyRate: monthlyRate() })),
          })}
        </p>
      </div>
      <div className="flex-[1_1_18rem] wide:w-80 wide:flex-none wide:self-end">{children}</div>
    </Card>
  );
}

const loansShape = (
  <Card look="deep" className="[&_span]:bg-on-deep/25">
    <Skeleton className="h-56" />
  </Card>
);

const Installed = lazyPart(() => import('#web/features/install/installed.tsx'), 'Installed');
const Slides = lazyPart(() => import('#web/features/lender/slides.tsx'), 'Slides');
const Converter = lazyPart(() => import('#web/features/converter/converter.tsx'), 'Converter');
const AboutLender = lazyPart(() => import('#web/features/lender/lender-sections.tsx'), 'AboutLender');

/** Lays out the part of Home that is not about the borrower's loans, in one row where there is room. */
const belowLoans = (apply?: ReactNode) => (
  <div className="grid gap-3.5 *:min-w-0 wide:grid-cols-3 wide:gap-6">
    <div className="flex flex-col gap-[inherit] *:first:grow">
      <Later height="h-50" Part={Slides} />
      {apply}
    </div>
    <Later height="h-88" Part={Converter} />
    <Later height="h-88" Part={AboutLender} />
  </div>
);

/** After what the borrower came for, into a space of about its size; the page works without it. */
const Later = ({ Part, height }: { Part: LazyPart; height: string }) => (
  <PageBoundary fallback={false}>
    <Part shape={<Card aria-hidden="true" className={height} />} />
  </PageBoundary>
);

function Greeting() {
  const { dashboard } = useWords();
  const { fullName, phone } = useUser();
  return (
    <div className="-mb-2 flex items-center justify-between gap-3">
      <div className="min-w-0 grow text-14 leading-5 wrap-anywhere *:inline-flex *:align-bottom">
        <h1 className="mr-3 inline!">
          <span className="block font-heading text-20 leading-tight font-semibold">
            {dashboard.greeting} {firstName(fullName)}
          </span>{' '}
          <span className="text-ink-soft">{phone}</span>
        </h1>
        <Verified />
      </div>
      <RefreshButton reads={[api.listOwnLoans, calls.readLoanAccount]} />
    </div>
  );
}

/** An abbreviation stays with the name that follows it: "Ma. Cristina". */
const firstName = (fullName: string) => /^\s*(\S+\.\s+)*\S+/.exec(fullName)?.[0].trim() ?? '';
