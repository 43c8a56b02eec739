import { useState } from 'react';
import { centavos } from '#domain/money.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { useFormats } from '#web/lib/format.ts';
import { useSession, useUser } from '#web/lib/session.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EyeIcon, EyeOffIcon } from '#web/ui/icons.tsx';
import { BalanceText } from './balance-text.tsx';
import { NeverPay } from './never-pay.tsx';
import { OtpDialog } from './otp-dialog.tsx';
import { covers, readBesideBalance, useFunds } from './use-funds.ts';
import { type WithdrawalDetails, WithdrawDialog } from './withdraw-dialog.tsx';

type Props = { shown: boolean; onShownChange: (shown: boolean) => void };

/** The wallet's balance, masked until shown: while hidden, the amount is not in the DOM (§hidden-balance). */
export function BalanceCard({ shown, onShownChange }: Props) {
  const { wallet } = useAccountWords();
  const { peso } = useFormats();
  const { balance } = useUser();
  return (
    <section aria-labelledby="balance-title">
      <Card padding="roomy" className="pb-3">
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <h2 id="balance-title" className="text-14 text-ink-soft">
            {wallet.balance}
          </h2>
          <Button
            look="quiet"
            size="compact"
            className="-mr-3 ml-auto"
            icon={
              shown ? <EyeOffIcon className="size-4.5 shrink-0" /> : <EyeIcon className="size-4.5 shrink-0" />
            }
            onClick={() => onShownChange(!shown)}
          >
            {shown ? wallet.hideBalance : wallet.showBalance}
          </Button>
        </div>
        <p role="status" className="mb-4">
          <Amount
            size={40}
            className={shown ? 'max-w-full whitespace-normal wrap-anywhere' : 'tracking-[0.08em]'}
          >
            <BalanceText shown={shown} amount={peso(balance)} />
          </Amount>
        </p>
        <WithdrawMoney balanceShown={shown} />
        <div className="mt-3">
          <NeverPay />
        </div>
      </Card>
    </section>
  );
}

const leastCentavos = centavos(1);

type Step =
  | { asks: 'details'; typed?: WithdrawalDetails }
  /** `isBalanceFresh`: the session's balance was read after the amount was typed. */
  | { asks: 'code'; details: WithdrawalDetails; isBalanceFresh: boolean };

/**
 * The withdraw button and its dialogs: amount and bank account, then the code (§wallet-page). Leaving the second
 * discards the first.
 */
function WithdrawMoney({ balanceShown }: { balanceShown: boolean }) {
  const { withdrawal } = useAccountWords();
  const { refresh } = useSession();
  const { balance, readBalance, tellTooLittle } = useFunds();
  const [looking, setLooking] = useState(false);
  const [step, setStep] = useState<Step>();

  async function start() {
    setLooking(true);
    // Re-read an apparently empty balance first: money may have arrived since the page opened.
    const isCovered =
      covers(balance, leastCentavos) || covers((await readBalance()) ?? balance, leastCentavos);
    setLooking(false);
    if (isCovered) setStep({ asks: 'details' });
    else tellTooLittle();
  }

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
