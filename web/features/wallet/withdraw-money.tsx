import { useState } from 'react';
import { centavos } from '#domain/money.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { useSession } from '#web/lib/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { OtpDialog } from './otp-dialog.tsx';
import { covers, readBesideBalance, useFunds } from './use-funds.ts';
import { type WithdrawalDetails, WithdrawDialog } from './withdraw-dialog.tsx';

const leastCentavos = centavos(1);

type Step =
  | { asks: 'details'; typed?: WithdrawalDetails }
  /** `isBalanceFresh`: what the session has of the balance was read since the amount was typed. */
  | { asks: 'code'; details: WithdrawalDetails; isBalanceFresh: boolean };

/**
 * The button and the two dialogs behind it: first how much and where to, then the code (spec section 4). Leaving the
 * second one discards what the first one asked for.
 */
export function WithdrawMoney({ balanceShown }: { balanceShown: boolean }) {
  const { withdrawal } = useAccountWords();
  const { refresh } = useSession();
  const { balance, readBalance, tellTooLittle } = useFunds();
  const [looking, setLooking] = useState(false);
  const [step, setStep] = useState<Step>();

  async function start() {
    setLooking(true);
    // One that seems empty is read again first: the money may have come since this page was opened.
    const isCovered =
      covers(balance, leastCentavos) || covers((await readBalance()) ?? balance, leastCentavos);
    setLooking(false);
    if (isCovered) setStep({ asks: 'details' });
    else tellTooLittle();
  }

  /** Whatever became of the request: the wallet shows how things stand now. */
  async function readAgain() {
    readBesideBalance();
    const isBalanceFresh = await refresh();
    setStep((now) => (now?.asks === 'code' ? { ...now, isBalanceFresh } : now));
  }

  const close = () => setStep(undefined);
  return (
    <>
      <Button size="large" wide busy={looking} onClick={() => void start()}>
        {withdrawal.start}
      </Button>
      {step?.asks === 'details' && (
        <WithdrawDialog
          balanceShown={balanceShown}
          typed={step.typed}
          onClose={close}
          onContinue={(details, isBalanceFresh) => setStep({ asks: 'code', details, isBalanceFresh })}
        />
      )}
      {step?.asks === 'code' && (
        <OtpDialog
          {...step}
          balanceShown={balanceShown}
          onClose={close}
          onAnswered={() => void readAgain()}
          onTooLittle={() => {
            tellTooLittle();
            setStep({ asks: 'details', typed: step.details });
          }}
        />
      )}
    </>
  );
}
