import { readProfile } from '#contract/session-endpoints.ts';
import { readToken } from './token.ts';

// The profile of the stored session, asked for the moment this module runs. It is a script of its own in the build, the
// first to arrive (`vite.config.ts`): its answer comes while the rest of the app is being fetched and taken in.

const controller = new AbortController();

function ask(token: string) {
  const answer = fetch(readProfile.path, {
    credentials: 'include',
    signal: controller.signal,
    headers: { Authorization: `Bearer ${token}` },
  });
  // Read from a copy: whoever takes the answer reads it too, and hears of its failure.
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

/** Whether it is staff who came, told as soon as it is known. */
export const staffCame: Promise<boolean> = asked?.isStaff ?? Promise.resolve(false);

/** The answer, once, for whom the browser still holds the token that it was asked with. `signal` gives up on it. */
export function takeFirstProfile(currentToken: string, signal: AbortSignal): Promise<Response> | undefined {
  if (isTaken || asked?.token !== currentToken) return undefined;
  isTaken = true;
  signal.addEventListener('abort', () => controller.abort());
  return asked.answer;
}
