import * as api from '#contract/api.ts';
import { en } from '#contract/wording/en.ts';
import { register } from '#server/services/registration-service.ts';
import { signIn, signOut } from '#server/services/session-service.ts';
import { formLanguage } from './form-language.ts';
import type { Bind } from './route.ts';

/** Sign-in, registration and sign-out (§signing-in, §registering). */
export function bindAuthRoutes(route: Bind): void {
  route(api.signIn, ({ deps, body, address }) => signIn(deps, body, address));

  route(api.register, ({ deps, body, address, request }) =>
    register(deps, body, { address, language: formLanguage(request) }),
  );

  route(api.signOut, async ({ deps, caller, address }) => {
    await signOut(deps, caller, address);
    return { message: en.done.signedOut };
  });
}
