import { type ComponentType, Suspense, useEffect } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { limits } from '#domain/limits.ts';
import { OwnPasswordDialog, SessionEndedDialog } from '#web/features/session/staff-dialogs.tsx';
import { EnglishOnly } from '#web/lib/language.tsx';
import { type LazyPage, lazyPage } from '#web/lib/lazy-page.ts';
import { QueryProvider, queryClient } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import { TooltipProvider } from '#web/ui/tooltip.tsx';
import { AdminLayout } from './admin-layout.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { AccessDeniedPage, NotFoundPage } from './pages.ts';
import { PanelShape } from './panel-shape.tsx';

const MembersPage = lazyPage(() => import('#web/pages/members-page.tsx'));
const BorrowingPage = lazyPage(() => import('#web/pages/borrowing-page.tsx'));
const WithdrawalsPage = lazyPage(() => import('#web/pages/withdrawals-page.tsx'));
const SettingsPage = lazyPage(() => import('#web/pages/settings-page.tsx'));
const AuditPage = lazyPage(() => import('#web/pages/audit-page.tsx'));

const pages: Record<string, LazyPage> = {
  // What comes after it.
  [paths.adminLogin]: MembersPage,
  [paths.management]: MembersPage,
  [paths.members]: MembersPage,
  [paths.borrowing]: BorrowingPage,
  [paths.withdrawals]: WithdrawalsPage,
  [paths.settings]: SettingsPage,
  [paths.audit]: AuditPage,
};

/** Fetches the page of a path, so that it can be drawn with the panel. Where it cannot be had, drawing it will say so. */
export async function loadPage(path: string): Promise<void> {
  await (pages[path] ?? NotFoundPage).load();
}

/** The other pages are sent for when the first one has had time to come. */
const othersAfterMs = 500;

/** The staff panel: in English, with its own cache, tooltips and the dialogs that a staff session may need. */
export default function AdminPanel() {
  const user = useUser();
  useEffect(() => {
    const timeout = setTimeout(() => {
      for (const page of Object.values(pages)) page.preload();
    }, othersAfterMs);
    return () => clearTimeout(timeout);
  }, []);
  return (
    <EnglishOnly>
      <QueryProvider>
        <TooltipProvider delayMs={limits.tooltipOpenMs} skipDelayMs={limits.tooltipSkipMs}>
          {/* Another account starts from a clean page. */}
          <AdminLayout key={user.id}>
            <AdminRoutes />
          </AdminLayout>
          <SessionEndedDialog onSignedInAgain={readAgainWhatFailed} />
          <OwnPasswordDialog />
        </TooltipProvider>
      </QueryProvider>
    </EnglishOnly>
  );
}

const readAgainWhatFailed = () =>
  void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });

function AdminRoutes() {
  const [path] = useLocation();
  return (
    <PageBoundary resetKey={path}>
      <Suspense fallback={<PanelShape />}>
        <Switch>
          <Route path={paths.management} component={MembersPage} />
          <Route path={paths.members} component={MembersPage} />
          <Route path={paths.borrowing} component={BorrowingPage} />
          <Route path={paths.withdrawals} component={WithdrawalsPage} />
          <Route path={paths.settings} component={SettingsPage} />
          <Route path={paths.audit}>
            <ForMainAdmin page={AuditPage} />
          </Route>
          <Route component={NotFoundPage} />
        </Switch>
      </Suspense>
    </PageBoundary>
  );
}

function ForMainAdmin({ page: Page }: { page: ComponentType }) {
  return useUser().isMainAdmin ? <Page /> : <AccessDeniedPage />;
}
