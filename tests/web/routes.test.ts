import { describe, expect, it } from 'vitest';
import { isAppPath, paths, registerPath } from '#contract/routes.ts';

/** Written out, so that no path changes unnoticed (§routes). */
const promised = [
  '/',
  '/app-login',
  '/login',
  '/loan-app',
  '/wallet',
  '/profile',
  '/dashboard',
  '/admin-login',
  '/management',
  '/management/members',
  '/management/borrowing',
  '/management/withdrawal',
  '/management/settings',
];
const added = [
  '/account',
  '/management/audit',
  '/management/payments',
  '/management/approvals',
  '/management/today',
  '/management/take-payment',
  '/management/collections',
  '/management/complaints',
  '/management/messages',
  '/management/reports',
  '/management/reports/month',
  '/help',
  '/my-loan',
];

it('the app has the promised routes, those that came later, and no other', () => {
  expect(Object.values(paths).sort()).toEqual([...promised, ...added].sort());
  expect(registerPath).toBe('/app-login?register=true');
});

describe('a path of the app', () => {
  const screens = [...promised, ...added].filter((path) => path !== '/');

  it.each(screens)('%s is one, in any letter case and with a trailing slash', (path) => {
    expect([path, `${path}/`, path.toUpperCase()].map(isAppPath)).toEqual([true, true, true]);
  });

  it('/management/loans/1 is one, for any number', () => {
    expect(['/management/loans/1', '/management/loans/123456/'].map(isAppPath)).toEqual([true, true]);
    const others = [
      '/management/loans',
      '/management/loans/0',
      '/management/loans/x',
      '/management/loans/1/2',
    ];
    expect(others.filter(isAppPath)).toEqual([]);
  });

  it.each([
    '',
    '/',
    '//',
    '/nothing',
    '/wallet//',
    '/wallet/x',
    '/management/nothing',
    '/management/members/1',
    '/loan-app.html',
    '/app-login?register=true',
    '/api',
    '/constructor',
    'wallet',
    '/%77allet',
  ])('"%s" is not one', (path) => {
    expect(isAppPath(path)).toBe(false);
  });
});
