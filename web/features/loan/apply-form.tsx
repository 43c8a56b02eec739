import { type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import * as api from '#contract/borrower-endpoints.ts';
import type { Sent } from '#contract/endpoint.ts';
import { LoanApplication } from '#contract/loan.ts';
import { cleanAmountInput } from '#domain/exchange.ts';
import { limits } from '#domain/limits.ts';
import { centavos, formatPeso, formatWholePeso, parsePesos, pesosText } from '#domain/money.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { call } from '#web/lib/call.ts';
import { CallError } from '#web/lib/call-error.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { type ContractForm, useContractForm, useFormValues } from '#web/lib/form.ts';
import { UnsettledError, useMoneyCall } from '#web/lib/money-call.ts';
import { queryClient, readKey, refreshReads } from '#web/lib/query.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { RangeField } from '#web/ui/range-field.tsx';
import { NumberField, TextField } from '#web/ui/text-field.tsx';
import type { ApplicationDraft } from './apply-dialog.tsx';
import { QuotePreview, quoteAsked } from './quote-preview.tsx';
import { type Application, ReviewStep } from './review-step.tsx';

const pesosOf = (amountCentavos: number) => amountCentavos / 100;
const minPesos = pesosOf(limits.loanAmountMinCentavos);

export type ApplyFormProps = {
  /** What was typed so far; kept by the dialog, so that closing it loses nothing. */
  draft: RefObject<ApplicationDraft>;
  /** True while the first answer is awaited: closing then, and applying anew, could apply twice. */
  sending: RefObject<boolean>;
  onSubmitted: () => void;
  onVerificationRequired: () => void;
};

/** The application: the form with its live cost, then the review of it, then the submit (spec sections 2, 5 and 8). */
export function ApplyForm({ draft, sending, onSubmitted, onVerificationRequired }: ApplyFormProps) {
  const { apply, quote } = useAccountWords();
  const errorText = useErrorText();
  const form = useContractForm(LoanApplication, { defaultValues: draft.current });
  const [reviewed, setReviewed] = useState<Application>();
  const [pricing, setPricing] = useState(false);
  const { state, send } = useMoneyCall(api.applyForLoan, whatIsAskedFor);

  useEffect(() => {
    sending.current = state === 'sending';
    return () => {
      sending.current = false;
    };
  }, [sending, state]);

  /** What is agreed to is the server's own quote: a page left open for a day may know neither the day nor the rate. */
  async function look(application: Omit<Application, 'agreedQuote'>) {
    const { amount, termMonths } = application;
    setPricing(true);
    try {
      const agreedQuote = await call(api.quoteLoan, { body: { amount: pesosText(amount), termMonths } });
      setReviewed({ ...application, agreedQuote });
    } catch (error) {
      toast({ tone: 'bad', title: quote.failed, description: errorText(error) });
    } finally {
      setPricing(false);
    }
  }

  async function submit(application: Application) {
    const { amount, purpose, termMonths, agreedQuote } = application;
    try {
      const loan = await send({ body: { amount: pesosText(amount), purpose, termMonths, agreedQuote } });
      queryClient.setQueryData<(typeof loan)[]>(readKey(api.listOwnLoans), (loans) =>
        loans?.some(({ id }) => id === loan.id) ? loans : loans && [loan, ...loans],
      );
      onSubmitted();
      toast({ title: apply.submitted, description: apply.submittedText });
      void refreshReads(api.listOwnLoans);
    } catch (error) {
      // The review step says so; whether it went through, the list may tell.
      if (error instanceof UnsettledError) return void refreshReads(api.listOwnLoans);
      if (error instanceof CallError && error.code === 'verification_required') {
        return onVerificationRequired();
      }
      if (error instanceof CallError && error.data?.errors) {
        flushSync(() => setReviewed(undefined));
        form.showServerErrors(error);
      }
      toast({ tone: 'bad', title: apply.failed, description: errorText(error) });
      if (error instanceof CallError && error.code === 'quote_changed') await look(application);
    }
  }

  if (reviewed) {
    return (
      <ReviewStep
        application={reviewed}
        state={state}
        isPricing={pricing}
        onBack={() => {
          flushSync(() => setReviewed(undefined));
          form.setFocus('amount');
        }}
        onSubmit={() => void submit(reviewed)}
      />
    );
  }
  return (
    <form noValidate onSubmit={form.handleSubmit((typed) => look(LoanApplication.parse(typed)))}>
      <ApplicationFields form={form} draft={draft} />
      <DialogActions>
        <Button type="submit" busy={pricing}>
          {apply.review}
        </Button>
      </DialogActions>
    </form>
  );
}

/**
 * The same loan asked for again while it is not known what became of the first application is no second one, though its
 * quote may be: after midnight the due dates are others.
 */
const whatIsAskedFor = ({ amount, purpose, termMonths }: Sent<typeof api.applyForLoan, 'body'>) => ({
  amount,
  purpose,
  termMonths,
});

type FieldsProps = { form: ContractForm<ApplicationDraft>; draft: RefObject<ApplicationDraft> };

function ApplicationFields({ form, draft }: FieldsProps) {
  const { apply, landing, quote: quoteWords } = useAccountWords();
  const { amount, termMonths } = useFormValues(form);
  const amountCentavos = parsePesos(amount);
  const amountText = formatWholePeso(amountCentavos ?? centavos(limits.loanAmountMinCentavos));
  const quote = quoteAsked({ amountCentavos, termMonths });
  const amountField = form.field('amount');

  useEffect(() => {
    draft.current = form.getValues();
  });

  return (
    <div className="flex flex-col gap-4">
      <RangeField
        label={apply.amount}
        aside={landing.cost.range}
        value={amountCentavos === undefined ? minPesos : pesosOf(amountCentavos)}
        valueText={amountText}
        spokenText={
          quote &&
          quoteWords.spoken({
            amount: amountText,
            monthly: formatPeso(quote.monthlyPaymentCentavos),
            months: quote.termMonths,
          })
        }
        min={minPesos}
        max={pesosOf(limits.loanAmountMaxCentavos)}
        step={pesosOf(limits.loanAmountStepCentavos)}
        onValueChange={(pesos) => form.setValue('amount', String(pesos))}
      />
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          {...amountField}
          label={apply.exactAmount}
          fieldClassName="flex-[1_1_8.5rem]"
          inputMode="decimal"
          autoComplete="off"
          maxLength={limits.moneyTextMaxLength}
          onChange={(event) => {
            // A pasted ₱1,250,000.50 is taken for what it means.
            const cleaned = cleanAmountInput(event.currentTarget.value);
            if (cleaned !== event.currentTarget.value) event.currentTarget.value = cleaned;
            amountField.onChange(event);
          }}
        />
        <NumberField
          {...form.field('termMonths', { valueAsNumber: true })}
          label={apply.term}
          hint={apply.termHint}
          fieldClassName="flex-[1_1_8.5rem]"
          min={limits.loanTermMinMonths}
          max={limits.loanTermMaxMonths}
          step={1}
        />
      </div>
      <TextField
        {...form.field('purpose')}
        label={apply.purpose}
        hint={apply.purposeHint}
        autoComplete="off"
        maxLength={limits.longTextMaxLength}
      />
      <QuotePreview quote={quote} />
    </div>
  );
}
