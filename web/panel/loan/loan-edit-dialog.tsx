import { useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import { LoanUpdate, type StaffLoan } from '#contract/member.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { monthlyPayment } from '#domain/loan.ts';
import { centavos, formatPeso, parsePesos } from '#domain/money.ts';
import { percentText } from '#domain/rates.ts';
import { type ContractForm, useContractForm, useFormValues } from '#web/lib/form.ts';
import { showPeso } from '#web/lib/format.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { typedAmount } from '#web/lib/typed-amount.ts';
import { useEditConflict } from '#web/panel/lib/edit-conflict.tsx';
import { SaveActions } from '#web/panel/lib/save-actions.tsx';
import { useStaffAction } from '#web/panel/lib/staff-action.ts';
import { acceptRow } from '#web/panel/lib/staff-rows.ts';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { NumberField, TextField } from '#web/ui/text-field.tsx';
import { borrowerName, loanRow, pricingRate } from './loan-text.ts';

const words = panel.loanEdit;

type TypedTerms = { amount: string; termMonths: number };

/** The terms as the form holds them: whole pesos without their centavos. */
function typedTerms({ amount, termMonths }: { amount?: unknown; termMonths?: unknown }): TypedTerms {
  return { amount: String(amount).replace(/\.00$/, ''), termMonths: Number(termMonths) };
}

/** The two terms under the rules of the contract's own schema, both given. */
const TermsForm = z.custom<TypedTerms>().check((context) => {
  const read = LoanUpdate.safeParse(context.value);
  for (const { path, message } of read.error?.issues ?? []) {
    context.issues.push({ code: 'custom', path: [...path], message, input: context.value });
  }
});

/** Changes a loan's amount and term, with the new payment in sight before it is saved (§editing-terms). */
export function LoanEditDialog({ loan, onClose }: { loan: StaffLoan; onClose: () => void }) {
  const act = useStaffAction();
  const { state, stop, send } = useMoneyCall(api.updateLoan);
  const busy = state === 'sending' || state === 'checking';
  const [opened] = useState(() => typedTerms(loan));
  const form = useContractForm(TermsForm, { defaultValues: opened });
  const conflict = useEditConflict(form, opened, typedTerms);

  const submit = form.handleSubmit(async (typed) => {
    const body = conflict.editOf(typed);
    if (!body) return onClose();
    const result = await act(send({ params: { id: loan.id }, body }), {
      done: (changed) => ({
        title: panel.toasts.success,
        description: words.saved(changed.loanNumber, showPeso(changed.monthlyPayment)),
      }),
      failedTitle: panel.toasts.updateFailed,
      row: loanRow(loan.id),
    });
    if (!result.ok) return conflict.takePresent(result.error) || form.showServerErrors(result.error);
    acceptRow(api.listLoans, result.answer);
    onClose();
  });

  const close = () => {
    if (!busy || stop) onClose();
  };
  return (
    <Dialog
      open
      closeOnBackdrop={false}
      title={words.title}
      description={panel.loanStatus.of({
        loanNumber: loan.loanNumber,
        name: borrowerName(loan),
        amount: showPeso(loan.amount),
      })}
      closeLabel={en.shell.close}
      onClose={close}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        {conflict.banner}
        <div className="grid grid-cols-2 items-start gap-3">
          <TextField
            {...form.field('amount', { setValueAs: typedAmount })}
            label={words.amount}
            hint={conflict.note('amount')}
            prefix="₱"
            inputMode="decimal"
            autoComplete="off"
            maxLength={limits.moneyTextMaxLength}
            data-autofocus
          />
          <NumberField
            {...form.field('termMonths', { valueAsNumber: true })}
            label={words.term}
            hint={conflict.note('termMonths')}
            aside={`${limits.loanTermMinMonths}–${limits.staffLoanTermMaxMonths}`}
            min={limits.loanTermMinMonths}
            max={limits.staffLoanTermMaxMonths}
            step={1}
          />
        </div>
        <NewPayment loan={loan} form={form} />
        <p className="text-12 text-ink-soft" role={state === 'checking' ? 'status' : undefined}>
          {state === 'checking' ? en.shell.checking : words.note}
        </p>
        <SaveActions busy={busy} onStop={stop} onCancel={close} />
      </form>
    </Dialog>
  );
}

/** The payment as it is and as it would be, at the rate of this loan. */
function NewPayment({ loan, form }: { loan: StaffLoan; form: ContractForm<TypedTerms> }) {
  const after = newPayment(loan, useFormValues(form));
  const present = showPeso(loan.monthlyPayment);
  return (
    <div role="status" className="rounded-card bg-sunken p-4">
      <DefinitionRows
        rows={[
          {
            id: 'payment',
            term: words.payment,
            value: after ? panel.memberPanel.change(present, formatPeso(after.payment)) : present,
            strong: true,
          },
          { id: 'total', term: words.total, value: after ? formatPeso(after.total) : panel.list.dash },
        ]}
      />
      <p className="mt-2 text-12 text-ink-soft">{words.rateNote(percentText(pricingRate(loan)))}</p>
    </div>
  );
}

/** Undefined while the typed terms hold no payment. */
function newPayment(loan: StaffLoan, { amount, termMonths }: TypedTerms) {
  const amountCentavos = parsePesos(amount);
  if (amountCentavos === undefined || amountCentavos <= 0) return undefined;
  if (amountCentavos > limits.staffLoanAmountMaxCentavos) return undefined;
  const { loanTermMinMonths: min, staffLoanTermMaxMonths: max } = limits;
  if (!Number.isInteger(termMonths) || termMonths < min || termMonths > max) return undefined;
  const payment = monthlyPayment({ amountCentavos, monthlyRate: pricingRate(loan), termMonths });
  return { payment, total: centavos(payment * termMonths) };
}
