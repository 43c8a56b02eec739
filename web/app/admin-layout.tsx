import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { readStats } from '#contract/api.ts';
import { paths } from '#contract/routes.ts';
import { panel } from '#contract/wording/panel.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { brand, lender } from '#web/lib/lender.ts';
import { useOnline } from '#web/lib/online.ts';
import { PanelSlotProvider } from '#web/lib/panel-slot.tsx';
import { useRead } from '#web/lib/query.tsx';
import { useSession, useUser } from '#web/lib/session.tsx';
import { AdminFrame, AdminNav, adminNavItemStyle } from '#web/ui/admin-frame.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { OfflineBanner, Ribbon } from '#web/ui/ribbon.tsx';

/** The panel's sidebar and its places; a page puts its details beside the list with `BesideList`. */
export function AdminLayout({ children }: { children: ReactNode }) {
  const { shell } = useCoreWords();
  const online = useOnline();
  return (
    <PanelSlotProvider
      frame={(slot) => (
        <AdminFrame
          skipLabel={shell.skipToContent}
          ribbon={lender().isSample && <Ribbon>{shell.sampleRibbon}</Ribbon>}
          notice={!online && <OfflineBanner>{shell.offline}</OfflineBanner>}
          brand={
            <Link href={paths.management} className="flex min-h-9 items-center rounded-control">
              <Logo {...brand()} stacks />
            </Link>
          }
          nav={<AdminNavigation />}
          account={<SignedInAs />}
          panel={slot}
        >
          {children}
        </AdminFrame>
      )}
    />
  );
}

function AdminNavigation() {
  const words = panel.shell;
  const session = useSession();
  const { isMainAdmin } = useUser();
  const [location] = useLocation();
  const stats = useRead(readStats);
  const waitingCount = stats.data?.withdrawals.pending ?? 0;
  const waiting =
    waitingCount > 0 ? { count: waitingCount, text: words.withdrawalsWaiting(waitingCount) } : undefined;
  const items = [
    {
      href: paths.members,
      label: words.members,
      current: location === paths.members || location === paths.management,
    },
    { href: paths.borrowing, label: words.borrowing, current: location === paths.borrowing },
    { href: paths.withdrawals, label: words.withdrawals, current: location === paths.withdrawals, waiting },
    { href: paths.settings, label: words.settings, current: location === paths.settings },
    ...(isMainAdmin ? [{ href: paths.audit, label: words.audit, current: location === paths.audit }] : []),
  ];
  return (
    <AdminNav label={words.navigation} items={items} linkAs={Link}>
      <li>
        <button type="button" className={adminNavItemStyle} onClick={session.signOut}>
          {words.logout}
        </button>
      </li>
    </AdminNav>
  );
}

/** The main admin is labelled so (spec section 6); other staff by their name. */
function SignedInAs() {
  const user = useUser();
  const name = user.isMainAdmin ? panel.shell.mainAdmin : user.fullName;
  const note = [user.fullName, user.email, user.phone].find((text) => text && text !== name);
  return (
    <p className="px-3 text-12 text-on-deep-soft">
      <span className="block text-14 font-semibold text-on-deep wrap-anywhere">{name}</span>
      <span className="wrap-anywhere">{note}</span>
    </p>
  );
}
