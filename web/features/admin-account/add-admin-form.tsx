import { useState } from 'react';
import * as api from '#contract/api.ts';
import { AdminCreation } from '#contract/staff.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { call } from '#web/lib/call.ts';
import { useContractForm } from '#web/lib/form.ts';
import { showFormFailure } from '#web/lib/form-failure.ts';
import { useStaffAction } from '#web/lib/staff-action.ts';
import { addAccount } from '#web/lib/staff-rows.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';

const words = panel.settings;

/** Makes an admin account; for the main admin only (spec sections 5 and 6). */
export function AddAdminForm() {
  const act = useStaffAction();
  const [busy, setBusy] = useState(false);
  const form = useContractForm(AdminCreation, {
    defaultValues: { email: '', password: '', fullName: '', phone: '' },
  });

  const submit = form.handleSubmit(async (body) => {
    setBusy(true);
    const result = await act(call(api.createAdmin, { body }), {
      done: { title: words.created, description: words.createdText(body.email) },
      failedTitle: panel.toasts.creationFailed,
      fallback: words.createFailed,
    });
    setBusy(false);
    if (!result.ok) return showFormFailure(form, result.error);
    addAccount(api.listAllUsers, result.answer.user);
    form.reset();
  });

  // One sentence asks for both: said once is enough.
  const emailField = form.field('email');
  const passwordField = form.field('password');
  const passwordError = passwordField.error === emailField.error ? undefined : passwordField.error;

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3.5">
      <TextField
        {...emailField}
        dense
        label={words.email}
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordField
        {...passwordField}
        error={passwordError}
        dense
        label={words.password}
        hint={en.session.passwordHint}
        autoComplete="new-password"
        showLabel={en.session.showTyped}
        hideLabel={en.session.hideTyped}
      />
      <TextField
        {...form.field('fullName')}
        dense
        label={words.fullName}
        aside={words.optional}
        autoComplete="off"
        autoCapitalize="words"
      />
      <TextField
        {...form.field('phone')}
        dense
        label={words.phone}
        aside={words.optional}
        type="tel"
        autoComplete="off"
      />
      <Button type="submit" size="small" className="self-start" busy={busy} busyLabel={panel.list.saving}>
        {words.submit}
      </Button>
    </form>
  );
}
