import { Link } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import { paths } from '#contract/routes.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { useRead } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { buttonStyle } from '#web/ui/button.tsx';
import { ShieldCheckIcon } from '#web/ui/icons.tsx';

/** The way on from a complete profile, for who has not applied yet. It comes up where the last piece was given. */
export function ReadyToApply() {
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
