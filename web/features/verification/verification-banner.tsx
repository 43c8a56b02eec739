import { Link } from 'wouter';
import { paths } from '#contract/routes.ts';
import { missingForVerification } from '#domain/member.ts';
import { useUser } from '#web/lib/session.tsx';
import { useWords } from '#web/lib/words.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonStyle } from '#web/ui/button.tsx';
import { ShieldAlertIcon, ShieldCheckIcon } from '#web/ui/icons.tsx';

/** Whether the account is verified and, where it is not, the way to the profile (spec section 4). */
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
    <Banner
      tone="warn"
      icon={<ShieldAlertIcon />}
      title={verification.notVerified}
      action={
        <Link href={paths.profile} className={buttonStyle({ look: 'secondary', size: 'compact' })}>
          {verification.complete}
        </Link>
      }
    >
      {verification.missing(missingForVerification(user).length)}
    </Banner>
  );
}
