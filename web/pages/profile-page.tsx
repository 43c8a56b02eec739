import {
  ArrowDownIcon,
  ArrowUpIcon,
  ChevronRightIcon,
  CircleCheckIcon,
  KeyRoundIcon,
  LogOutIcon,
  RefreshCwIcon,
  ShieldCheckIcon,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useSearch } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import { paths } from '#contract/routes.ts';
import { creditBand } from '#domain/credit.ts';
import { limits } from '#domain/limits.ts';
import { type DemandedPiece, demandedPieces, documentPieces, missingPieces } from '#domain/profile.ts';
import { LoanPapers } from '#web/features/contract/loan-papers.tsx';
import { YourData } from '#web/features/privacy/your-data.tsx';
import { PersonalInformation } from '#web/features/profile/personal-information.tsx';
import { OwnPasswordForm } from '#web/features/session/own-password-form.tsx';
import { VerificationBanner } from '#web/features/verification/verification-banner.tsx';
import { useAccountWords } from '#web/lib/all-words.ts';
import { call } from '#web/lib/call.ts';
import { DocumentTiles } from '#web/lib/document-tiles.tsx';
import { useWords } from '#web/lib/home-words.ts';
import { type Language, useLanguage } from '#web/lib/language.tsx';
import { lender } from '#web/lib/lender.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useRead } from '#web/lib/query.tsx';
import { useSession, useUser } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Column, Columns } from '#web/ui/borrower-frame.tsx';
import { Button, buttonStyle } from '#web/ui/button.tsx';
import { CardSection } from '#web/ui/card.tsx';
import { ChoiceField } from '#web/ui/choice-field.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Gauge, type GaugeBand, Stars } from '#web/ui/gauge.tsx';

/** §profile-page */
export default function ProfilePage() {
  const { shell } = useWords();
  const { fullName, phone } = useUser();
  usePageTitle(shell.profile);
  useArrivalAtPart();
  return (
    <>
      <div>
        <h1 className="font-heading text-24 font-bold">{shell.profile}</h1>
        <p className="text-14 text-ink-soft wrap-anywhere">
          <bdi>{fullName}</bdi> · <bdi>{phone}</bdi>
        </p>
      </div>
      <Columns>
        <Column>
          <CreditScore />
          <VerificationBanner>
            <VerificationChecklist />
          </VerificationBanner>
          <PersonalInformation />
        </Column>
        <Column>
          <Documents />
          <ReadyToApply />
          <LoanPapers />
          <YourData />
          <AccountCard />
        </Column>
      </Columns>
    </>
  );
}

/** Scrolls to the section asked for by step or hash: the browser looked for it before this page was rendered. */
function useArrivalAtPart() {
  const step = new URLSearchParams(useSearch()).get('step');
  const pieces = missingPieces(useUser());
  const missing = documentPieces.findIndex((piece) => pieces.includes(piece));
  // biome-ignore lint/correctness/useExhaustiveDependencies: on arrival only
  useEffect(() => {
    const part = document.getElementById(step === 'photos' ? 'documents' : location.hash.slice(1));
    part?.scrollIntoView();
    if (step === 'photos') part?.querySelectorAll<HTMLElement>('input[type=file]')[missing]?.focus();
  }, [step]);
}

/** Prompts a verified borrower without a loan to apply; appears as soon as the last missing piece is added. */
function ReadyToApply() {
  const { dashboard, profile } = useAccountWords();
  const { isVerified } = useUser();
  const { data: loans } = useRead(api.listOwnLoans);
  return (
    <div role="status" className="empty:hidden">
      {isVerified && loans?.length === 0 && (
        <Banner
          tone="good"
          icon={<ShieldCheckIcon />}
          title={profile.complete}
          action={
            <Link href={paths.dashboard} className={buttonStyle()}>
              {dashboard.apply}
            </Link>
          }
        >
          {profile.completeText}
        </Banner>
      )}
    </div>
  );
}

const starsMax = 5;

const bands: readonly GaugeBand[] = [
  { id: 'bad', to: limits.creditAverageFrom, tone: 'bad' },
  { id: 'average', to: limits.creditGoodFrom, tone: 'warn' },
  { id: 'good', to: limits.creditPerfectFrom, tone: 'fair' },
  { id: 'perfect', to: limits.creditScoreMax, tone: 'good' },
];

/** Credit score with band, stars and trend (§credit-score). */
function CreditScore() {
  const { profile } = useAccountWords();
  const { creditScore, creditTrend } = useUser();
  const { key, stars } = creditBand(creditScore);
  const band = profile.bands[key];
  return (
    <CardSection title={profile.credit}>
      <Gauge
        value={creditScore}
        max={limits.creditScoreMax}
        bands={bands}
        label={profile.creditSpoken({ score: creditScore, max: limits.creditScoreMax, band })}
      >
        <p className="mt-1 font-heading text-20 font-bold">{band}</p>
        {stars > 0 && <Stars count={stars} outOf={starsMax} label={profile.stars(stars, starsMax)} />}
        <Trend percent={creditTrend} />
        <p className="mt-1 text-12 text-ink-soft">{profile.creditWhy}</p>
      </Gauge>
    </CardSection>
  );
}

/** Percent since the previous score, as the server formats it (§credit-score). */
function Trend({ percent }: { percent: string }) {
  const { profile } = useAccountWords();
  const change = Number(percent);
  if (change === 0) return <p className="mt-2 text-center text-14 text-ink-soft">{profile.trendNone}</p>;
  const [Icon, tone, sign] =
    change > 0 ? ([ArrowUpIcon, 'text-good', '+'] as const) : ([ArrowDownIcon, 'text-bad', ''] as const);
  return (
    <p className={`mt-2 text-center text-14 font-semibold ${tone}`}>
      <Icon className="-mt-0.5 mr-1 inline size-4" />
      {profile.trend(`${sign}${percent}`)}
    </p>
  );
}

function VerificationChecklist() {
  const { profile } = useAccountWords();
  const missing = missingPieces(useUser());
  return (
    <section aria-label={profile.checklist} className="p-4.5 pt-3">
      <ul>
        {demandedPieces.map((piece) => (
          <Piece
            key={piece}
            piece={piece}
            isMissing={missing.includes(piece)}
            partId={(documentPieces as readonly string[]).includes(piece) ? 'documents' : 'personal'}
          />
        ))}
      </ul>
    </section>
  );
}

function Piece({ piece, isMissing, partId }: { piece: DemandedPiece; isMissing: boolean; partId: string }) {
  const { profile, verification } = useAccountWords();
  const name = verification.pieces[piece];
  if (!isMissing) {
    return (
      <li className="flex items-center gap-2.5 py-1.5 text-14 text-ink-soft">
        <CircleCheckIcon className="size-5 shrink-0 text-good" />
        {name}
        <span className="sr-only"> ({profile.pieceThere})</span>
      </li>
    );
  }
  return (
    <li>
      <a
        href={`#${partId}`}
        className="-mx-2 flex min-h-11 items-center gap-2.5 rounded-control px-2 text-14 font-semibold hover:bg-leaf-tint"
      >
        <span
          aria-hidden="true"
          className="mx-0.5 size-4 shrink-0 rounded-full border-2 border-dashed border-warn"
        />
        <span className="min-w-0 flex-1">{name}</span>
        <span className="text-12 font-bold text-warn">{profile.pieceMissing}</span>
        <ChevronRightIcon className="size-4 shrink-0 text-ink-soft" />
      </a>
    </li>
  );
}

/** The three identity documents: upload, view, refresh (§photos). */
function Documents() {
  const { consents, documents } = useAccountWords();
  const user = useUser();
  const { accept, refresh } = useSession();
  const [refreshing, setRefreshing] = useState(false);

  async function readAgain() {
    setRefreshing(true);
    // Failures are only logged; what is on screen stays.
    if (await refresh()) toast({ title: documents.refreshed });
    setRefreshing(false);
  }

  return (
    <CardSection id="documents" title={documents.title}>
      <p className="text-14 text-ink-soft">{documents.why}</p>
      <p className="my-3 text-14">
        <span className="font-semibold">{documents.acceptedIds}</span> {documents.ids}
      </p>
      <DocumentTiles
        urls={user}
        openLabels={documents.open}
        attach={(piece, url) => accept(call(api.updateProfile, { body: { [piece]: url } }))}
      />
      <p className="mt-3 text-14">{documents.howTo}</p>
      <p className="mt-3 text-12 text-ink-soft">{consents.documents(lender().name)}</p>
      <Button
        look="quiet"
        wide
        className="mt-3"
        busy={refreshing}
        icon={<RefreshCwIcon />}
        onClick={() => void readAgain()}
      >
        {documents.refresh}
      </Button>
    </CardSection>
  );
}

function AccountCard() {
  const { profile, shell } = useAccountWords();
  const { language, setLanguage } = useLanguage();
  const { signOut } = useSession();
  const { mustChangePassword } = useUser();
  const [changing, setChanging] = useState(false);
  const close = () => setChanging(false);

  /** The choice shows at once, even while its wording is loading. */
  const [chosen, setChosen] = useState<Language>();
  function choose(next: Language) {
    setChosen(next);
    void setLanguage(next).finally(() => setChosen((last) => (last === next ? undefined : last)));
  }

  return (
    <CardSection title={profile.account} className="flex flex-col gap-4">
      <div>
        {mustChangePassword && <p className="mb-3 text-14 font-medium">{profile.passwordIssued}</p>}
        <Button look="secondary" wide icon={<KeyRoundIcon />} onClick={() => setChanging(true)}>
          {profile.changePassword}
        </Button>
      </div>
      <div>
        <ChoiceField<Language>
          label={shell.language}
          options={[
            { value: 'en', label: shell.english },
            { value: 'fil', label: shell.filipino },
          ]}
          value={chosen ?? language}
          onValueChange={choose}
        />
        <p className="mt-1.5 text-12 text-ink-soft">{profile.languageWhy}</p>
      </div>
      <Button look="quiet" wide icon={<LogOutIcon />} onClick={signOut}>
        {shell.logout}
      </Button>
      {changing && (
        <Dialog
          onClose={close}
          closeOnBackdrop={false}
          title={profile.changePassword}
          description={profile.passwordWhy}
        >
          <OwnPasswordForm cancelLabel={shell.cancel} onDone={close} />
        </Dialog>
      )}
    </CardSection>
  );
}
