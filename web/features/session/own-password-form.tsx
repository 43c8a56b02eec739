import { type ReactNode, useState } from 'react';
import { PasswordChange } from '#contract/account.ts';
import { changePassword } from '#contract/session-endpoints.ts';
import { call } from '#web/lib/call.ts';
import { CallError } from '#web/lib/call-error.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useSchemaForm } from '#web/lib/form.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { PasswordField } from '#web/lib/password-field.tsx';
import { useSession } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';

type Props = {
  onDone: () => void;
  cancel?: ReactNode;
};

/** Sets one's own password (§passwords): afterwards nobody else can read it, and all other sessions end. */
export function OwnPasswordForm({ onDone, cancel }: Props) {
  const words = useCoreWords();
  const errorText = useErrorText();
  const session = useSession();
  const form = useSchemaForm(PasswordChange, { defaultValues: { currentPassword: '', newPassword: '' } });
  const [busy, setBusy] = useState(false);

  const submit = form.handleSubmit(async (body) => {
    setBusy(true);
    try {
      await call(changePassword, { body });
      toast({ title: words.session.passwordUpdated });
      await session.refresh();
      onDone();
    } catch (error) {
      setBusy(false);
      const description = errorText(error);
      toast({ tone: 'bad', title: words.session.passwordFailed, description });
      if (error instanceof CallError && error.code === 'wrong_password') {
        form.setError('currentPassword', { message: description }, { shouldFocus: true });
      } else form.showServerErrors(error);
    }
  });

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <PasswordField
        {...form.field('currentPassword')}
        label={words.session.currentPassword}
        data-autofocus
      />
      <PasswordField
        {...form.field('newPassword')}
        label={words.session.newPassword}
        hint={words.session.passwordHint}
        autoComplete="new-password"
      />
      <DialogActions>
        {cancel}
        <Button type="submit" busy={busy} busyLabel={words.session.pleaseWait}>
          {words.session.savePassword}
        </Button>
      </DialogActions>
    </form>
  );
}
