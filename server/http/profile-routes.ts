import * as api from '#contract/api.ts';
import { en } from '#contract/wording/en.ts';
import { changePassword } from '#server/services/password-service.ts';
import { readProfile, updateProfile } from '#server/services/profile-service.ts';
import { formLanguage } from './form-language.ts';
import type { Bind } from './route.ts';

/** One's own account. */
export function bindProfileRoutes(route: Bind): void {
  route(api.readProfile, async ({ caller }) => readProfile(caller));

  route(api.updateProfile, ({ deps, caller, body, address, request }) =>
    updateProfile(deps, caller, body, { address, language: formLanguage(request) }),
  );

  route(api.changePassword, async ({ deps, caller, body, address }) => {
    await changePassword(deps, caller, body, address);
    return { message: en.done.passwordChanged };
  });
}
