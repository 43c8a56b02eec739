import { useState } from 'react';
import type { input } from 'zod/mini';
import { WithdrawalForm } from '#contract/withdrawal.ts';
import { parsePesos } from '#domain/money.ts';
import { bankMatchesProfile } from '#domain/withdrawal.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { type ContractForm, useContractForm, useFormValues } from '#web/lib/form.ts';
import { useFormats } from '#web/lib/format.ts';
import { useUser } from '#web/lib/session.tsx';
import { typedAmount } from '#web/lib/typed-amount.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { BalanceText } from './balance-text.tsx';
import { covers, useFunds } from './use-funds.ts';

export type WithdrawalDetails = input<typeof WithdrawalForm>;

type Props = {
  balanceShown: boolean;
  /** The earlier values, if the wallet turned out to hold less. */
  typed: WithdrawalDetails | undefined;
  onClose: () => void;
  onContinue: (details: WithdrawalDetails, isBalanceFresh: boolean) => void;
};

/** Asks for amount and bank account, prefilled from the profile. */
export function WithdrawDialog({ balanceShown, typed, onClose, onContinue }: Props) {
  const { withdrawal, shell, verification } = useAccountWords();
  const { peso } = useFormats();
  const user = useUser();
  const { balance, readBalance, tellTooLittle } = useFunds();
  const [looking, setLooking] = useState<'forAll' | 'toContinue'>();
  const form = useContractForm(WithdrawalForm, {
    defaultValues: typed ?? {
      amount: '',
      bankName: user.bankName ?? '',
      bankAccountNumber: user.bankAccountNumber ?? '',
    },
  });

  const submit = form.handleSubmit(async (details) => {
    const amount = parsePesos(details.amount);
    if (amount === undefined || looking) return;
    setLooking('toContinue');
    // The next dialog shows what will be left, never from a possibly stale balance.
    const fresh = await readBalance();
    setLooking(undefined);
    if (covers(fresh ?? balance, amount)) return onContinue(details, fresh !== undefined);
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
      open
      onClose={onClose}
      closeOnBackdrop={false}
      title={withdrawal.title}
      description={withdrawal.lead}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          {...form.field('amount', { setValueAs: typedAmount })}
          label={withdrawal.amount}
          aside={<BalanceText shown={balanceShown} amount={peso(balance)} within={withdrawal.inWallet} />}
          trailing={
            <Button
              look="quiet"
              size="compact"
              busy={looking === 'forAll'}
              disabled={looking !== undefined}
              onClick={() => void fillAll()}
            >
              {withdrawal.allOfIt}
            </Button>
          }
          prefix="₱"
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
        />
        <TextField
          {...form.field('bankName')}
          label={verification.pieces.bankName}
          autoComplete="off"
          autoCapitalize="words"
        />
        <TextField
          {...form.field('bankAccountNumber')}
          label={verification.pieces.bankAccountNumber}
          inputMode="numeric"
          autoComplete="off"
        />
        <WhoChecks form={form} />
        <DialogActions className="mt-0!">
          <Button look="secondary" onClick={onClose}>
            {shell.cancel}
          </Button>
          <Button type="submit" busy={looking === 'toContinue'} disabled={looking !== undefined}>
            {withdrawal.continue}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Announces whether staff will check the bank account first (§first-status). */
function WhoChecks({ form }: { form: ContractForm<WithdrawalDetails> }) {
  const { withdrawal } = useAccountWords();
  const user = useUser();
  const { bankName, bankAccountNumber } = useFormValues(form);
  if (!bankName.trim() || !bankAccountNumber.trim()) return null;
  const isProfiles = bankMatchesProfile({ bankName, bankAccountNumber }, user);
  return (
    <p role="status" className="text-14 text-ink-soft">
      {isProfiles ? withdrawal.toProfile : withdrawal.toOther}
    </p>
  );
}
