import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { staffCame } from '#web/lib/first-profile.ts';
import { EnglishOnly, useCoreWords } from '#web/lib/language.tsx';
import { lazyPage } from '#web/lib/lazy-page.ts';
import { lender } from '#web/lib/lender.ts';
import { useOnline } from '#web/lib/online.ts';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { useSession } from '#web/lib/session.tsx';
import { readToken } from '#web/lib/token.ts';
import SignInPage from '#web/pages/sign-in-page.tsx';
import { OfflineBanner, Ribbon } from '#web/ui/ribbon.tsx';
import { BorrowerLayout } from './borrower-layout.tsx';
import {
  AccessDeniedPage,
  AdminLoginPage,
  BorrowerCache,
  DashboardPage,
  NotFoundPage,
  ProfilePage,
  preloadBorrowerPage,
  StaffHerePage,
  Toaster,
  WalletPage,
} from './pages.ts';
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

// A stored token most likely leads to a page: its chunk need not wait for the profile.
if (readToken() !== undefined && !location.pathname.startsWith(paths.management)) {
  preloadBorrowerPage(location.pathname);
}

const signInPaths: readonly string[] = [paths.signIn, paths.customerLogin];
const borrowerPaths: readonly string[] = [paths.home, paths.dashboard, paths.wallet, paths.profile];

/**
 * The borrower's pages, inside the bars that stay. Signed out, the sign-in screen stands in place of every page of a
 * borrower, under its address; it is one and the same screen on all of them, so that nothing typed in it is lost.
 */
function BorrowerRoutes() {
  const [path] = useLocation();
  const session = useSession();
  const bare = path.toLowerCase().replace(/(.)\/$/, '$1');
  const isSignIn = signInPaths.includes(bare);
  const isBorrowers = borrowerPaths.includes(bare);
  return (
    <PageBoundary resetKey={path}>
      <Suspense fallback={<PageShape />}>
        {!isSignIn && !isBorrowers ? (
          <NotFoundPage />
        ) : session.state === 'starting' ? (
          <Starting />
        ) : session.state === 'signedOut' ? (
          <SignInPage onEngaged={preloadWhatFollows} />
        ) : isSignIn ? (
          <Redirect to={paths.home} replace />
        ) : session.user.isAdmin ? (
          <StaffHerePage />
        ) : (
          <BorrowerCache>
            <BorrowerPage />
          </BorrowerCache>
        )}
      </Suspense>
    </PageBoundary>
  );
}

function BorrowerPage() {
  return (
    <Switch>
      <Route path={paths.wallet} component={WalletPage} />
      <Route path={paths.profile} component={ProfilePage} />
      {/* The home screen; under its second address it opens the application at once. */}
      <Route component={DashboardPage} />
    </Switch>
  );
}

function preloadWhatFollows() {
  Toaster.preload();
  preloadBorrowerPage(paths.home);
}

/** The weave repeats every 48 px, so an offset within that shows every place of it. */
const weavePx = 48;

/**
 * Moves the weave behind the page by a random offset on each change of route (spec section 2). The style sheet ignores
 * the offset for people who prefer reduced motion.
 */
function useRouteShift(): void {
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change of location is what it is for
  useEffect(() => {
    const { style } = document.body;
    style.setProperty('--weave-x', `${Math.floor(Math.random() * weavePx)}px`);
    style.setProperty('--weave-y', `${Math.floor(Math.random() * weavePx)}px`);
  }, [location]);
}
