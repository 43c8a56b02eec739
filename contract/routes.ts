/**
 * Every path of the web app (spec section 2). The router binds them; the server answers any other path with the same
 * page and the status 404. `/` is not among them: the landing page is a page of its own, outside the app.
 */
export const paths = {
  landing: '/',
  signIn: '/app-login',
  customerLogin: '/login',
  home: '/loan-app',
  dashboard: '/dashboard',
  wallet: '/wallet',
  profile: '/profile',
  adminLogin: '/admin-login',
  management: '/management',
  members: '/management/members',
  borrowing: '/management/borrowing',
  withdrawals: '/management/withdrawal',
  settings: '/management/settings',
  audit: '/management/audit',
} as const;

/** Opens the sign-in screen in registration mode. */
export const registerPath = `${paths.signIn}?register=true`;

const screens: ReadonlySet<string> = new Set(Object.values(paths).filter((path) => path !== paths.landing));

/** Whether the app has a screen at this path; letter case and a slash at the end do not matter, as in the router. */
export function isAppPath(pathname: string): boolean {
  return screens.has(pathname.toLowerCase().replace(/\/$/, ''));
}
