import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { AskDialog } from '#web/lib/ask-dialog.tsx';
import { call } from '#web/lib/call.ts';
import { useStaffAction } from '#web/lib/staff-action.ts';
import { dropRow } from '#web/lib/staff-rows.ts';
import { adminName, adminRow } from './admin-rules.ts';

const words = panel.settings;

/** Asks once before another admin is deleted. */
export function DeleteAdminDialog({ admin, onClose }: { admin: Member; onClose: () => void }) {
  const act = useStaffAction();
  const name = adminName(admin);
  async function remove() {
    const result = await act(call(api.deleteUser, { params: { id: admin.id } }), {
      done: { title: panel.toasts.success, description: words.deleted(name) },
      failedTitle: words.deleteFailedTitle,
      fallback: words.deleteFailed,
      row: adminRow(admin.id),
    });
    if (result.ok) dropRow(api.listAllUsers, admin.id);
  }
  return (
    <AskDialog
      title={words.deleteTitle(name)}
      text={words.deleteText}
      confirmLabel={words.delete}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
