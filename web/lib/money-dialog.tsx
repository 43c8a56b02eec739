import { ClockIcon, InfoIcon } from 'lucide-react';
import { type FormEventHandler, type ReactNode, useEffect, useRef } from 'react';
import { Banner } from '#web/ui/banner.tsx';
import { Button, QuietButton } from '#web/ui/button.tsx';
import { type DefinitionRow, DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { useHistoryStep } from '#web/ui/history-steps.ts';
import { useAccountWords } from './all-words.ts';
import { BalanceText } from './balance-text.tsx';
import type { MoneyCallState } from './money-call.ts';
import { useUser } from './session.tsx';
import { toast } from './toast-store.ts';

type MoneyDialogProps = {
  state: MoneyCallState;
  title: string;
  description: string | undefined;
  onSubmit: FormEventHandler;
  submitLabel: string;
  onClose: () => void;
  onReopen?: (() => void) | undefined;
  /** Leads to the step before, where there is one. */
  onBack?: (() => void) | undefined;
  /** Drops what was typed. */
  onCancel?: () => void;
  /** Esc leaves it like Cancel, past the step before. */
  escapeCloses?: boolean;
  /** Says where to look for what became of a request that was left before its answer came. */
  unknownText?: string;
  onUnknown: () => void;
  /** Below the buttons. */
  foot?: ReactNode;
  children: ReactNode;
};

/** A dialog that sends money. It stays while its request is on the way: that cannot be called back. */
export function MoneyDialog(props: MoneyDialogProps) {
  const { state, title, description, onSubmit, submitLabel, foot, children } = props;
  const { apply, session, shell, withdrawal } = useAccountWords();

  function close() {
    if (state === 'sending') return;
    if (state !== 'idle') {
      toast({ tone: 'bad', title: withdrawal.unknown, description: props.unknownText ?? shell.unsettled });
      props.onUnknown();
    }
    props.onClose();
  }

  const back = () => (state === 'idle' ? props.onBack?.() : close());
  useHistoryStep(props.onBack !== undefined, back, {
    escape: props.escapeCloses ? close : back,
    reopen: props.onReopen,
  });

  return (
    <Dialog
      onClose={close}
      onReopen={props.onBack ? undefined : props.onReopen}
      closeOnBackdrop={false}
      title={title}
      description={description}
      backLabel={props.onBack && !props.escapeCloses ? apply.back : undefined}
    >
      <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
        {children}
        <LostReplyNotice state={state} />
        <DialogActions
          className={foot ? 'mt-0! mb-0!' : 'mt-0!'}
          cancel={{
            disabled: state === 'sending',
            onClick: () => {
              if (state !== 'sending') props.onCancel?.();
              close();
            },
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

/**
 * Says after a lost reply that it is still looked for, or was not found. Claims neither success nor failure.
 */
export function LostReplyNotice({ state }: { state: MoneyCallState }) {
  const { shell } = useAccountWords();
  const notice = useRef<HTMLDivElement>(null);

  const message = state === 'checking' || state === 'unsettled' ? shell[state] : undefined;

  useEffect(() => {
    if (message) notice.current?.scrollIntoView({ block: 'end' });
  }, [message]);

  return (
    // The margin keeps it clear of the sticky buttons.
    <div ref={notice} role="status" className="scroll-mb-24 empty:hidden">
      {message && (
        <Banner tone="warn" icon={state === 'checking' ? <ClockIcon /> : <InfoIcon />}>
          {message}
        </Banner>
      )}
    </div>
  );
}

/** True if the balance is shown, here as on the page behind. */
export type BalanceShown = { balanceShown: boolean; onBalanceShown: (shown: boolean) => void };

type BalanceLineProps = { shown: boolean; onShownChange: (shown: boolean) => void };

/** The balance where an amount is chosen, hidden until it is shown there or on the wallet (§hidden-balance). */
export function BalanceLine({ shown, onShownChange }: BalanceLineProps) {
  const { payment, withdrawal, peso } = useAccountWords();
  const { balance } = useUser();
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-3 text-14 text-ink-soft">
      <span role="status">
        <BalanceText shown={shown} amount={peso(balance)} within={withdrawal.inWallet} />
      </span>
      <QuietButton className="-my-3 -mr-3.5 ml-auto" onClick={() => onShownChange(!shown)}>
        {shown ? payment.hideBalance : payment.showBalance}
      </QuietButton>
    </p>
  );
}

type DoneProps = {
  title: string;
  text: string;
  picture?: ReactNode;
  rows?: readonly DefinitionRow[];
  onClose: () => void;
};

/** Says what happened, and what comes next. */
export function DoneDialog({ title, text, picture, rows, onClose }: DoneProps) {
  const { pay } = useAccountWords();
  return (
    <Dialog size="small" title={title} description={text} onClose={onClose}>
      {picture}
      {rows && <DefinitionRows ruled rows={rows} />}
      <DialogActions>
        <Button data-autofocus onClick={onClose}>
          {pay.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
