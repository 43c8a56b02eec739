import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/borrower-endpoints.ts';
import { oneTimeCode, type Withdrawal } from '#contract/withdrawal.ts';
import { limits } from '#domain/limits.ts';
import { centavos, parsePesos } from '#domain/money.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { call } from '#web/lib/call.ts';
import { CallError } from '#web/lib/call-error.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useContractForm } from '#web/lib/form.ts';
import { useFormats } from '#web/lib/format.ts';
import { UnsettledError, useMoneyCall } from '#web/lib/money-call.ts';
import { useUser } from '#web/lib/session.tsx';
import { SettlingNotice } from '#web/lib/settling-notice.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CodeField } from '#web/ui/code-field.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { BalanceText } from './balance-text.tsx';
import { NeverPay } from './never-pay.tsx';
import { ShortAccount } from './short-account.tsx';
import type { WithdrawalDetails } from './withdraw-dialog.tsx';

const CodeForm = z.object({ otp: oneTimeCode });

type Props = Omit<ReviewProps, 'isUndecided'> & {
  onClose: () => void;
  /** The request was answered or its outcome is unknown: the wallet's data may be stale. */
  onAnswered: () => void;
  onTooLittle: () => void;
};

/** Shows the withdrawal for review and sends it with the one-time code (§withdrawing). */
export function OtpDialog({ onClose, onAnswered, onTooLittle, ...review }: Props) {
  const words = useAccountWords();
  const { withdrawal, shell, session } = words;
  const money = useMoneyCall(api.requestWithdrawal);
  const { state } = money;
  const form = useContractForm(CodeForm, { defaultValues: { otp: '' } });
  const showOutcome = useOutcomeToasts();
  const isGone = useIsGone();

  const submit = form.handleSubmit(async ({ otp }) => {
    try {
      const made = await money.send({ body: { ...review.details, otp } });
      showOutcome.success(made);
      onClose();
    } catch (error) {
      if (error instanceof UnsettledError) return;
      if (error instanceof CallError && error.code === 'insufficient_funds') return onTooLittle();
      const description = showOutcome.failure(error);
      const isCodeRefused = error instanceof CallError && error.code === 'invalid_otp';
      if (isCodeRefused && !isGone()) {
        form.setValue('otp', '');
        form.setError('otp', { message: description }, { shouldFocus: true });
      }
    } finally {
      onAnswered();
    }
  });

  /** A request already sent cannot be taken back. */
  function close() {
    if (state === 'sending') return;
    if (state !== 'idle') {
      toast({ tone: 'bad', title: withdrawal.unknown, description: withdrawal.unknownText });
      onAnswered();
    }
    onClose();
  }

  const isWorking = state === 'sending' || state === 'checking';
  return (
    <Dialog
      open
      onClose={close}
      closeOnBackdrop={false}
      title={withdrawal.codeTitle}
      description={withdrawal.codeLead}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Review {...review} isUndecided={state === 'checking' || state === 'unsettled'} />
        <CodeField
          {...form.field('otp')}
          label={withdrawal.code}
          hint={withdrawal.codeHint}
          length={limits.otpLength}
          // The key requires identical content: a retyped code would be a different request from the one being
          // recovered.
          readOnly={state !== 'idle'}
          data-autofocus
        />
        <SettlingNotice state={state} />
        <DialogActions className="mt-0! mb-0!">
          <Button look="secondary" disabled={state === 'sending'} onClick={close}>
            {state === 'checking' ? shell.close : shell.cancel}
          </Button>
          <Button type="submit" busy={isWorking} busyLabel={session.pleaseWait}>
            {withdrawal.confirm}
          </Button>
        </DialogActions>
        {/* Below the buttons, which are sticky and so stay in sight. */}
        <RequestCode onAsked={() => form.setFocus('otp')} />
        <NeverPay />
      </form>
    </Dialog>
  );
}

/** Lets the borrower ask staff for a code (§asking-for-a-code). */
function RequestCode({ onAsked }: { onAsked: () => void }) {
  const { done, withdrawal } = useAccountWords();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const [known, setKnown] = useState<string>();

  async function ask() {
    setBusy(true);
    try {
      await call(api.requestCode);
      setKnown(done.codeRequested);
      onAsked();
    } catch (error) {
      if (error instanceof CallError && error.code === 'code_already_requested') {
        setKnown(errorText(error));
        onAsked();
      } else {
        toast({ tone: 'bad', title: withdrawal.codeRequestFailed, description: errorText(error) });
      }
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 text-14">
      {known === undefined && (
        <>
          <p className="text-ink-soft">{withdrawal.noCode}</p>
          <Button look="quiet" size="compact" className="-mx-3" busy={busy} onClick={() => void ask()}>
            {withdrawal.requestCode}
          </Button>
        </>
      )}
      <p role="status" className="empty:hidden">
        {known}
      </p>
    </div>
  );
}

type ReviewProps = {
  details: WithdrawalDetails;
  balanceShown: boolean;
  /** If false, nothing is calculated from the possibly stale balance. */
  isBalanceFresh: boolean;
  /** True while it is unknown whether the amount has left the balance. */
  isUndecided: boolean;
};

function Review({ details, balanceShown, isBalanceFresh, isUndecided }: ReviewProps) {
  const { withdrawal } = useAccountWords();
  const { peso } = useFormats();
  const { balance } = useUser();
  const amount = parsePesos(details.amount);
  const inWallet = parsePesos(balance);
  const left = amount !== undefined && inWallet !== undefined ? centavos(inWallet - amount) : undefined;
  const rows = [
    { id: 'amount', term: withdrawal.youWithdraw, value: amount !== undefined && peso(amount) },
    {
      id: 'to',
      term: withdrawal.to,
      value: (
        <>
          <bdi>{details.bankName.trim()}</bdi> · <ShortAccount number={details.bankAccountNumber} />
        </>
      ),
    },
    ...(left === undefined || left < 0 || isUndecided
      ? []
      : [
          {
            id: 'left',
            term: withdrawal.left,
            value: isBalanceFresh ? (
              <BalanceText shown={balanceShown} amount={peso(left)} />
            ) : (
              withdrawal.leftUnknown
            ),
          },
        ]),
  ];
  return (
    <Card look="sunken">
      <DefinitionRows rows={rows} />
    </Card>
  );
}

/** Toasts for the outcome. `failure` returns the sentence shown. */
function useOutcomeToasts() {
  const { withdrawal } = useAccountWords();
  const { peso } = useFormats();
  const errorText = useErrorText();
  return {
    success({ status, amount, bankName }: Withdrawal) {
      if (status === 'approved') {
        const description = withdrawal.approvedText({ amount: peso(amount), bankName });
        return void toast({ title: withdrawal.approved, description });
      }
      toast({ title: withdrawal.submitted, description: withdrawal.submittedText });
    },
    failure(error: unknown): string {
      const description = errorText(error);
      toast({ tone: 'bad', title: withdrawal.failed, description });
      return description;
    },
  };
}

function useIsGone(): () => boolean {
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);
  return () => gone.current;
}
