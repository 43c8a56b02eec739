import { useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import { password, says } from '#contract/fields.ts';
import type { Member } from '#contract/member.ts';
import { AdminUpdate } from '#contract/staff.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { call } from '#web/lib/call.ts';
import { useContractForm } from '#web/lib/form.ts';
import { showFormFailure } from '#web/lib/form-failure.ts';
import { useFormTogether } from '#web/lib/form-together.tsx';
import { SaveActions } from '#web/lib/save-actions.tsx';
import { useStaffAction } from '#web/lib/staff-action.ts';
import { acceptMember } from '#web/lib/staff-rows.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { adminName, adminRow } from './admin-rules.ts';

const words = panel.settings;

/** An email, and a new password or none. */
const AdminEditForm = z.object({
  email: AdminUpdate.shape.email,
  password: z.union([z.literal(''), password], says('passwordTooShort')),
});

/** Changes the email or the password of an admin; for the main admin only. */
export function AdminEditDialog({ admin, onClose }: { admin: Member; onClose: () => void }) {
  const act = useStaffAction();
  const [busy, setBusy] = useState(false);
  const [opened] = useState(() => ({ email: admin.email ?? '' }));
  const form = useContractForm(AdminEditForm, { defaultValues: { ...opened, password: '' } });
  const together = useFormTogether<{ email: string; password: string }>(form, opened, ({ email }) => ({
    email: String(email ?? ''),
  }));

  const submit = form.handleSubmit(async (typed) => {
    const body = {
      ...together.editOf(typed),
      ...(typed.password !== '' && { password: typed.password }),
    };
    if (Object.keys(body).length === 0) return onClose();
    setBusy(true);
    const result = await act(call(api.updateAdmin, { params: { id: admin.id }, body }), {
      done: { title: panel.toasts.success, description: words.updated(adminName(admin)) },
      failedTitle: panel.toasts.updateFailed,
      fallback: words.updateFailed,
      row: adminRow(admin.id),
    });
    setBusy(false);
    if (!result.ok) return together.takePresent(result.error) || showFormFailure(form, result.error);
    acceptMember(result.answer);
    onClose();
  });

  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Dialog
      open
      closeOnBackdrop={false}
      title={words.editTitle}
      description={adminName(admin)}
      closeLabel={en.shell.close}
      onClose={close}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        {together.banner}
        <TextField
          {...form.field('email')}
          label={words.email}
          hint={together.note('email')}
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
        />
        <PasswordField
          {...form.field('password')}
          label={words.password}
          hint={words.passwordHint}
          autoComplete="new-password"
          showLabel={en.session.showTyped}
          hideLabel={en.session.hideTyped}
        />
        <SaveActions busy={busy} onCancel={close} />
      </form>
    </Dialog>
  );
}
