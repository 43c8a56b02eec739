import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import * as api from '#contract/borrower-endpoints.ts';
import { oneTimeCode, type Withdrawal, WithdrawalForm } from '#contract/withdrawal.ts';
import { limits } from '#domain/limits.ts';
import { centavos } from '#domain/money.ts';
import { bankMatchesProfile } from '#domain/withdrawal.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { BalanceText } from '#web/lib/balance-text.tsx';
import { codeOf } from '#web/lib/call-error.ts';
import { type KeptValues, type SchemaForm, useFormValues, useSchemaForm } from '#web/lib/form.ts';
import { typedAmount } from '#web/lib/format.ts';
import { KeptLine } from '#web/lib/kept-line.tsx';
import { UnsettledError, useMoneyCall } from '#web/lib/money-call.ts';
import { BalanceLine, type BalanceShown, DoneDialog, MoneyDialog } from '#web/lib/money-dialog.tsx';
import { amountOf } from '#web/lib/pesos.ts';
import { useSession, useUser } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { useTypedValues } from '#web/lib/typed-values.ts';
import { Button, QuietButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CodeField } from '#web/ui/code-field.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { PesoField, TextField } from '#web/ui/text-field.tsx';
import { NeverPay } from './balance.tsx';
import { CodeSource, TextCodeDialog, type TextState, useTextsCodes } from './code-source.tsx';
import { readBesideBalance, useFunds } from './funds.ts';
import { ShortAccount } from './withdrawal-list.tsx';

type WithdrawalDetails = z.input<typeof WithdrawalForm>;

type Step =
  | { asks: 'details' }
  /** `wasBalanceRead`: after the amount was typed. */
  | { asks: 'code'; details: WithdrawalDetails; wasBalanceRead: boolean };

type Leaving = { onClose: () => void; onReopen: () => void };

/** Amount and bank account, then the code (§wallet-page). Back leads from the second to the first; leaving it discards both. */
export function WithdrawMoney({ onClose, onReopen, ...shown }: BalanceShown & Leaving) {
  const { tellTooLittle } = useFunds();
  const [step, setStep] = useState<Step>({ asks: 'details' });
  const kept = useTypedValues('withdrawal');
  if (step.asks === 'details') {
    return (
      <WithdrawDialog
        {...shown}
        kept={kept}
        onClose={onClose}
        onReopen={onReopen}
        onContinue={(details, wasBalanceRead) => setStep({ asks: 'code', details, wasBalanceRead })}
      />
    );
  }
  return (
    <OtpDialog
      {...step}
      {...shown}
      onClose={onClose}
      onDiscard={() => kept?.forget()}
      onBack={() => setStep({ asks: 'details' })}
      onReopen={() => setStep(step)}
      onTooLittle={() => {
        // Opening a dialog dismisses earlier failure toasts, so this one is raised afterwards.
        flushSync(() => setStep({ asks: 'details' }));
        tellTooLittle();
      }}
    />
  );
}

const AccountOf = ({ bankName, number }: { bankName: string; number: string }) => (
  <>
    <bdi>{bankName}</bdi> · <ShortAccount number={number} />
  </>
);

type WithdrawDialogProps = BalanceShown &
  Leaving & {
    /** The values from before: after Back, or if the wallet turned out to hold less. */
    kept: KeptValues | undefined;
    onContinue: (details: WithdrawalDetails, wasBalanceRead: boolean) => void;
  };

function WithdrawDialog(props: WithdrawDialogProps) {
  const { balanceShown, onBalanceShown, kept, onClose, onReopen, onContinue } = props;
  const { typed, withdrawal, shell } = useAccountWords();
  const user = useUser();
  const { balance, readBalance, tellTooLittle } = useFunds();
  const [looking, setLooking] = useState<'forAll' | 'toContinue'>();
  const form = useSchemaForm(WithdrawalForm, {
    defaultValues: {
      amount: '',
      bankName: user.bankName ?? '',
      bankAccountNumber: user.bankAccountNumber ?? '',
    },
    kept,
  });

  const submit = form.handleSubmit(async (details) => {
    if (looking) return;
    setLooking('toContinue');
    // The next dialog shows what will be left, never from a possibly stale balance.
    const fresh = await readBalance();
    setLooking(undefined);
    const isCovered = amountOf(fresh ?? balance) >= amountOf(details.amount);
    if (isCovered) return onContinue(details, fresh !== undefined);
    tellTooLittle();
    form.setFocus('amount');
  });

  async function fillAll() {
    setLooking('forAll');
    form.setValue('amount', (await readBalance()) ?? balance);
    setLooking(undefined);
    form.setFocus('amount');
  }

  return (
    <Dialog
      {...{ onClose, onReopen }}
      closeOnBackdrop={false}
      title={withdrawal.title}
      closeLabel={shell.close}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <KeptLine form={form} words={typed} />
        <BalanceLine shown={balanceShown} onShownChange={onBalanceShown} />
        <PesoField
          {...form.field('amount', typedAmount)}
          label={withdrawal.amount}
          isLarge
          className="pr-17"
          trailing={
            <QuietButton
              busy={looking === 'forAll'}
              disabled={looking !== undefined}
              onClick={() => void fillAll()}
            >
              {withdrawal.allOfIt}
            </QuietButton>
          }
          data-autofocus
        />
        <Destination form={form} />
        <p className="text-14 text-ink-soft">{withdrawal.lead}</p>
        <DialogActions
          className="mt-0!"
          cancel={{
            onClick: () => {
              form.kept?.forget();
              onClose();
            },
            children: shell.cancel,
          }}
        >
          <Button type="submit" busy={looking === 'toContinue'} disabled={looking !== undefined}>
            {withdrawal.continue}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The bank account, a line while it is the profile's, and whether staff will check it first (§first-status). */
function Destination({ form }: { form: SchemaForm<WithdrawalDetails> }) {
  const { withdrawal, verification } = useAccountWords();
  const user = useUser();
  const { bankName, bankAccountNumber } = useFormValues(form);
  const isGiven = bankName.trim() !== '' && bankAccountNumber.trim() !== '';
  const isProfiles = isGiven && bankMatchesProfile({ bankName, bankAccountNumber }, user);
  const [isLine, setLine] = useState(isProfiles);
  const unfold = () => setLine(false);
  return (
    <fieldset>
      <legend className={isLine ? 'mb-1.5 text-14 font-semibold' : 'sr-only'}>{withdrawal.to}</legend>
      <div
        className={
          isLine ? 'flex items-center gap-3 rounded-control bg-sunken py-2.5 pr-1 pl-3.5' : undefined
        }
      >
        <div className="min-w-0 grow">
          {isLine && (
            <p className="font-semibold wrap-anywhere">
              <bdi>{bankName}</bdi> <ShortAccount number={bankAccountNumber} />
            </p>
          )}
          {/* Hidden behind the line until the focus comes to one of them. */}
          <div className={isLine ? 'sr-only' : 'flex flex-col gap-4'}>
            <TextField
              {...form.field('bankName')}
              label={verification.pieces.bankName}
              autoCapitalize="words"
              onFocus={unfold}
            />
            <TextField
              {...form.field('bankAccountNumber')}
              label={verification.pieces.bankAccountNumber}
              inputMode="numeric"
              onFocus={unfold}
            />
          </div>
          <p role="status" className="mt-0.5 text-14 text-ink-soft empty:hidden">
            {isGiven && (isProfiles ? withdrawal.toProfile : withdrawal.toOther)}
          </p>
        </div>
        {isLine && <QuietButton onClick={() => form.setFocus('bankName')}>{withdrawal.change}</QuietButton>}
      </div>
    </fieldset>
  );
}

const CodeForm = z.object({ otp: oneTimeCode });

type OtpDialogProps = Pick<BalanceShown, 'balanceShown'> &
  Leaving & {
    details: WithdrawalDetails;
    wasBalanceRead: boolean;
    /** Drops what was typed. */
    onDiscard: () => void;
    onBack: () => void;
    onTooLittle: () => void;
  };

/** Shows the withdrawal for review and sends it with the one-time code (§withdrawing). */
function OtpDialog(props: OtpDialogProps) {
  const { details, balanceShown, wasBalanceRead, onDiscard, onClose, onBack, onReopen, onTooLittle } = props;
  const { withdrawal, peso, errorText } = useAccountWords();
  const textsCodes = useTextsCodes();
  const money = useMoneyCall(api.requestWithdrawal);
  const { state } = money;
  const form = useSchemaForm(CodeForm, { defaultValues: { otp: '' } });
  const { setFocus } = form;
  const [text, setText] = useState<TextState>({});
  const [isTexting, setTexting] = useState(false);
  useEffect(() => {
    // The boxes cannot have the focus while the password's dialog is above them.
    if (text.texted && !isTexting) setFocus('otp');
  }, [text, isTexting, setFocus]);

  const { refresh } = useSession();
  const [made, setMade] = useState<Withdrawal>();
  // If false, the balance may be stale, and nothing is calculated from it.
  const [isBalanceFresh, setBalanceFresh] = useState(wasBalanceRead);
  /** The request was answered or its outcome is unknown: the wallet's data may be stale. */
  async function readAgain() {
    readBesideBalance();
    setBalanceFresh(await refresh());
  }
  const asked = amountOf(details.amount);
  const left = centavos(amountOf(useUser().balance) - asked);
  const shownLeft = isBalanceFresh ? (
    <BalanceText shown={balanceShown} amount={peso(left)} />
  ) : (
    withdrawal.leftUnknown
  );
  // It is not known then whether the amount has left the balance.
  const isUndecided = state === 'checking' || state === 'unsettled';

  const submit = form.handleSubmit(async ({ otp }) => {
    try {
      const answer = await money.send({ body: { ...details, otp } });
      const { status, amount, bankName } = answer;
      const approvedText = withdrawal.approvedText({ amount: peso(amount), bankName });
      toast(
        status === 'approved'
          ? { title: withdrawal.approved, description: approvedText }
          : { title: withdrawal.submitted, description: withdrawal.submittedText },
      );
      onDiscard();
      setMade(answer);
    } catch (error) {
      if (error instanceof UnsettledError) return;
      if (codeOf(error) === 'insufficient_funds') return onTooLittle();
      const description = errorText(error);
      toast({ tone: 'bad', title: withdrawal.failed, description });
      if (codeOf(error) === 'invalid_otp') {
        form.setValue('otp', '');
        form.setError('otp', description);
      }
    } finally {
      void readAgain();
    }
  });

  if (made) {
    const { status, amount, bankName, bankAccountNumber, withdrawalNumber } = made;
    return (
      <DoneDialog
        title={status === 'approved' ? withdrawal.sentNext : withdrawal.messageEitherWay}
        text={status === 'approved' ? withdrawal.messageWhenSent : withdrawal.sentIfRight}
        rows={[
          { term: withdrawal.amount, value: peso(amount), strong: true },
          { term: withdrawal.to, value: <AccountOf bankName={bankName} number={bankAccountNumber} /> },
          { term: withdrawal.number, value: withdrawalNumber },
        ]}
        onClose={onClose}
      />
    );
  }
  return (
    <>
      <MoneyDialog
        state={state}
        title={withdrawal.codeTitle}
        description={textsCodes ? withdrawal.codeLeadByText : withdrawal.codeLead}
        onSubmit={submit}
        submitLabel={withdrawal.confirm}
        {...{ onBack, onReopen }}
        onClose={() => {
          onDiscard();
          onClose();
        }}
        escapeCloses
        unknownText={withdrawal.unknownText}
        onUnknown={() => void readAgain()}
        foot={<NeverPay />}
      >
        <Card look="sunken">
          <DefinitionRows
            rows={[
              { term: withdrawal.youWithdraw, value: peso(asked) },
              {
                term: withdrawal.to,
                value: <AccountOf bankName={details.bankName.trim()} number={details.bankAccountNumber} />,
              },
              { term: withdrawal.left, value: left >= 0 && !isUndecided && shownLeft },
            ]}
          />
        </Card>
        {/* Most people have none yet. */}
        <CodeSource
          isLocked={state !== 'idle'}
          text={text}
          onText={() => setTexting(true)}
          onAsked={() => form.setFocus('otp')}
        />
        <CodeField
          {...form.field('otp')}
          label={withdrawal.code}
          hint={withdrawal.codeHint}
          length={limits.otpLength}
          // The key requires identical content: a retyped code would be a different request from the one being recovered.
          readOnly={state !== 'idle'}
          data-autofocus
        />
      </MoneyDialog>
      {/* Beside it: a form cannot hold another. */}
      {isTexting && (
        <TextCodeDialog
          details={details}
          onAnswered={(answer) => setText((before) => ({ ...before, refusal: undefined, ...answer }))}
          onClose={() => setTexting(false)}
        />
      )}
    </>
  );
}
