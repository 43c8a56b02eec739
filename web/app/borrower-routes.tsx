import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { useSession } from '#web/lib/session.tsx';
import { readToken } from '#web/lib/token.ts';
import SignInPage from '#web/pages/sign-in-page.tsx';
import {
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
export function BorrowerRoutes() {
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
