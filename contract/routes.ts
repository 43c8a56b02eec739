/**
 * Every path of the web app (§routes). The router binds them; for any other path the server sends the same page
 * with status 404. `/`, the landing page, is outside the app.
 */
export const paths = {
  landing: '/',
  signIn: '/app-login',
  customerLogin: '/login',
  home: '/loan-app',
  dashboard: '/dashboard',
  wallet: '/wallet',
  myLoan: '/my-loan',
  profile: '/profile',
  account: '/account',
  help: '/help',
  adminLogin: '/admin-login',
  management: '/management',
  today: '/management/today',
  takePayment: '/management/take-payment',
  members: '/management/members',
  borrowing: '/management/borrowing',
  withdrawals: '/management/withdrawal',
  payments: '/management/payments',
  approvals: '/management/approvals',
  collections: '/management/collections',
  complaints: '/management/complaints',
  messages: '/management/messages',
  reports: '/management/reports',
  month: '/management/reports/month',
  settings: '/management/settings',
  audit: '/management/audit',
} as const;

export const loanAccountPath = (loanId: number) => `/management/loans/${loanId}`;

/** The guided form of the profile: what an application still needs. */
export const stepPath = (step: 'about' | 'photos') => `${paths.profile}?step=${step}`;

/** The wallet, with its messages open. */
export const messagesPath = `${paths.wallet}?messages`;

export const registerPath = `${paths.signIn}?register=true`;

const screens: ReadonlySet<string> = new Set(Object.values(paths).filter((path) => path !== paths.landing));

/** Ignores case and a trailing slash, like the router. */
export function isAppPath(pathname: string): boolean {
  const path = pathname.toLowerCase().replace(/\/$/, '');
  return screens.has(path) || /^\/management\/loans\/[1-9]\d{0,15}$/.test(path);
}
