import type { FormEventHandler, ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { useAccountWords } from './all-words.ts';
import { LostReplyNotice } from './lost-reply-notice.tsx';
import type { MoneyCallState } from './money-call.ts';
import { toast } from './toast-store.ts';

type MoneyDialogProps = {
  state: MoneyCallState;
  title: string;
  description: string | undefined;
  onSubmit: FormEventHandler;
  submitLabel: string;
  onClose: () => void;
  /** Where to look for what became of a request that was left before its answer came. */
  unknownText: string;
  onUnknown: () => void;
  /** Below the buttons. */
  foot?: ReactNode;
  children: ReactNode;
};

/** A dialog that sends money. It stays while its request is on the way: that cannot be called back. */
export function MoneyDialog(props: MoneyDialogProps) {
  const { state, title, description, onSubmit, submitLabel, foot, children } = props;
  const { session, shell, withdrawal } = useAccountWords();

  function close() {
    if (state === 'sending') return;
    if (state !== 'idle') {
      toast({ tone: 'bad', title: withdrawal.unknown, description: props.unknownText });
      props.onUnknown();
    }
    props.onClose();
  }

  return (
    <Dialog onClose={close} closeOnBackdrop={false} title={title} description={description}>
      <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
        {children}
        <LostReplyNotice state={state} />
        <DialogActions
          className={foot ? 'mt-0! mb-0!' : 'mt-0!'}
          cancel={{
            disabled: state === 'sending',
            onClick: close,
            children: state === 'checking' ? shell.close : shell.cancel,
          }}
        >
          <Button
            type="submit"
            busy={state === 'sending' || state === 'checking'}
            busyLabel={session.pleaseWait}
          >
            {submitLabel}
          </Button>
        </DialogActions>
        {foot}
      </form>
    </Dialog>
  );
}
