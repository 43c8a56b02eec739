import { ChevronDownIcon, CircleCheckIcon, RefreshCwIcon, SettingsIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearch } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import { paths } from '#contract/routes.ts';
import { creditBand } from '#domain/credit.ts';
import { limits } from '#domain/limits.ts';
import { documentPieces, isDocumentPiece, missingPieces } from '#domain/profile.ts';
import { LoanPapers } from '#web/features/contract/loan-papers.tsx';
import { NextStep } from '#web/features/loan/next-step.tsx';
import { PersonalInformation } from '#web/features/profile/personal-information.tsx';
import { TileList } from '#web/features/session/tile-list.tsx';
import { TwoSteps, Verified } from '#web/features/verification/verification.tsx';
import { DocumentTiles } from '#web/lib/account-documents.tsx';
import { useAccountWords } from '#web/lib/all-words.ts';
import { call } from '#web/lib/call.ts';
import { useWords } from '#web/lib/home-words.ts';
import { lender } from '#web/lib/lender.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useSession, useUser } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { PiecesMat, VerificationLead } from '#web/lib/verification-lead.tsx';
import { Column } from '#web/ui/borrower-frame.tsx';
import { Button, IconButton, RowText, rowStyle } from '#web/ui/button.tsx';
import { Card, CardSection } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Gauge, type GaugeBand, Stars } from '#web/ui/gauge.tsx';
import { NumberedTitle } from '#web/ui/step-number.tsx';

/** §profile-page */
export default function ProfilePage() {
  const { session, shell } = useWords();
  const user = useUser();
  const { fullName, isVerified, phone } = user;
  usePageTitle(shell.profile);
  useArrivalAtPart();
  useNextStepInView();
  // The open form is all that the page shows, until only photos are missing.
  const step = new URLSearchParams(useSearch()).get('step');
  const isGuided = step === 'about' && !isVerified;
  // The open step says what to do.
  const isOpen = isGuided || (step === 'photos' && missingPieces(user).some(isDocumentPiece));
  const isNew = !isVerified && !isGuided;
  const isAlone = isGuided && !missingPieces(user).every(isDocumentPiece);
  return (
    <>
      <h1 className="sr-only">{shell.profile}</h1>
      {!isAlone && (
        <div className="-mb-2 wrap-anywhere">
          <p className="font-heading text-24 leading-tight font-bold wide:text-32">
            <bdi>{fullName}</bdi>
          </p>
          <div className="flex flex-wrap gap-x-3 text-14 text-ink-soft">
            <bdi>{phone}</bdi>
            <Verified />
          </div>
        </div>
      )}
      <div
        data-wide
        className={classNames(
          'grid gap-5 wide:gap-6',
          isAlone ? 'wide:grid-cols-[2fr_1fr]' : 'wide:grid-cols-2',
        )}
      >
        <div className="empty:hidden wide:col-span-2">
          {isVerified ? <NextStep /> : !isOpen && <TwoSteps isBelow />}
        </div>
        {isVerified ? (
          <>
            <CreditScore />
            <PersonalInformation />
          </>
        ) : (
          <Column className="max-wide:contents *:last:grow">
            <PersonalInformation />
            {isNew && (
              <Column className="*:last:grow max-wide:order-1">
                <CreditScore />
                <LoanPapers />
                <AccountLink />
              </Column>
            )}
          </Column>
        )}
        {isAlone && (
          <Card look="deep" className="mt-10.5 self-start max-wide:hidden">
            <VerificationLead isStrip />
            <div className="mt-5">
              <PiecesMat />
            </div>
            <div className="mt-5 border-t border-on-deep/20 pt-6">
              <TileList lines={session.wayThere} tiles={['paid', 'next', 'bare']} />
            </div>
          </Card>
        )}
        <div className={isAlone ? 'hidden' : 'grid'}>
          <Documents />
        </div>
        {isVerified && (
          <Column className="*:first:grow">
            <LoanPapers />
            <AccountLink />
          </Column>
        )}
      </div>
    </>
  );
}

/** Leads to the settings of the account: language, password, one's own data. */
function AccountLink() {
  const { profile } = useAccountWords();
  const { mustChangePassword } = useUser();
  return (
    <Card padding="none" className="py-1">
      <Link href={paths.account} className={rowStyle}>
        <SettingsIcon />
        <RowText>
          {profile.account}
          <span className="block text-14 font-normal text-ink-soft">
            {mustChangePassword ? profile.passwordIssued : profile.accountText}
          </span>
        </RowText>
      </Link>
    </Card>
  );
}

/**
 * Scrolls to the section asked for by step or hash: the browser looked for it before this page was rendered. After the
 * guided form the focus is on the button that edits the same fields.
 */
function useArrivalAtPart() {
  const step = new URLSearchParams(useSearch()).get('step');
  const pieces = missingPieces(useUser());
  const missing = documentPieces.findIndex((piece) => pieces.includes(piece));
  const before = useRef(step);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on arrival only
  useEffect(() => {
    if (before.current === 'about' && !step) document.querySelector<HTMLElement>('#personal button')?.focus();
    before.current = step;
    const section = { about: 'personal', photos: 'documents' }[step ?? ''];
    const part = document.getElementById(section ?? location.hash.slice(1));
    part?.scrollIntoView();
    if (step === 'about') part?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    if (step === 'photos') part?.querySelectorAll<HTMLElement>('input[type=file]')[missing]?.focus();
  }, [step]);
}

/** Scrolls to what comes next once the last missing piece is here: it stands at the top, the photos further down. */
function useNextStepInView() {
  const { isVerified } = useUser();
  const before = useRef(isVerified);
  useEffect(() => {
    if (isVerified && !before.current) scrollTo({ top: 0 });
    before.current = isVerified;
  }, [isVerified]);
}

const starsMax = 5;

const bands: readonly GaugeBand[] = [
  { to: limits.creditAverageFrom, tone: 'bad' },
  { to: limits.creditGoodFrom, tone: 'warn' },
  { to: limits.creditPerfectFrom, tone: 'good' },
  { to: limits.creditScoreMax, tone: 'good' },
];

/** Credit score with band, stars and trend (§credit-score). */
function CreditScore() {
  const { profile } = useAccountWords();
  const { creditScore, creditTrend } = useUser();
  const { key, stars } = creditBand(creditScore);
  const band = profile.bands[key];
  const change = Number(creditTrend);
  return (
    <CardSection title={profile.credit} className="flex flex-col justify-center">
      <Gauge
        value={creditScore}
        max={limits.creditScoreMax}
        bands={bands}
        label={profile.creditSpoken({ score: creditScore, max: limits.creditScoreMax, band })}
      >
        <p className="font-heading text-20 font-bold">{band}</p>
        {stars > 0 && <Stars count={stars} outOf={starsMax} label={profile.stars(stars, starsMax)} />}
      </Gauge>
      <div className="mt-4 border-t border-line pt-3 text-14">
        <p>
          {change === 0 ? profile.trendNone : profile.trend(change > 0 ? `+${creditTrend}` : creditTrend)}
        </p>
        <p className="text-ink-soft">{profile.creditWhy}</p>
      </div>
    </CardSection>
  );
}

/** Their pictures in a row, without the words and file inputs beside each. */
const thumbnailsOnly =
  'w-full [&>div]:grid-cols-3 [&>div]:gap-2 [&>div>div>:not(:first-child)]:col-span-3 [&>div>div>:first-child>:first-child]:grow [&>div>div>:first-child>:last-child]:hidden';

/** The three identity documents: upload, view, refresh (§photos). */
function Documents() {
  const { consents, documents } = useAccountWords();
  const user = useUser();
  const isPresent = missingPieces(user).every(isDocumentPiece);
  const { accept, refresh } = useSession();
  const [refreshing, setRefreshing] = useState(false);
  const [wasWhole] = useState(documentPieces.every((piece) => user[piece] !== null));
  const isAsked = useSearch().includes('step=photos') || location.hash === '#documents';
  const [isFolded, setFolded] = useState(wasWhole && !isAsked);

  async function readAgain() {
    setRefreshing(true);
    // Failures are only logged; what is on screen stays.
    if (await refresh()) toast({ title: documents.refreshed });
    setRefreshing(false);
  }

  return (
    <CardSection
      id="documents"
      title={
        <NumberedTitle number={!user.isVerified && 2} isPresent={isPresent}>
          {documents.title}
        </NumberedTitle>
      }
      className="flex flex-col"
      action={
        <IconButton
          label={documents.refresh}
          aria-busy={refreshing || undefined}
          disabled={refreshing}
          onClick={() => void readAgain()}
          className="-my-2 -mr-2.5"
        >
          <RefreshCwIcon className={refreshing ? 'animate-turn' : ''} />
        </IconButton>
      }
    >
      <div className={isFolded ? 'flex flex-col items-start gap-2' : 'contents'}>
        {wasWhole && (
          <Button
            look="quiet"
            aria-expanded={!isFolded}
            icon={<CircleCheckIcon className="text-good" />}
            className="-my-1.5 -ml-3 px-3! text-ink!"
            onClick={() => setFolded(!isFolded)}
          >
            {documents.allHere}
            <ChevronDownIcon className={isFolded ? '' : 'rotate-180'} />
          </Button>
        )}
        {!isFolded && (
          <p className="mb-3 text-14 text-ink-soft not-first:mt-3">{consents.documents(lender().name)}</p>
        )}
        <div className={isFolded ? thumbnailsOnly : 'grow [&>div]:h-full'}>
          <DocumentTiles
            urls={user}
            openLabels={documents.open}
            attach={(piece, url) => accept(call(api.updateProfile, { body: { [piece]: url } }))}
          />
        </div>
      </div>
      {!isFolded && (
        <Disclosure title={documents.acceptedIds}>
          <p className="pb-3 text-ink-soft">{documents.ids}</p>
        </Disclosure>
      )}
    </CardSection>
  );
}
