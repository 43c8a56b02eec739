import { listAllUsers } from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import type { StaffRow } from '#web/lib/staff-action.ts';

/** Whom a sentence is about: an admin may have been made with nothing but an email. */
export const adminName = ({ fullName, email, phone }: Member): string => fullName || email || phone;

/** The row of an admin in the list, for what may find it gone. */
export const adminRow = (id: number): StaffRow => ({
  list: listAllUsers,
  id,
  gone: panel.together.adminGone,
});
