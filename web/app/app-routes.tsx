import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { staffCame } from '#web/lib/first-profile.ts';
import { EnglishOnly, useCoreWords } from '#web/lib/language.tsx';
import { lazyPage } from '#web/lib/lazy-page.ts';
import { lender } from '#web/lib/lender.ts';
import { useOnline } from '#web/lib/online.ts';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { useRouteShift } from '#web/lib/route-shift.ts';
import { useSession } from '#web/lib/session.tsx';
import { OfflineBanner, Ribbon } from '#web/ui/ribbon.tsx';
import { BorrowerLayout } from './borrower-layout.tsx';
import { BorrowerRoutes } from './borrower-routes.tsx';
import { AccessDeniedPage, AdminLoginPage, Toaster } from './pages.ts';
import { PageShape, Starting } from './starting.tsx';

const Panel = lazyPage(() => import('#web/panel/panel.tsx'));

// Under an address of the panel its chunk waits for the word that it is staff who came, and for nothing drawn before.
if (location.pathname.startsWith(paths.management)) {
  void staffCame.then((isStaff) => isStaff && Panel.preload());
}

/** Spec section 2, Routes. `/` is not here: the landing page is a page of its own. */
export function AppRoutes() {
  useRouteShift();
  return (
    <Switch>
      <Route path={`${paths.management}/*?`}>
        <StaffOnly />
      </Route>
      <Route path={paths.adminLogin}>
        <EnglishOnly>
          <AdminLoginFrame>
            <Suspense>
              <AdminLoginPage />
            </Suspense>
          </AdminLoginFrame>
        </EnglishOnly>
      </Route>
      <Route>
        <BorrowerLayout>
          <BorrowerRoutes />
        </BorrowerLayout>
      </Route>
    </Switch>
  );
}

/** Whoever fills in this form will see a toast, and then the panel. */
function preloadAfterSignIn() {
  Toaster.preload();
  Panel.preload();
}

/** Around the staff's sign-in: no borrower's bars. */
function AdminLoginFrame({ children }: { children: ReactNode }) {
  const { shell } = useCoreWords();
  const online = useOnline();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens to what its fields bubble up
    <div className="flex min-h-dvh flex-col" onFocus={preloadAfterSignIn}>
      <header>
        {lender().isSample && <Ribbon>{shell.sampleRibbon}</Ribbon>}
        {!online && <OfflineBanner>{shell.offline}</OfflineBanner>}
      </header>
      <PageBoundary>{children}</PageBoundary>
    </div>
  );
}

/**
 * Fetches the panel and tells when it can be drawn, or has failed and shall say so. Drawn before, it would show nothing
 * for at least the 300 ms that React keeps a fallback on the screen.
 */
function usePanel(isWanted: boolean): boolean {
  const [isDone, setDone] = useState(Panel.isHere);
  useEffect(() => {
    if (isWanted) void Panel.load().then(() => setDone(true));
  }, [isWanted]);
  return isDone;
}

/** The panel, whose chunk only staff ever fetch. */
function StaffOnly() {
  const session = useSession();
  const [location] = useLocation();
  const isStaff = session.state === 'signedIn' && session.user.isAdmin;
  const isPanelHere = usePanel(isStaff);
  const [wasStarting] = useState(session.state === 'starting');
  // Straight from the sign-in: nothing for a moment, rather than a borrower's page.
  if (isStaff && !isPanelHere && !wasStarting) return null;
  if (isStaff && isPanelHere) {
    return (
      <Suspense>
        <Panel />
      </Suspense>
    );
  }
  return (
    <BorrowerLayout>
      <PageBoundary resetKey={location}>
        {session.state === 'starting' || isStaff ? (
          <Starting />
        ) : (
          <Suspense fallback={<PageShape />}>
            <AccessDeniedPage />
          </Suspense>
        )}
      </PageBoundary>
    </BorrowerLayout>
  );
}
