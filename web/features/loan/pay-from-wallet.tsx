import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { output } from 'zod/mini';
import * as calls from '#contract/loan-account-endpoints.ts';
import { type LoanPreview, OwnPaymentPreviewForm, type OwnPaymentReply } from '#contract/servicing.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { call } from '#web/lib/call.ts';
import { useDebounced } from '#web/lib/debounced.ts';
import { useFormValues, useSchemaForm } from '#web/lib/form.ts';
import { typedAmount } from '#web/lib/format.ts';
import { KeptLine } from '#web/lib/kept-line.tsx';
import { leftToPayOf } from '#web/lib/loan-account.ts';
import { isPaidOff } from '#web/lib/loan-standing.ts';
import { UnsettledError, useMoneyCall } from '#web/lib/money-call.ts';
import { BalanceLine, DoneDialog, MoneyDialog } from '#web/lib/money-dialog.tsx';
import { amountOf } from '#web/lib/pesos.ts';
import { readKey, useRead } from '#web/lib/query.tsx';
import { useSession, useUser } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { useTypedValues } from '#web/lib/typed-values.ts';
import { QuietButton } from '#web/ui/button.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { PesoField } from '#web/ui/text-field.tsx';
import { readAfterPaying, useReadAfterPaying } from './after-paying.tsx';
import { useAllocationText } from './allocation-text.ts';

type PayFromWalletProps = {
  loan: { id: number };
  amount: string;
  onClose: () => void;
  /** Leads back to the sheet that led here, if one did. */
  onBack?: () => void;
  onSent?: (() => void) | undefined;
  onReopen: () => void;
};

const previewDebounceMs = 300;

/** Pays from the wallet, after showing what that does (§own-payments). */
export function PayFromWallet({ loan, amount, onSent, ...leaving }: PayFromWalletProps) {
  const { myLoan, papers, pay, payment, typed: words, peso, errorText } = useAccountWords();
  const textOf = useAllocationText();
  const { refresh } = useSession();
  const { balance } = useUser();
  const params = { id: loan.id };
  const { state, send } = useMoneyCall(calls.payOwnLoan);
  const { data: account } = useRead(calls.readLoanAccount, { params, anew: true });
  const [balanceShown, setBalanceShown] = useState(false);
  const [done, setDone] = useState<output<typeof OwnPaymentReply>>();
  useReadAfterPaying(done !== undefined);
  const holds = (asked: string) => amountOf(balance) >= amountOf(asked);
  // Never filled in with more than can be paid, nor with the balance, which may be hidden.
  const form = useSchemaForm(OwnPaymentPreviewForm, {
    defaultValues: { amount: holds(amount) ? amount.replace(/\.00$/, '') : '' },
    kept: useTypedValues(`wallet ${loan.id}`),
  });
  const typed = useFormValues(form);
  const everything = account?.settlement?.amount;
  // Today's exact amount settles the loan; any other is an ordinary payment.
  const bodyOf = ({ amount: given }: typeof typed) => ({
    amount: given,
    ...(amountOf(String(given)) === amountOf(everything ?? '0') && { settlement: true }),
  });
  const body = bodyOf(typed);
  const text = OwnPaymentPreviewForm.safeParse(body).success ? JSON.stringify(body) : '';
  const rested = useDebounced(text, previewDebounceMs);
  const preview = useQuery({
    queryKey: [...readKey(calls.previewOwnPayment, { params }), rested],
    queryFn: ({ signal }) => call(calls.previewOwnPayment, { params, body: JSON.parse(rested), signal }),
    enabled: rested !== '' && rested === text && state === 'idle' && !done,
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
  const isShown = rested === text && text !== '' && !preview.isFetching;

  const submit = form.handleSubmit(async (values) => {
    try {
      const paid = await send({ params, body: { ...bodyOf(values), channel: 'wallet' } });
      toast({ title: paid.status === 'confirmed' ? pay.paid : pay.sent });
      form.kept?.forget();
      onSent?.();
      setDone(paid);
    } catch (error) {
      readAfterPaying();
      void refresh();
      if (error instanceof UnsettledError || form.showServerErrors(error)) return;
      toast({ tone: 'bad', title: pay.payFailed, description: errorText(error) });
    }
  });

  if (done) {
    const { amount: paid, application, receiptNumber } = done;
    return (
      <DoneDialog
        title={application ? pay.paid : pay.waiting}
        text={application ? pay.paidText : pay.waitsText}
        rows={[
          { term: papers.amount, value: peso(paid), strong: true },
          { term: myLoan.wentTo, value: application && <Lines text={textOf(application)} /> },
          { term: pay.receiptNumber, value: receiptNumber },
        ]}
        onClose={leaving.onClose}
      />
    );
  }
  return (
    <MoneyDialog
      state={state}
      title={payment.fromWallet}
      description={isShown && preview.data?.waitsFor ? undefined : pay.walletLead}
      onSubmit={submit}
      submitLabel={pay.pay}
      {...leaving}
      onCancel={form.kept?.forget}
      onUnknown={readAfterPaying}
    >
      <KeptLine form={form} words={words} />
      <BalanceLine shown={balanceShown} onShownChange={setBalanceShown} />
      <PesoField
        {...form.field('amount', typedAmount)}
        label={papers.amount}
        hint={!holds(amount) && pay.lessInWallet}
        readOnly={state !== 'idle'}
        data-autofocus
      />
      {everything !== undefined && (
        <QuietButton
          className="-my-2 -ml-3 self-start"
          disabled={state !== 'idle'}
          onClick={() => form.setValue('amount', holds(everything) ? everything : balance)}
        >
          {holds(everything) ? pay.everything(peso(everything)) : pay.allInWallet}
        </QuietButton>
      )}
      <section
        aria-label={pay.does}
        aria-busy={text !== '' && !isShown}
        className="rounded-card bg-sunken p-4 text-14"
      >
        {isShown && preview.error ? (
          <div role="alert" className="text-bad">
            <p className="font-semibold">{pay.cannot}</p>
            <p>{errorText(preview.error)}</p>
          </div>
        ) : isShown && preview.data ? (
          <What preview={preview.data} />
        ) : (
          <p className="text-ink-soft">{text === '' ? pay.doesAfterAmount : pay.working}</p>
        )}
      </section>
    </MoneyDialog>
  );
}

const Lines = ({ text }: { text: string }) =>
  text.split(' · ').map((line) => (
    <span key={line} className="block text-right">
      {line}
    </span>
  ));

function What({ preview: { after, receipt, waitsFor } }: { preview: LoanPreview }) {
  const { pay, payment, date, peso } = useAccountWords();
  const textOf = useAllocationText();
  const { dueNow, nextDueDate, nextDueAmount } = after.account;
  return (
    <>
      <DefinitionRows
        size={14}
        rows={[
          { term: pay.goesTo, value: receipt && <Lines text={textOf(receipt)} /> },
          { term: pay.leftAfter, value: peso(leftToPayOf(after)) },
          amountOf(dueNow) > 0
            ? { term: payment.dueNow, value: peso(dueNow) }
            : {
                term: payment.next,
                value: nextDueDate && pay.nextOn({ amount: peso(nextDueAmount), date: date(nextDueDate) }),
              },
        ]}
      />
      {isPaidOff(after.account) && <p className="mt-2 font-semibold">{pay.paysOff}</p>}
      {waitsFor && <p className="mt-2 font-semibold text-warn">{pay.waits}</p>}
    </>
  );
}
