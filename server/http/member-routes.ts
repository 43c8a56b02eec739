import * as api from '#contract/api.ts';
import { en } from '#contract/wording/en.ts';
import { updateAdmin } from '#server/services/admin-edit-service.ts';
import { deleteUser } from '#server/services/deletion-service.ts';
import { hashed } from '#server/services/issued-password-service.ts';
import { createMember } from '#server/services/member-creation-service.ts';
import { addSecrets, listAllUsers, listMembers, readMember } from '#server/services/member-list-service.ts';
import { updateMember } from '#server/services/member-service.ts';
import type { Bind } from './route.ts';

/** Members and admins as staff look after them (§editing-members). */
export function bindMemberRoutes(route: Bind): void {
  route(api.listMembers, async ({ deps, caller, address, query, asLines }) =>
    listMembers(deps, { caller, address }, query, !asLines),
  );

  route(api.listAllUsers, async ({ deps, caller, address, query, asLines }) =>
    listAllUsers(deps, { caller, address }, query.role, !asLines),
  );

  route(api.readMember, ({ deps, caller, address, wants, params }) =>
    readMember(deps, { caller, address, wants }, params.id),
  );

  route(api.createMember, ({ deps, caller, address, wants, body }) =>
    createMember(deps, { caller, address, wants }, body),
  );

  route(api.updateMember, async ({ deps, caller, address, wants, params, body, once }) => {
    const staff = { caller, address, wants };
    const password = await hashed(deps, body.password);
    const answer = await once((tx) => updateMember(deps, tx, staff, params.id, { form: body, password }));
    return addSecrets(deps, staff, answer, body.otpCode !== undefined);
  });

  route(api.updateAdmin, ({ deps, caller, address, wants, params, body }) =>
    updateAdmin(deps, { caller, address, wants }, params.id, body),
  );

  route(api.deleteUser, async ({ deps, caller, address, params }) => {
    await deleteUser(deps, { caller, address }, params.id);
    return { message: en.done.deleted };
  });
}
