import { type ReactNode, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { EnglishOnly, useCoreWords } from '#web/lib/language.tsx';
import { lazyPage } from '#web/lib/lazy-page.ts';
import { lender } from '#web/lib/lender.ts';
import { useOnline } from '#web/lib/online.ts';
import { useRouteShift } from '#web/lib/route-shift.ts';
import { useSession } from '#web/lib/session.tsx';
import { OfflineBanner, Ribbon } from '#web/ui/ribbon.tsx';
import { BorrowerLayout } from './borrower-layout.tsx';
import { BorrowerRoutes } from './borrower-routes.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { AccessDeniedPage, AdminLoginPage, Toaster } from './pages.ts';
import { PageShape, Starting } from './starting.tsx';

const AdminPanel = lazyPage(() => import('./admin-panel.tsx'));

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

/** Around the staff's sign-in: no borrower's bars. */
function AdminLoginFrame({ children }: { children: ReactNode }) {
  const { shell } = useCoreWords();
  const online = useOnline();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens to what its fields bubble up
    <div className="flex min-h-dvh flex-col" onFocus={Toaster.preload}>
      <header>
        {lender().isSample && <Ribbon>{shell.sampleRibbon}</Ribbon>}
        {!online && <OfflineBanner>{shell.offline}</OfflineBanner>}
      </header>
      <PageBoundary>{children}</PageBoundary>
    </div>
  );
}

/** The panel, whose chunk only staff ever fetch. */
function StaffOnly() {
  const session = useSession();
  const [location] = useLocation();
  if (session.state === 'signedIn' && session.user.isAdmin) {
    return (
      <Suspense>
        <AdminPanel />
      </Suspense>
    );
  }
  return (
    <BorrowerLayout>
      <PageBoundary resetKey={location}>
        {session.state === 'starting' ? (
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
