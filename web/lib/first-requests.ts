import { listNotifications, listOwnLoans, listOwnWithdrawals } from '#contract/borrower-endpoints.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { readContact } from '#contract/message-endpoints.ts';
import { paths } from '#contract/routes.ts';
import { readProfile } from '#contract/session-endpoints.ts';
import { readsFilipino } from './stored-value.ts';
import { readToken } from './token.ts';

// Requests what the page of a stored session needs as soon as this module runs: the profile, the page's scripts, and then
// what the page reads first. The build makes it a script of its own that loads first (`vite.config.ts`), so both arrive
// while the rest of the app is still loading.

type Asked = { token: string; atMs: number; answer: Promise<Response>; cancel: () => void };

/** A page that opens after this makes its own requests. */
const freshForMs = 10_000;

const asked = new Map<string, Asked>();

function ask(address: string, token: string): Promise<Response> {
  const controller = new AbortController();
  const answer = fetch(address, {
    credentials: 'include',
    signal: controller.signal,
    headers: { Authorization: `Bearer ${token}` },
  });
  // The caller that takes the response handles its failure.
  answer.catch(() => undefined);
  asked.set(address, { token, atMs: performance.now(), answer, cancel: () => controller.abort() });
  return answer;
}

/** The response to an early request, once, if it was made with this token. */
export function takeFirstReply(
  address: string,
  token: string | undefined,
  signal: AbortSignal,
): Promise<Response> | undefined {
  const first = asked.get(address);
  if (first === undefined || first.token !== token) return undefined;
  asked.delete(address);
  if (address !== readProfile.path && performance.now() - first.atMs > freshForMs) return undefined;
  signal.addEventListener('abort', first.cancel);
  return first.answer;
}

/** The build wrote the scripts into the page (`vite.config.ts`): by path, as `visitor` for the sign-in screen, as `fil` for Filipino. */
function fetchScripts(what: string): void {
  const scripts: Record<string, string[]> = JSON.parse(
    document.getElementById('page-scripts')?.textContent ?? '{}',
  );
  for (const href of scripts[what] ?? []) {
    const link = { rel: 'modulepreload', crossOrigin: '', href };
    document.head.append(Object.assign(document.createElement('link'), link));
  }
}

/** The endpoints that a borrower's page reads before it has anything to show. */
export const firstReads: Record<string, Endpoint[]> = {
  [paths.home]: [listOwnLoans],
  [paths.wallet]: [listNotifications, listOwnLoans, listOwnWithdrawals],
  [paths.myLoan]: [listOwnLoans],
  [paths.account]: [readContact],
};

const path = location.pathname.toLowerCase().replace(/(.)\/$/, '$1');
const isPanel = path.startsWith(paths.management);

/** Resolves to whether it is a staff session. */
async function askForPage(token: string): Promise<boolean> {
  const profile = ask(readProfile.path, token);
  // After it: the scripts of a page take every connection that a browser opens.
  if (!isPanel) fetchScripts(path);
  const response = await profile;
  // A clone: the caller that takes the response reads it too.
  const user: { id?: number; isAdmin?: boolean } | null = await response.clone().json();
  const isStaff = Boolean(user?.id && user.isAdmin);
  if (isStaff && isPanel) for (const part of [paths.management, path]) fetchScripts(part);
  // Wait for the profile: with a refused or a staff token these would be refused too. Once the app has it, it asks itself.
  if (user?.id && !isStaff && asked.has(readProfile.path))
    for (const row of firstReads[path] ?? []) void ask(row.path, token);
  return isStaff;
}

const token = readToken();

if (token === undefined && !isPanel && path !== paths.adminLogin) fetchScripts('visitor');
if (readsFilipino()) fetchScripts('fil');
// Shows what the server drew for such a visit (`web/app/first-sight.tsx`).
else
  document.documentElement.dataset.visit = token === undefined ? 'visitor' : isPanel ? 'staff' : 'borrower';

export const isStaffSession: Promise<boolean> =
  token === undefined ? Promise.resolve(false) : askForPage(token).catch(() => false);
