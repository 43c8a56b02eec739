import { PasswordChange } from '#contract/account.ts';
import { changePassword } from '#contract/session-endpoints.ts';
import { useAction } from '#web/lib/action.ts';
import { call } from '#web/lib/call.ts';
import { codeOf } from '#web/lib/call-error.ts';
import { useSchemaForm } from '#web/lib/form.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { PasswordField } from '#web/lib/password-field.tsx';
import { useSession } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';

/** Sets one's own password (§passwords): afterwards nobody else can read it, and all other sessions end. */
export function OwnPasswordForm({ cancelLabel, onDone }: { cancelLabel: string; onDone: () => void }) {
  const words = useCoreWords();
  const session = useSession();
  const form = useSchemaForm(PasswordChange, { defaultValues: { currentPassword: '', newPassword: '' } });
  const [busy, run] = useAction();
  const submit = form.handleSubmit((body) => {
    const change = async () => {
      await call(changePassword, { body });
      toast({ title: words.session.passwordUpdated });
      await session.refresh();
      onDone();
    };
    return run(words.shell.updateFailed, change, (error, message) => {
      if (codeOf(error) === 'wrong_password') form.setError('currentPassword', message);
      else form.showServerErrors(error);
    });
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
      <DialogActions cancel={{ onClick: onDone, children: cancelLabel }}>
        <Button type="submit" busy={busy} busyLabel={words.session.pleaseWait}>
          {words.session.savePassword}
        </Button>
      </DialogActions>
    </form>
  );
}
