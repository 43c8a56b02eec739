import { readProfile } from '#contract/session-endpoints.ts';
import { readToken } from './token.ts';

// Requests the stored session's profile as soon as this module runs. The build makes it a script of its own that loads
// first (`vite.config.ts`), so the reply arrives while the rest of the app is still loading.

const controller = new AbortController();

function ask(token: string) {
  const answer = fetch(readProfile.path, {
    credentials: 'include',
    signal: controller.signal,
    headers: { Authorization: `Bearer ${token}` },
  });
  // From a clone: whoever takes the response reads it too and handles its failure.
  const isStaff = answer
    .then((response) => response.clone().json())
    .then(
      (user: { isAdmin?: boolean } | null) => user?.isAdmin === true,
      () => false,
    );
  return { token, answer, isStaff };
}

const token = readToken();
const asked = token === undefined ? undefined : ask(token);
let isTaken = false;

/** Whether the stored session is a staff member's. */
export const staffCame: Promise<boolean> = asked?.isStaff ?? Promise.resolve(false);

/** The response, once, if the browser still holds the token it was requested with. */
export function takeFirstProfile(currentToken: string, signal: AbortSignal): Promise<Response> | undefined {
  if (isTaken || asked?.token !== currentToken) return undefined;
  isTaken = true;
  signal.addEventListener('abort', () => controller.abort());
  return asked.answer;
}
