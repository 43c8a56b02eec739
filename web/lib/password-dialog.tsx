import type { ReactNode } from 'react';
import { OwnPassword } from '#contract/privacy.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { useAction } from './action.ts';
import { useAccountWords } from './all-words.ts';
import { codeOf } from './call-error.ts';
import { useSchemaForm } from './form.ts';
import { PasswordField } from './password-field.tsx';

type PasswordDialogProps = {
  title: string;
  text: string;
  sendLabel: string;
  busyLabel: string;
  isDanger?: boolean;
  failedTitle: string;
  send: (body: { password: string }) => Promise<unknown>;
  onClose: () => void;
  children?: ReactNode;
};

/** Asks for the password before what somebody with the open phone alone must not do. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { title, text, sendLabel, busyLabel, isDanger, failedTitle, send, onClose, children } = props;
  const { privacy, shell } = useAccountWords();
  const form = useSchemaForm(OwnPassword, { defaultValues: { password: '' } });
  const [busy, run] = useAction();
  const close = () => {
    if (!busy) onClose();
  };
  const submit = form.handleSubmit((body) =>
    run(
      failedTitle,
      async () => {
        await send(body);
        onClose();
      },
      (error, message) => {
        if (codeOf(error) === 'wrong_password') form.setError('password', message);
        else form.showServerErrors(error);
      },
    ),
  );
  return (
    <Dialog onClose={close} title={title} description={text}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        {children}
        <PasswordField {...form.field('password')} label={privacy.password} data-autofocus />
        <DialogActions className="mt-0!" cancel={{ disabled: busy, onClick: close, children: shell.cancel }}>
          <Button type="submit" look={isDanger ? 'danger' : 'primary'} busy={busy} busyLabel={busyLabel}>
            {sendLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
