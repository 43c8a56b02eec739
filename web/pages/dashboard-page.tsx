import { Building2Icon, ExternalLinkIcon, LandmarkIcon, ShieldCheckIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation, useRoute } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import { paths } from '#contract/routes.ts';
import { limits } from '#domain/limits.ts';
import { ApplyDialog } from '#web/features/loan/apply-dialog.tsx';
import { LoanCards } from '#web/features/loan/loan-card.tsx';
import { VerificationBanner } from '#web/features/verification/verification-banner.tsx';
import { lazyPart, optionalPart } from '#web/lib/lazy-page.ts';
import { lender } from '#web/lib/lender.ts';
import { isOverdue } from '#web/lib/loan-standing.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useRead } from '#web/lib/query.tsx';
import { RefreshButton } from '#web/lib/refresh-button.tsx';
import { useSession, useUser } from '#web/lib/session.tsx';
import { useWords } from '#web/lib/words.ts';
import { Column, Columns } from '#web/ui/borrower-frame.tsx';
import { Button, buttonStyle } from '#web/ui/button.tsx';
import { Card, CardSection, Section } from '#web/ui/card.tsx';

const AccessNews = lazyPart(
  () => import('#web/features/notice/latest-notice.tsx'),
  (notices) => notices.AccessNews,
);
const fetchMissingPieces = () => import('#web/features/verification/missing-pieces.tsx');
const VerificationRequiredDialog = lazyPart(
  fetchMissingPieces,
  (pieces) => pieces.VerificationRequiredDialog,
);

/** The borrower's home (§dashboard). At /dashboard the same page opens the application. */
export default function DashboardPage() {
  const { carousel, dashboard, shell, verification } = useWords();
  const { refresh } = useSession();
  const { isVerified, accessNewsSince } = useUser();
  const [isDashboard] = useRoute(paths.dashboard);
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<'apply' | 'verify'>();
  usePageTitle(isDashboard ? shell.dashboard : shell.home);

  // One who is late pays first (§dashboard); until it is known, the button keeps its place.
  const { data: loans } = useRead(api.listOwnLoans);
  const isLate = loans?.some(isOverdue);
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
      {accessNewsSince !== undefined && <AccessNews since={accessNewsSince} />}
      <Columns>
        <Column>
          <LoanCards />
          {!isLate && (
            <Button size="large" wide className={loans ? undefined : 'invisible'} onClick={openApplication}>
              {dashboard.apply}
            </Button>
          )}
          <VerificationBanner
            action={
              <Link href={paths.profile} className={buttonStyle({ look: 'secondary', size: 'compact' })}>
                {verification.complete}
              </Link>
            }
          >
            <MissingSteps />
          </VerificationBanner>
          <Carousel words={carousel} intervalMs={limits.carouselSlideMs} />
        </Column>
        <Column>
          <Converter />
          <Partners />
          <Regulators />
        </Column>
      </Columns>
      <ApplyDialog
        open={dialog === 'apply' && isLate === false}
        onClose={close}
        onVerificationRequired={() => {
          setDialog('verify');
          void refresh();
        }}
      />
      {dialog === 'verify' && isLate === false && <VerificationRequiredDialog onClose={close} />}
    </>
  );
}

/** Loaded after what the borrower came for, into a space of about its size. */
const Carousel = optionalPart(
  () => import('#web/ui/carousel.tsx'),
  (carousel) => carousel.Carousel,
  {
    shape: (
      <Card padding="none" aria-hidden="true">
        <div className="aspect-[5/2]" />
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

function Greeting() {
  const { dashboard } = useWords();
  const { phone } = useUser();
  return (
    <div className="flex items-end justify-between gap-3">
      <h1 className="min-w-0">
        <span className="block text-14 text-ink-soft">{dashboard.greeting}</span>{' '}
        <span className="block font-heading text-24 font-bold wrap-anywhere">{phone}</span>
      </h1>
      <RefreshButton reads={[api.listOwnLoans]} />
    </div>
  );
}

/** Lazy, since most visitors are verified. Without it the banner still links to the profile. */
const MissingSteps = optionalPart(fetchMissingPieces, (pieces) => pieces.MissingSteps, {
  shape: <div aria-hidden="true" className="h-34" />,
});

const CompanyDialog = lazyPart(
  () => import('#web/features/lender/company-dialog.tsx'),
  (company) => company.CompanyDialog,
);

/** The lender's regulators, with links to verify it, and its own registration facts (§laws). */
function Regulators() {
  const words = useWords();
  const { regulators, registryUrl } = lender();
  const [showsCompany, setShowsCompany] = useState(false);
  return (
    <CardSection title={words.lender.regulators}>
      {regulators.length > 0 && (
        <ul className="mb-4 flex flex-col gap-3">
          {regulators.map(({ name, shortName, logo }) => (
            <li key={name} className="flex items-center gap-3">
              <span
                aria-hidden="true"
                className="flex size-10 shrink-0 items-center justify-center rounded-full bg-leaf-tint text-leaf"
              >
                {logo === undefined ? <ShieldCheckIcon className="size-5" /> : <Mark src={logo} />}
              </span>
              <span className="min-w-0">
                <span className="block font-semibold">{shortName}</span>
                <span className="block text-14 text-ink-soft">{name}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-col gap-2.5">
        <a
          href={registryUrl}
          target="_blank"
          rel="noreferrer"
          aria-describedby="registry-note"
          className={buttonStyle({ look: 'secondary', wide: true })}
        >
          {words.lender.checkWithRegulator}
          <ExternalLinkIcon />
        </a>
        <p id="registry-note" className="-mt-1 text-center text-12 text-ink-soft">
          {words.lender.opensNewView}
        </p>
        <Button
          look="quiet"
          wide
          icon={<Building2Icon />}
          onFocus={CompanyDialog.preload}
          onPointerEnter={CompanyDialog.preload}
          onClick={() => setShowsCompany(true)}
        >
          {words.lender.details}
        </Button>
      </div>
      {showsCompany && <CompanyDialog onClose={() => setShowsCompany(false)} />}
    </CardSection>
  );
}

/** A picture from the lender's folder, on white in the dark too. */
const Mark = ({ src }: { src: string }) => (
  <img
    src={src}
    alt=""
    loading="lazy"
    className="h-7 max-w-full rounded-small object-contain dark:bg-[#fff] dark:px-1.5 dark:py-0.5"
  />
);

function Partners() {
  const words = useWords();
  const { partnerBanks } = lender();
  if (partnerBanks.length === 0) return null;
  return (
    <Section title={words.lender.partners}>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,5.25rem),1fr))] gap-2.5">
        {partnerBanks.map(({ name, logo }) => (
          <li
            key={name}
            className="flex min-h-18 flex-col items-center justify-center gap-1.5 rounded-card border border-transparent bg-card px-2 py-3 text-center text-14 font-semibold shadow-soft dark:border-line"
          >
            {logo === undefined ? <LandmarkIcon className="size-5 text-leaf" /> : <Mark src={logo} />}
            <span className="min-w-0 max-w-full">{name}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
