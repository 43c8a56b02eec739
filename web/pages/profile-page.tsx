import { useEffect } from 'react';
import { Link } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import { paths } from '#contract/routes.ts';
import { LoanPapers } from '#web/features/contract/loan-papers.tsx';
import { Documents } from '#web/features/document/documents.tsx';
import { YourData } from '#web/features/privacy/your-data.tsx';
import { AccountCard } from '#web/features/profile/account-card.tsx';
import { CreditScore } from '#web/features/profile/credit-score.tsx';
import { PersonalInformation } from '#web/features/profile/personal-information.tsx';
import { VerificationChecklist } from '#web/features/profile/verification-checklist.tsx';
import { OwnPasswordForm } from '#web/features/session/own-password-form.tsx';
import { useAccountWords } from '#web/lib/account-words.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useRead } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import { useWords } from '#web/lib/words.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Columns } from '#web/ui/borrower-frame.tsx';
import { Button, buttonStyle } from '#web/ui/button.tsx';
import { ShieldCheckIcon } from '#web/ui/icons.tsx';

/** Section ids other pages link to. */
const parts = { personal: 'personal', documents: 'documents', papers: 'papers', data: 'data' } as const;

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
      <Columns
        first={
          <>
            <CreditScore />
            <VerificationChecklist personalId={parts.personal} documentsId={parts.documents} />
            <PersonalInformation id={parts.personal} />
          </>
        }
        second={
          <>
            <Documents id={parts.documents} />
            <ReadyToApply />
            <LoanPapers id={parts.papers} />
            <YourData id={parts.data} />
            <AccountCard
              passwordForm={(close) => (
                <OwnPasswordForm
                  onDone={close}
                  cancel={
                    <Button look="secondary" onClick={close}>
                      {shell.cancel}
                    </Button>
                  }
                />
              )}
            />
          </>
        }
      />
    </>
  );
}

/** Scrolls to the section in the URL's hash: the browser looked for it before this page was rendered. */
function useArrivalAtPart() {
  useEffect(() => {
    const part = location.hash.slice(1);
    if (Object.hasOwn(parts, part)) document.getElementById(part)?.scrollIntoView();
  }, []);
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
