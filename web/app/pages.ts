import { paths } from '#contract/routes.ts';
import { isStaffSession } from '#web/lib/first-requests.ts';
import { type LazyPart, lazyPage, lazyPart } from '#web/lib/lazy-page.ts';
import type { SessionState } from '#web/lib/session-store.ts';
import { readToken } from '#web/lib/token.ts';

// One chunk per page. Borrower and staff code never share one: the panel has a single lazy entry,
// `web/panel/panel.tsx`.
const DashboardPage = lazyPage(() => import('#web/pages/dashboard-page.tsx'));
export const SignInPage = lazyPart(() => import('#web/pages/sign-in-page.tsx'), 'SignInPage');
export const StaffHerePage = lazyPage(() => import('#web/pages/staff-here-page.tsx'));
export const NotFoundPage = lazyPage(() => import('#web/pages/not-found-page.tsx'));
export const AccessDeniedPage = lazyPage(() => import('#web/pages/access-denied-page.tsx'));
export const AdminLoginPage = lazyPage(() => import('#web/pages/admin-login-page.tsx'));

/** The query cache, only around signed-in pages: the sign-in screen does not wait for it. */
const loadCache = () => import('#web/lib/query.tsx');
export const BorrowerCache = lazyPart(loadCache, 'QueryProvider');

const loadPanel = () => import('#web/panel/panel.tsx');
export const Panel = lazyPage(loadPanel);

export const BorrowerDrawer = lazyPart(() => import('./borrower-drawer.tsx'), 'BorrowerDrawer');

/** Fetched on the first interaction with a form or once the page is idle. */
export const Toaster = lazyPart(() => import('#web/lib/toaster.tsx'), 'Toaster');

/** A borrower's page by its path. At /dashboard the home page opens the application. */
export const borrowerPages: Record<string, LazyPart | undefined> = {
  [paths.home]: DashboardPage,
  [paths.dashboard]: DashboardPage,
  [paths.wallet]: lazyPage(() => import('#web/pages/wallet-page.tsx')),
  [paths.myLoan]: lazyPage(() => import('#web/pages/my-loan-page.tsx')),
  [paths.help]: lazyPage(() => import('#web/pages/help-page.tsx')),
  [paths.profile]: lazyPage(() => import('#web/pages/profile-page.tsx')),
  [paths.account]: lazyPage(() => import('#web/pages/account-page.tsx')),
};

/** Fetches a borrower's page, for example while the sign-in form is filled in. */
export const preloadBorrowerPage = (path: string): Promise<unknown> =>
  Promise.all([BorrowerCache.load(), (borrowerPages[path] ?? DashboardPage).load()]);

/** All that the page of a stored session is drawn with at first. Resolves at once for a visitor. */
export async function loadFirstPage(session: Promise<SessionState>): Promise<void> {
  const path = location.pathname;
  if (readToken() === undefined) {
    if (!path.startsWith(paths.management) && path !== paths.adminLogin) await SignInPage.load();
    return;
  }
  if (path.startsWith(paths.management)) {
    if (await isStaffSession) await Promise.all([session, loadPanel().then((panel) => panel.loadPage(path))]);
    return;
  }
  const [started] = await Promise.all([session, preloadBorrowerPage(path)]);
  if (started.state !== 'signedIn' || started.user.isAdmin) return;
  const { readFirst } = await loadCache();
  await readFirst(path);
}
