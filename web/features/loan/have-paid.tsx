import { useState } from 'react';
import * as calls from '#contract/loan-account-endpoints.ts';
import { OwnPaymentForm } from '#contract/servicing.ts';
import { parseManilaDate } from '#domain/calendar.ts';
import { accountChannels, needsReference, type PaymentChannel } from '#domain/payment.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { codeOf } from '#web/lib/call-error.ts';
import { DayField } from '#web/lib/day-field.tsx';
import { useFormValues, useSchemaForm } from '#web/lib/form.ts';
import { typedAmount } from '#web/lib/format.ts';
import { KeptLine } from '#web/lib/kept-line.tsx';
import { today } from '#web/lib/lender.ts';
import { UnsettledError, useMoneyCall } from '#web/lib/money-call.ts';
import { DoneDialog, MoneyDialog } from '#web/lib/money-dialog.tsx';
import { SlipField } from '#web/lib/slip-field.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { useTypedValues } from '#web/lib/typed-values.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { PesoField, TextField } from '#web/ui/text-field.tsx';
import { readAfterPaying, useReadAfterPaying } from './after-paying.tsx';

type HavePaidProps = {
  loan: { id: number };
  amount: string;
  /** The channel of the account that was shown. */
  channel: PaymentChannel | undefined;
  onClose: () => void;
  onBack: () => void;
  onReopen: () => void;
};

/** Reports a payment that the borrower made elsewhere, for staff to confirm (§own-payments). */
export function HavePaid({ loan, amount, channel, ...leaving }: HavePaidProps) {
  const { myLoan, papers, pay, typed, longDate, peso, errorText } = useAccountWords();
  const { state, send } = useMoneyCall(calls.payOwnLoan);
  const [uploading, setUploading] = useState(false);
  const [sent, setSent] = useState<string>();
  useReadAfterPaying(sent !== undefined);
  const form = useSchemaForm(OwnPaymentForm, {
    defaultValues: {
      amount: amount.replace(/\.00$/, ''),
      paidOn: today() as string,
      channel: channel ?? ('gcash' as PaymentChannel),
      reference: '',
      proofUrl: '',
    },
    kept: useTypedValues(`paid ${loan.id}`),
  });
  const { channel: through, paidOn, proofUrl } = useFormValues(form);
  const hasReference = needsReference(through);

  const submit = form.handleSubmit(async (body) => {
    if (uploading) return form.setError('proofUrl', pay.slipUnderWay);
    try {
      const { reference, ...others } = body;
      const paid = await send({ params: { id: loan.id }, body: hasReference ? body : others });
      toast({ title: pay.sent });
      form.kept?.forget();
      setSent(paid.amount);
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
    const rows = [{ term: papers.amount, value: peso(sent), strong: true }];
    return <DoneDialog title={pay.sent} text={pay.sentText} rows={rows} onClose={leaving.onClose} />;
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
        data-autofocus
      />
      <DayField
        {...form.field('paidOn')}
        label={pay.paidOn}
        // The field shows day, month and year in the order of the browser's language.
        aside={parseManilaDate(paidOn) && longDate(paidOn)}
        max={today()}
        readOnly={isFixed}
      />
      <SelectField
        {...form.field('channel')}
        label={pay.paidThrough}
        options={accountChannels.map((value) => ({ value, label: myLoan.channels[value] }))}
        disabled={isFixed}
      />
      {hasReference && (
        <TextField
          {...form.field('reference')}
          label={pay.referenceNumber}
          hint={pay.referenceHint}
          autoCapitalize="characters"
          spellCheck={false}
          readOnly={isFixed}
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
