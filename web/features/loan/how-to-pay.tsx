import { CopyIcon } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { paths } from '#contract/routes.ts';
import { OwnPaymentPreviewForm } from '#contract/servicing.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { useFormValues, useSchemaForm } from '#web/lib/form.ts';
import { typedAmount } from '#web/lib/format.ts';
import { lender } from '#web/lib/lender.ts';
import { amountOf } from '#web/lib/pesos.ts';
import { useUser } from '#web/lib/session.tsx';
import { SupportContact } from '#web/lib/support-contact.tsx';
import { useTypedValues } from '#web/lib/typed-values.ts';
import { Button, QuietButton } from '#web/ui/button.tsx';
import { ChoiceField } from '#web/ui/choice-field.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Places } from '#web/ui/places.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { PesoField } from '#web/ui/text-field.tsx';
import { HavePaid } from './have-paid.tsx';
import { PayFromWallet } from './pay-from-wallet.tsx';
import { type Account, PayInto, transfersOf, useCopyAll } from './pay-into.tsx';
import { waysToPay } from './ways-to-pay.ts';

type HowToPayProps = {
  loan: { id: number; loanNumber: string };
  /** The next payment in pesos: all that is due, or else the rest of the next instalment. */
  amount: string;
  isDue: boolean;
  /** The next instalment as a whole. */
  instalment: string | undefined;
  /** Begins with another amount. */
  isPart: boolean;
  payBy: string | undefined;
  onClose: () => void;
  onReopen: () => void;
};

type Choice = 'next' | 'instalment' | 'other';

/** The pay sheet: how much, then where and with which reference, then what was paid (§own-payments). */
export function HowToPay(props: HowToPayProps) {
  const { loan, amount: nextAmount, isDue, instalment, isPart, payBy, onClose, onReopen } = props;
  const { myLoan, papers, pay, payment, shell, longDate, peso } = useAccountWords();
  const { balance } = useUser();
  const { branches = [] } = lender();
  const other = useSchemaForm(OwnPaymentPreviewForm, {
    defaultValues: { amount: '' },
    kept: useTypedValues(`pay ${loan.id}`),
  });
  const { amount: typed } = useFormValues(other);
  const [choice, setChoice] = useState<Choice>(isPart || other.kept?.hasRestored() ? 'other' : 'next');
  const { ways, accountsOf } = waysToPay();
  const [way, setWay] = useState(ways[0] ?? 'wallet');
  const [chosen, setChosen] = useState<number>();
  const [next, setNext] = useState<'paid' | 'wallet'>();
  /** True once amount or account were chosen here after the last step: they go before what was typed there. */
  const [isChosen, setIsChosen] = useState(false);

  const amounts = { next: nextAmount, instalment: instalment ?? '', other: String(typed) };
  const amount = amountOf(amounts[choice]) > 0 ? amounts[choice] : '';
  const accounts = accountsOf(way);
  // Preferably one that takes the amount in one transfer.
  const takesAll = ({ channel }: Account) => transfersOf(channel, amount) <= 1;
  const index = chosen ?? Math.max(0, accounts.findIndex(takesAll));
  const account = accounts[index];
  const payee = { account, amount, reference: loan.loanNumber };
  const copyAll = useCopyAll(payee);

  const step = {
    loan,
    amount,
    onClose,
    onBack: () => {
      setNext(undefined);
      setIsChosen(false);
    },
    onReopen: () => setNext(next),
    onSent: other.kept?.forget,
  };
  if (next === 'paid') {
    const channel = account?.channel ?? (way === 'cash' ? way : undefined);
    return <HavePaid {...step} channel={channel} isChosen={isChosen} />;
  }
  if (next === 'wallet') return <PayFromWallet {...step} />;

  function choose<Value>(set: (value: Value) => void) {
    return (value: Value) => {
      set(value);
      setIsChosen(true);
    };
  }
  const whole = instalment !== undefined &&
    amountOf(instalment) !== amountOf(nextAmount) && {
      value: 'instalment' as const,
      label: pay.oneInstalment,
      figure: peso(instalment),
    };
  return (
    <Dialog
      {...{ onClose, onReopen }}
      title={payment.howToPay}
      description={
        <>
          <span className="whitespace-nowrap">{loan.loanNumber}</span>
          {payBy && (
            <>
              {' · '}
              {myLoan.payBy} <b className="whitespace-nowrap text-ink">{longDate(payBy)}</b>
            </>
          )}
        </>
      }
      closeLabel={shell.close}
    >
      {/* The ring of a chosen chip is drawn outside of it. */}
      <div className="flex flex-col gap-4 pt-0.5">
        <ChoiceField<Choice>
          label={pay.howMuch}
          labelHidden
          options={[
            { value: 'next', label: isDue ? payment.dueNow : payment.next, figure: peso(nextAmount) },
            ...(whole ? [whole] : []),
            { value: 'other', label: pay.anotherAmount },
          ]}
          value={choice}
          onValueChange={choose(setChoice)}
          className="grid-cols-[repeat(auto-fit,minmax(min(6.5rem,100%),1fr))] gap-2 *:px-2"
        />
        {choice === 'other' && (
          <PesoField
            {...other.field('amount', typedAmount)}
            label={papers.amount}
            hint={pay.anyAmount}
            onInput={() => setIsChosen(true)}
          />
        )}
        {ways.length === 0 ? (
          <>
            <AskStaff />
            <PayInto {...payee} />
          </>
        ) : (
          <Tabs
            label={pay.ways}
            tabs={ways.map((value) => ({ value, label: pay.groups[value] }))}
            value={way}
            onValueChange={choose((value) => {
              setWay(value);
              setChosen(undefined);
            })}
          >
            <div className="flex flex-col gap-3">
              {accounts.length > 1 ? (
                <ChoiceField
                  label={pay.into}
                  labelHidden
                  options={accounts.map(({ name, channel }, value) => ({
                    value,
                    // A bank may take two kinds of transfer.
                    label: way === 'bank' ? `${name} · ${myLoan.channels[channel]}` : name,
                  }))}
                  value={index}
                  onValueChange={choose(setChosen)}
                  className="grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-2"
                />
              ) : (
                account && <p className="font-semibold">{account.name}</p>
              )}
              <PayInto {...payee} />
              {way === 'cash' && <Places title={myLoan.payAt} places={branches} />}
            </div>
          </Tabs>
        )}
        {amountOf(balance) > 0 && (
          <QuietButton wide onClick={() => setNext('wallet')}>
            {payment.fromWallet}
          </QuietButton>
        )}
        <p className="text-center text-12 text-ink-soft">
          {pay.neverPerson}{' '}
          <Link
            href={paths.help}
            className="inline-flex min-h-6 items-center font-semibold text-leaf underline underline-offset-2"
          >
            {pay.report}
          </Link>
        </p>
        <DialogActions className="mt-0!">
          <Button look="secondary" icon={<CopyIcon className="max-sm:hidden" />} onClick={copyAll}>
            {pay.copyAll}
          </Button>
          <Button onClick={() => setNext('paid')}>{pay.havePaid}</Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}

/** Tells borrowers to ask staff, if the lender has not named its accounts. */
function AskStaff() {
  const { myLoan } = useAccountWords();
  const { branches, payoutChannels, supportHours } = lender();
  return (
    <div className="flex flex-col gap-3 text-14">
      <p>
        <b>{myLoan.payThrough}</b> {payoutChannels.join(', ')}
      </p>
      <Places title={myLoan.payAt} places={branches} />
      <div>
        <p>{myLoan.askWhere}</p>
        <SupportContact />
        {supportHours && <p className="text-12 text-ink-soft">{supportHours}</p>}
      </div>
    </div>
  );
}
