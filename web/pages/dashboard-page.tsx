import { Suspense, useEffect, useState } from 'react';
import { useLocation, useRoute } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import { paths } from '#contract/routes.ts';
import { limits } from '#domain/limits.ts';
import { Partners, Regulators } from '#web/features/lender/regulators.tsx';
import { ApplyDialog } from '#web/features/loan/apply-dialog.tsx';
import { LoanCard } from '#web/features/loan/loan-card.tsx';
import { VerificationBanner } from '#web/features/verification/verification-banner.tsx';
import { lazyPage, useLazyPart } from '#web/lib/lazy-page.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { refreshReads } from '#web/lib/query.tsx';
import { useSession, useUser } from '#web/lib/session.tsx';
import { useWords } from '#web/lib/words.ts';
import { Columns } from '#web/ui/borrower-frame.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Carousel } from '#web/ui/carousel.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { RefreshIcon } from '#web/ui/icons.tsx';

const AccessNews = lazyPage(() => import('#web/features/notice/access-news.tsx'));
const VerificationRequiredDialog = lazyPage(
  () => import('#web/features/verification/verification-required-dialog.tsx'),
);

/** The borrower's home (§dashboard). At /dashboard the same page opens the application. */
export default function DashboardPage() {
  const { carousel, dashboard, shell } = useWords();
  const { refresh } = useSession();
  const { isVerified, accessNewsSince } = useUser();
  const [isDashboard] = useRoute(paths.dashboard);
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<'apply' | 'verify'>();
  usePageTitle(isDashboard ? shell.dashboard : shell.home);

  const openApplication = () => setDialog(isVerified ? 'apply' : 'verify');
  useEffect(() => {
    if (!isVerified) VerificationRequiredDialog.preload();
  }, [isVerified]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens on arrival, not on profile changes
  useEffect(() => {
    if (isDashboard) openApplication();
  }, [isDashboard]);

  function close() {
    setDialog(undefined);
    // Otherwise a reload would reopen it, and the menu's Dashboard link would not.
    if (isDashboard) navigate(paths.home, { replace: true });
  }

  return (
    <>
      <Greeting />
      {accessNewsSince !== undefined && (
        <Suspense>
          <AccessNews since={accessNewsSince} />
        </Suspense>
      )}
      <Columns
        first={
          <>
            <LoanCard />
            <Button size="large" wide onClick={openApplication}>
              {dashboard.apply}
            </Button>
            <VerificationBanner />
            <Carousel words={carousel} intervalMs={limits.carouselSlideMs} />
          </>
        }
        second={
          <>
            <Exchange />
            <Partners />
            <Regulators />
          </>
        }
      />
      <ApplyDialog
        open={dialog === 'apply'}
        onClose={close}
        onVerificationRequired={() => {
          setDialog('verify');
          void refresh();
        }}
      />
      {dialog === 'verify' && (
        <Suspense>
          <VerificationRequiredDialog onClose={close} />
        </Suspense>
      )}
    </>
  );
}

const fetchConverter = async () => (await import('#web/features/converter/converter.tsx')).Converter;

/** Below the fold on phones, so loaded lazily into reserved space. */
function Exchange() {
  const Converter = useLazyPart(fetchConverter);
  if (Converter === null) return null;
  return Converter ? <Converter /> : <Card aria-hidden="true" className="h-110" />;
}

function Greeting() {
  const { dashboard } = useWords();
  const { phone } = useUser();
  const { refresh } = useSession();
  const [state, setState] = useState<'idle' | 'busy' | 'done'>('idle');

  async function readAgain() {
    setState('busy');
    const [isRead] = await Promise.all([refresh(), refreshReads(api.listOwnLoans)]);
    setState(isRead ? 'done' : 'idle');
  }

  return (
    <div className="flex items-end justify-between gap-3">
      <h1 className="min-w-0">
        <span className="block text-14 text-ink-soft">{dashboard.greeting}</span>{' '}
        <span className="block font-heading text-24 font-bold wrap-anywhere">{phone}</span>
      </h1>
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
