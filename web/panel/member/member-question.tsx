import { useCallback } from 'react';
import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { type MemberStatus, toggledStatus } from '#domain/member.ts';
import { call } from '#web/lib/call.ts';
import { showPeso } from '#web/lib/format.ts';
import { AskDialog } from '#web/panel/lib/ask-dialog.tsx';
import { workOnRow } from '#web/panel/lib/row-action.tsx';
import { useStaffAction } from '#web/panel/lib/staff-action.ts';
import { acceptMember, dropRow } from '#web/panel/lib/staff-rows.ts';
import { memberName, memberRow } from './member-text.tsx';

/** What staff are asked about a member before it is done. */
export type MemberQuestion = { kind: 'deactivate' | 'delete'; member: Member };

/** Activates or suspends a member (§account-status). */
export function useToggleMember(): (member: Member) => Promise<unknown> {
  const act = useStaffAction();
  return useCallback(
    (member) => {
      const { toasts, members } = panel;
      const { id } = member;
      const row = memberRow(id);
      const status = toggledStatus(member.status);
      const body = { status, expected: { status: member.status } };
      const name = memberName(member);
      const description = status === 'active' ? members.activated(name) : members.deactivated(name);
      return workOnRow(row, async () => {
        const result = await act(call(api.updateMember, { params: { id }, body }), {
          done: { title: toasts.success, description },
          failedTitle: toasts.actionFailed,
          row,
          overtaken: (present) => members.isNow(panel.memberStatus[present.status as MemberStatus]),
        });
        if (result.ok) acceptMember(result.answer);
      });
    },
    [act],
  );
}

/** Asks once before a member is suspended or deleted, naming them and what follows. */
export function MemberQuestionDialog({
  question: { kind, member },
  onClose,
}: {
  question: MemberQuestion;
  onClose: () => void;
}) {
  const act = useStaffAction();
  const toggle = useToggleMember();
  const { toasts, members } = panel;
  const name = memberName(member);

  async function remove() {
    const work = call(api.deleteUser, { params: { id: member.id } });
    const result = await act(work, {
      done: { title: members.deleted },
      failedTitle: toasts.deleteFailed,
      row: memberRow(member.id),
    });
    if (result.ok) dropRow(api.listMembers, member.id);
  }

  if (kind === 'deactivate') {
    return (
      <AskDialog
        title={members.deactivateTitle(name)}
        text={members.deactivateText(name)}
        confirmLabel={members.deactivate}
        onConfirm={() => toggle(member)}
        onClose={onClose}
      />
    );
  }
  return (
    <AskDialog
      title={members.deleteTitle(name)}
      text={members.deleteText({ name, balance: showPeso(member.balance) })}
      confirmLabel={members.delete}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
