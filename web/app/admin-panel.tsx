import { Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { OwnPasswordDialog, SessionEndedDialog } from '#web/features/session/staff-dialogs.tsx';
import { EnglishOnly } from '#web/lib/language.tsx';
import { QueryProvider, queryClient } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import AuditPage from '#web/pages/audit-page.tsx';
import BorrowingPage from '#web/pages/borrowing-page.tsx';
import MembersPage from '#web/pages/members-page.tsx';
import SettingsPage from '#web/pages/settings-page.tsx';
import WithdrawalsPage from '#web/pages/withdrawals-page.tsx';
import { TooltipProvider } from '#web/ui/tooltip.tsx';
import { AdminLayout } from './admin-layout.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { AccessDeniedPage, NotFoundPage } from './pages.ts';
import { PanelShape } from './panel-shape.tsx';

/**
 * The staff panel, all its pages in one chunk: in English, with its own cache, tooltips and the dialogs that a staff
 * session may need.
 */
export default function AdminPanel() {
  const user = useUser();
  return (
    <EnglishOnly words={en}>
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
          <Route path={paths.audit} component={AuditForMainAdmin} />
          <Route component={NotFoundPage} />
        </Switch>
      </Suspense>
    </PageBoundary>
  );
}

function AuditForMainAdmin() {
  if (useUser().isMainAdmin) return <AuditPage />;
  return (
    <AccessDeniedPage
      reason={panel.audit.mainAdminOnly}
      onward={{ href: paths.members, label: panel.shell.members }}
    />
  );
}
