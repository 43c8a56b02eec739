import { useCallback } from 'react';
import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import * as panel from '#contract/wording/panel.ts';
import { type MemberStatus, toggledStatus } from '#domain/member.ts';
import { call } from '#web/lib/call.ts';
import { memberName } from './list-view.ts';
import { workOnRow } from './row-action.tsx';
import { memberRow, useStaffAction } from './staff-action.ts';
import { acceptMember } from './staff-rows.ts';

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
      const description = status === 'active' ? words.activated(name) : words.deactivated(name);
      return workOnRow(row, async () => {
        const result = await act(call(api.updateMember, { params: { id }, body }), {
          done: description,
          row,
          conflictText: (current) => words.isNow(panel.memberStatus[current.status as MemberStatus]),
        });
        if (result.ok) acceptMember(result.answer);
      });
    },
    [act],
  );
}
