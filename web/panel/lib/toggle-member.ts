import { useCallback } from 'react';
import type { Member } from '#contract/member.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { type MemberStatus, toggledStatus } from '#domain/member.ts';
import { memberName } from './list-view.ts';
import { workOnRow } from './row-action.tsx';
import { memberRow, useStaffAction } from './staff-action.ts';
import { updateMember } from './staff-rows.ts';

const words = panel.members;

/** Activates or suspends a member (§account-status). */
export function useToggleMember(): (member: Member) => Promise<unknown> {
  const act = useStaffAction();
  return useCallback(
    (member) => {
      const { id } = member;
      const row = memberRow(id);
      const status = toggledStatus(member.status);
      const body = { status, expected: { status: member.status } };
      const name = memberName(member);
      return workOnRow(row, () =>
        act(updateMember(id, body), {
          done: status === 'active' ? words.activated(name) : words.deactivated(name),
          row,
          conflictText: (current) => words.isNow(panel.memberStatus[current.status as MemberStatus]),
        }),
      );
    },
    [act],
  );
}
