import { ShieldAlertIcon, ShieldCheckIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { missingPieces } from '#domain/profile.ts';
import { useWords } from '#web/lib/home-words.ts';
import { useUser } from '#web/lib/session.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Card } from '#web/ui/card.tsx';

/** Whether the account is verified; if not, how much is missing, and below it the way there (§verified-account). */
export function VerificationBanner({ action, children }: { action?: ReactNode; children: ReactNode }) {
  const { verification } = useWords();
  const missing = missingPieces(useUser());
  if (missing.length === 0) {
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
        action={action}
      >
        {verification.missing(missing.length)}
      </Banner>
      {children}
    </Card>
  );
}
