import { paths } from '#contract/routes.ts';
import { lazyPage } from '#web/lib/lazy-page.ts';

// One chunk a page. What borrowers load and what staff load never meet in one: the panel is one lazy door, `web/panel/panel.tsx`.
export const DashboardPage = lazyPage(() => import('#web/pages/dashboard-page.tsx'));
export const WalletPage = lazyPage(() => import('#web/pages/wallet-page.tsx'));
export const ProfilePage = lazyPage(() => import('#web/pages/profile-page.tsx'));
export const StaffHerePage = lazyPage(() => import('#web/pages/staff-here-page.tsx'));
export const NotFoundPage = lazyPage(() => import('#web/pages/not-found-page.tsx'));
export const AccessDeniedPage = lazyPage(() => import('#web/pages/access-denied-page.tsx'));
export const AdminLoginPage = lazyPage(() => import('#web/pages/admin-login-page.tsx'));

/** The cache of reads around the pages of the signed in; those who only sign in do not wait for it. */
export const BorrowerCache = lazyPage(async () => ({
  default: (await import('#web/lib/query.tsx')).QueryProvider,
}));

/** What the menu's button opens. */
export const BorrowerDrawer = lazyPage(() => import('./borrower-drawer.tsx'));

/** The toasts with what draws them: fetched with the first touch of a form or once a page has come to rest, not before. */
export const Toaster = lazyPage(async () => ({ default: (await import('#web/lib/toast.tsx')).Toaster }));

/** Sends for what a borrower sees at a path, while the session is still being restored or the sign-in form filled in. */
export function preloadBorrowerPage(path: string): void {
  BorrowerCache.preload();
  if (path === paths.wallet) WalletPage.preload();
  else if (path === paths.profile) ProfilePage.preload();
  else DashboardPage.preload();
}
