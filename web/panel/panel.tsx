import { Route, Switch, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { EnglishOnly } from '#web/lib/language.tsx';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { QueryProvider, queryClient } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import AccessDeniedPage from '#web/pages/access-denied-page.tsx';
import NotFoundPage from '#web/pages/not-found-page.tsx';
import { TooltipProvider } from '#web/ui/tooltip.tsx';
import AuditPage from './audit-page.tsx';
import BorrowingPage from './borrowing-page.tsx';
import MembersPage from './members-page.tsx';
import { PanelLayout } from './panel-layout.tsx';
import SettingsPage from './settings-page.tsx';
import { OwnPasswordDialog, SessionEndedDialog } from './staff-dialogs.tsx';
import WithdrawalsPage from './withdrawals-page.tsx';

/** The staff panel, all pages in one chunk: English only, with its own cache, tooltips and session dialogs. */
export default function Panel() {
  const user = useUser();
  return (
    <EnglishOnly words={en}>
      <QueryProvider>
        <TooltipProvider delayMs={limits.tooltipOpenMs} skipDelayMs={limits.tooltipSkipMs}>
          {/* Another account starts from a clean page. */}
          <PanelLayout key={user.id}>
            <Routes />
          </PanelLayout>
          <SessionEndedDialog onSignedInAgain={readAgainWhatFailed} />
          <OwnPasswordDialog />
        </TooltipProvider>
      </QueryProvider>
    </EnglishOnly>
  );
}

const readAgainWhatFailed = () =>
  void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });

function Routes() {
  const [path] = useLocation();
  return (
    <PageBoundary resetKey={path}>
      <Switch>
        <Route path={paths.management} component={MembersPage} />
        <Route path={paths.members} component={MembersPage} />
        <Route path={paths.borrowing} component={BorrowingPage} />
        <Route path={paths.withdrawals} component={WithdrawalsPage} />
        <Route path={paths.settings} component={SettingsPage} />
        <Route path={paths.audit} component={AuditForMainAdmin} />
        <Route component={NotFoundPage} />
      </Switch>
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
