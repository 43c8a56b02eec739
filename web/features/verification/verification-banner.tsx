import { Link } from 'wouter';
import { paths } from '#contract/routes.ts';
import { missingPieces } from '#domain/profile.ts';
import { useLazyPart } from '#web/lib/lazy-page.ts';
import { useUser } from '#web/lib/session.tsx';
import { useWords } from '#web/lib/words.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonStyle } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ShieldAlertIcon, ShieldCheckIcon } from '#web/ui/icons.tsx';

/** Whether the account is verified; if not, what is missing and where to go (§verified-account). */
export function VerificationBanner() {
  const { verification } = useWords();
  const user = useUser();
  if (user.isVerified) {
    return (
      <Banner tone="good" icon={<ShieldCheckIcon />} title={verification.verified}>
        {verification.verifiedText}
      </Banner>
    );
  }
  return (
    <Card padding="none" className="overflow-hidden">
      <Banner
        tone="warn"
        icon={<ShieldAlertIcon />}
        title={verification.notVerified}
        className="rounded-none!"
        action={
          <Link href={paths.profile} className={buttonStyle({ look: 'secondary', size: 'compact' })}>
            {verification.complete}
          </Link>
        }
      >
        {verification.missing(missingPieces(user).length)}
      </Banner>
      <Steps />
    </Card>
  );
}

const fetchSteps = async () => (await import('./missing-steps.tsx')).MissingSteps;

/** Lazy, since most visitors are verified. Without it the banner still links to the profile. */
function Steps() {
  const MissingSteps = useLazyPart(fetchSteps);
  if (MissingSteps === null) return null;
  return MissingSteps ? <MissingSteps /> : <div aria-hidden="true" className="h-34" />;
}
