import { useState } from 'react';
import * as calls from '#contract/loan-account-endpoints.ts';
import { OwnPaymentForm } from '#contract/servicing.ts';
import { needsReference, type PaymentChannel } from '#domain/payment.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { codeOf } from '#web/lib/call-error.ts';
import { DayField } from '#web/lib/day-field.tsx';
import { type KeptValues, useFormValues, useSchemaForm } from '#web/lib/form.ts';
import { typedAmount } from '#web/lib/format.ts';
import { KeptLine } from '#web/lib/kept-line.tsx';
import { today } from '#web/lib/lender.ts';
import { UnsettledError, useMoneyCall } from '#web/lib/money-call.ts';
import { DoneDialog, MoneyDialog } from '#web/lib/money-dialog.tsx';
import { SlipField } from '#web/lib/slip-field.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { useTypedValues } from '#web/lib/typed-values.ts';
import { Amount } from '#web/ui/amount.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { PesoField, TextField } from '#web/ui/text-field.tsx';
import { readAfterPaying, useReadAfterPaying } from './after-paying.tsx';
import { HalfWoven } from './sent-payments.tsx';
import { channelsPaidThrough } from './ways-to-pay.ts';

type HavePaidProps = {
  loan: { id: number };
  amount: string;
  /** The channel of the account that was shown. */
  channel: PaymentChannel | undefined;
  /** Amount and channel were chosen after the form was last open: they go before what was typed there. */
  isChosen: boolean;
  onSent: (() => void) | undefined;
  onClose: () => void;
  onBack: () => void;
  onReopen: () => void;
};

/** Reports a payment that the borrower made elsewhere, for staff to confirm (§own-payments). */
export function HavePaid({ loan, amount, channel, isChosen, onSent, ...leaving }: HavePaidProps) {
  const { myLoan, papers, pay, typed, date, peso, errorText } = useAccountWords();
  const { state, send } = useMoneyCall(calls.payOwnLoan);
  const [uploading, setUploading] = useState(false);
  const [sent, setSent] = useState<{ amount: string; channel: PaymentChannel; paidOn: string }>();
  useReadAfterPaying(sent !== undefined);
  const kept = useTypedValues(`paid ${loan.id}`);
  const form = useSchemaForm(OwnPaymentForm, {
    defaultValues: {
      amount: amount.replace(/\.00$/, ''),
      paidOn: today() as string,
      channel: channel ?? ('gcash' as PaymentChannel),
      reference: '',
      proofUrl: '',
    },
    kept: isChosen ? chosenFirst(kept) : kept,
  });
  const { channel: through, proofUrl } = useFormValues(form);
  const hasReference = needsReference(through);

  const submit = form.handleSubmit(async (body) => {
    if (uploading) return form.setError('proofUrl', pay.slipUnderWay);
    try {
      const { reference, ...others } = body;
      const paid = await send({ params: { id: loan.id }, body: hasReference ? body : others });
      toast({ title: pay.sent });
      form.kept?.forget();
      onSent?.();
      setSent({ amount: paid.amount, channel: paid.channel, paidOn: paid.valueDate });
    } catch (error) {
      readAfterPaying();
      if (error instanceof UnsettledError || form.showServerErrors(error)) return;
      const description = errorText(error);
      if (codeOf(error) === 'payment_known') form.setError('reference', description);
      else if (codeOf(error) === 'foreign_document') form.setError('proofUrl', description);
      else toast({ tone: 'bad', title: pay.sendFailed, description });
    }
  });

  if (sent !== undefined) {
    return (
      <DoneDialog
        title={pay.waiting}
        text={pay.waitingText(date(sent.paidOn))}
        picture={
          <div className="flex items-center gap-4 rounded-card bg-sunken p-4">
            <HalfWoven />
            <p className="min-w-0">
              <Amount size={24}>{peso(sent.amount)}</Amount>
              <span className="block text-14 text-ink-soft">
                {myLoan.channels[sent.channel]} · {myLoan.paidOn(date(sent.paidOn))}
              </span>
            </p>
          </div>
        }
        onClose={leaving.onClose}
      />
    );
  }
  // While the outcome is unknown the key allows only the same content.
  const isFixed = state !== 'idle';
  return (
    <MoneyDialog
      state={state}
      title={pay.havePaid}
      description={pay.havePaidLead}
      onSubmit={submit}
      submitLabel={pay.send}
      {...leaving}
      onCancel={form.kept?.forget}
      onUnknown={readAfterPaying}
    >
      <KeptLine form={form} words={typed} />
      <PesoField
        {...form.field('amount', typedAmount)}
        label={papers.amount}
        readOnly={isFixed}
        data-autofocus={hasReference && amount !== '' ? undefined : true}
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8.75rem,100%),1fr))] gap-x-3 gap-y-4">
        <DayField {...form.field('paidOn')} label={pay.paidOn} max={today()} readOnly={isFixed} />
        <SelectField
          {...form.field('channel')}
          label={pay.paidThrough}
          options={channelsPaidThrough().map((value) => ({ value, label: myLoan.channels[value] }))}
          disabled={isFixed}
        />
      </div>
      {hasReference && (
        <TextField
          {...form.field('reference')}
          label={pay.referenceNumber}
          hint={pay.referenceHint}
          autoCapitalize="characters"
          spellCheck={false}
          readOnly={isFixed}
          data-autofocus={amount !== '' ? true : undefined}
        />
      )}
      <SlipField
        label={pay.slip}
        aside={pay.optional}
        hints={{
          choose: pay.chooseSlip,
          empty: pay.slipHint,
          uploading: pay.slipUploading,
          ready: pay.slipReady,
        }}
        url={String(proofUrl)}
        onUrl={(url) => form.setValue('proofUrl', url)}
        onBusy={setUploading}
        error={form.errorOf('proofUrl')}
        disabled={isFixed}
      />
    </MoneyDialog>
  );
}

/** Leaves out the amount and channel that were typed before. */
const chosenFirst = (kept: KeptValues | undefined): KeptValues | undefined =>
  kept && {
    ...kept,
    read() {
      const { amount: _amount, channel: _channel, ...others } = kept.read() as Record<string, unknown>;
      return others;
    },
  };
