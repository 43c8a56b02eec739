import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { readStats } from '#contract/api.ts';
import { paths } from '#contract/routes.ts';
import { panel } from '#contract/wording/panel.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { brand, lender } from '#web/lib/lender.ts';
import { useOnline } from '#web/lib/online.ts';
import { useRead } from '#web/lib/query.tsx';
import { useSession, useUser } from '#web/lib/session.tsx';
import { SkipLink } from '#web/ui/borrower-frame.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { OfflineBanner, Ribbon } from '#web/ui/ribbon.tsx';
import { PanelSlotProvider } from './lib/panel-slot.tsx';

/** Sidebar, list, and the details a page renders with `BesideList`. At least 1024 px wide; narrower windows scroll. */
export function PanelLayout({ children }: { children: ReactNode }) {
  const { shell } = useCoreWords();
  const online = useOnline();
  return (
    <PanelSlotProvider
      frame={(slot) => (
        <div className="flex h-dvh min-w-[1024px] flex-col bg-paper">
          <SkipLink label={shell.skipToContent} />
          {lender().isSample && <Ribbon>{shell.sampleRibbon}</Ribbon>}
          {!online && <OfflineBanner>{shell.offline}</OfflineBanner>}
          <div className="flex min-h-0 flex-1">
            <header className="on-deep flex w-54 shrink-0 flex-col overflow-y-auto bg-leaf-deep text-on-deep">
              <div className="px-5.5 pb-5 pt-5.5">
                <Link href={paths.management} className="flex min-h-9 items-center rounded-control">
                  <Logo {...brand()} stacks />
                </Link>
              </div>
              <Navigation />
              <div className="mt-auto px-3.5 py-5">
                <SignedInAs />
              </div>
            </header>
            <main
              id="main"
              tabIndex={-1}
              className="weave-edges flex min-w-0 flex-1 flex-col overflow-y-auto px-6 py-5"
            >
              {children}
            </main>
            {slot}
          </div>
        </div>
      )}
    />
  );
}

const lineStyle =
  'flex min-h-10 w-full items-center justify-between gap-2 rounded-control px-3 text-left text-14 font-semibold text-on-deep-soft transition-colors hover:bg-on-deep/10 hover:text-on-deep aria-[current=page]:bg-on-deep/15 aria-[current=page]:text-on-deep';

function Navigation() {
  const words = panel.shell;
  const session = useSession();
  const { isMainAdmin } = useUser();
  const waiting = useRead(readStats).data?.withdrawals.pending ?? 0;
  return (
    <nav aria-label={words.navigation} className="px-3.5">
      <ul className="flex flex-col gap-1">
        <Place href={paths.members} alsoAt={paths.management} label={words.members} />
        <Place href={paths.borrowing} label={words.borrowing} />
        <Place href={paths.withdrawals} label={words.withdrawals} waiting={waiting} />
        <Place href={paths.settings} label={words.settings} />
        {isMainAdmin && <Place href={paths.audit} label={words.audit} />}
        <li>
          <button type="button" className={lineStyle} onClick={session.signOut}>
            {words.logout}
          </button>
        </li>
      </ul>
    </nav>
  );
}

type PlaceProps = { href: string; alsoAt?: string; label: string; waiting?: number };

/** A sidebar link. Its badge is described separately, so that its accessible name stays plain. */
function Place({ href, alsoAt, label, waiting = 0 }: PlaceProps) {
  const [location] = useLocation();
  return (
    <li>
      <Link
        href={href}
        aria-current={location === href || location === alsoAt ? 'page' : undefined}
        aria-description={waiting > 0 ? panel.shell.withdrawalsWaiting(waiting) : undefined}
        className={lineStyle}
      >
        {label}
        {waiting > 0 && (
          <span
            aria-hidden="true"
            className="-mr-2 min-w-5.5 whitespace-nowrap rounded-full bg-mango px-1.5 py-0.5 text-center text-12 font-bold text-on-mango"
          >
            {/* Two digits fit; the description has the full number. */}
            {waiting > 99 ? '99+' : waiting}
          </span>
        )}
      </Link>
    </li>
  );
}

/** The main admin is labelled as such (§main-admin), other staff by name. */
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
