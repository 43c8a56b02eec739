import { useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import { LoanUpdate, type StaffLoan } from '#contract/staff-loan.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { monthlyPayment } from '#domain/loan.ts';
import { centavos, formatPeso, parsePesos } from '#domain/money.ts';
import { percentText } from '#domain/rates.ts';
import { type SchemaForm, useFormValues } from '#web/lib/form.ts';
import { showPeso } from '#web/lib/format.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { typedAmount } from '#web/lib/typed-amount.ts';
import { FormDialog } from '#web/panel/lib/dialogs.tsx';
import { useEditConflict } from '#web/panel/lib/edit-conflict.tsx';
import { useStaffForm } from '#web/panel/lib/staff-action.ts';
import { acceptRow } from '#web/panel/lib/staff-rows.ts';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { NumberField, TextField } from '#web/ui/text-field.tsx';
import { loanLine, loanRow, pricingRate } from './loan-text.ts';

const words = panel.loanEdit;

type TypedTerms = { amount: string; termMonths: number };

/** The form's values: whole pesos without centavos. */
function typedTerms({ amount, termMonths }: { amount?: unknown; termMonths?: unknown }): TypedTerms {
  return { amount: String(amount).replace(/\.00$/, ''), termMonths: Number(termMonths) };
}

/** Both terms, checked by the contract's schema, in which each is optional. */
const TermsForm = z.custom<TypedTerms>().check((context) => {
  const read = LoanUpdate.safeParse(context.value);
  for (const { path, message } of read.error?.issues ?? []) {
    context.issues.push({ code: 'custom', path: [...path], message, input: context.value });
  }
});

/** Changes a loan's amount and term, showing the new payment before it is saved (§editing-terms). */
export function LoanEditDialog({ loan, onClose }: { loan: StaffLoan; onClose: () => void }) {
  const { stop, send } = useMoneyCall(api.updateLoan);
  const [opened] = useState(() => typedTerms(loan));
  const form = useStaffForm(TermsForm, opened);
  const conflict = useEditConflict(form, opened, typedTerms);

  const submit = form.handleSubmit(async (typed) => {
    const body = conflict.editOf(typed);
    if (!body) return onClose();
    const result = await form.save(
      send({ params: { id: loan.id }, body }),
      {
        done: ({ loanNumber, monthlyPayment }) => ({
          title: panel.toasts.success,
          description: words.saved(loanNumber, showPeso(monthlyPayment)),
        }),
        failedTitle: panel.toasts.updateFailed,
        row: loanRow(loan.id),
      },
      conflict,
    );
    if (!result.ok) return;
    acceptRow(api.listLoans, result.answer);
    onClose();
  });

  return (
    <FormDialog
      title={words.title}
      description={loanLine(loan)}
      busy={form.busy}
      onStop={stop}
      note={words.note}
      onSubmit={submit}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}

/** The payment now and after saving, at the loan's own rate. */
function NewPayment({ loan, form }: { loan: StaffLoan; form: SchemaForm<TypedTerms> }) {
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

/** Undefined while the typed terms are not valid. */
function newPayment(loan: StaffLoan, { amount, termMonths }: TypedTerms) {
  const amountCentavos = parsePesos(amount);
  if (amountCentavos === undefined || amountCentavos <= 0) return undefined;
  if (amountCentavos > limits.staffLoanAmountMaxCentavos) return undefined;
  const { loanTermMinMonths: min, staffLoanTermMaxMonths: max } = limits;
  if (!Number.isInteger(termMonths) || termMonths < min || termMonths > max) return undefined;
  const payment = monthlyPayment({ amountCentavos, monthlyRate: pricingRate(loan), termMonths });
  return { payment, total: centavos(payment * termMonths) };
}
