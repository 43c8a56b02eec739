import { useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import { centavos } from '#domain/money.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { refreshReads } from '#web/lib/query.tsx';
import { useSession } from '#web/lib/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { OtpDialog } from './otp-dialog.tsx';
import { useFunds } from './use-funds.ts';
import { type WithdrawalDetails, WithdrawDialog } from './withdraw-dialog.tsx';

const leastCentavos = centavos(1);

/**
 * The button and the two dialogs behind it: first how much and where to, then the code (spec section 4). Leaving the
 * second one discards what the first one asked for.
 */
export function WithdrawMoney({ balanceShown }: { balanceShown: boolean }) {
  const { withdrawal } = useAccountWords();
  const { refresh } = useSession();
  const hasFunds = useFunds();
  const [looking, setLooking] = useState(false);
  const [step, setStep] = useState<'details' | { confirm: WithdrawalDetails }>();

  async function start() {
    setLooking(true);
    if (await hasFunds(leastCentavos)) setStep('details');
    setLooking(false);
  }

  /** Whatever became of the request: the wallet shows how things stand now. */
  function readAgain() {
    void refresh();
    void refreshReads(api.listOwnWithdrawals);
    void refreshReads(api.listNotifications);
  }

  const close = () => setStep(undefined);
  return (
    <>
      <Button size="large" wide busy={looking} onClick={() => void start()}>
        {withdrawal.start}
      </Button>
      {step === 'details' && (
        <WithdrawDialog
          balanceShown={balanceShown}
          onClose={close}
          onContinue={(details) => setStep({ confirm: details })}
        />
      )}
      {typeof step === 'object' && (
        <OtpDialog details={step.confirm} onClose={close} onAnswered={readAgain} />
      )}
    </>
  );
}
