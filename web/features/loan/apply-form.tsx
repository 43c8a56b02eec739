import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { output } from 'zod/mini';
import * as api from '#contract/borrower-endpoints.ts';
import { servicingPolicy, servicingTerms, termSentences } from '#contract/contract-terms.ts';
import type { Reply, Sent } from '#contract/endpoint.ts';
import { LoanApplication, type QuoteDocument, QuoteReply, QuoteRequest, viewQuote } from '#contract/loan.ts';
import { addMonths, type ManilaDate } from '#domain/calendar.ts';
import { cleanAmountInput } from '#domain/exchange.ts';
import { limits } from '#domain/limits.ts';
import { centavos, formatWholePeso, parsePesos, pesosText } from '#domain/money.ts';
import { quoteLoan } from '#domain/quote.ts';
import { settlementsAhead } from '#domain/servicing.ts';
import { useAction } from '#web/lib/action.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { call } from '#web/lib/call.ts';
import { CallError, codeOf } from '#web/lib/call-error.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { type SchemaForm, useFormValues, useSchemaForm } from '#web/lib/form.ts';
import { typedNumber, useFormats } from '#web/lib/format.ts';
import { useLanguage } from '#web/lib/language.tsx';
import { lender, monthlyRate, today } from '#web/lib/lender.ts';
import { type MoneyCallState, UnsettledError, useMoneyCall } from '#web/lib/money-call.ts';
import { queryClient, readKey, refreshReads } from '#web/lib/query.tsx';
import { useQuoteRows } from '#web/lib/quote-rows.ts';
import { SettlementCosts } from '#web/lib/settlement-costs.tsx';
import { SettlingNotice } from '#web/lib/settling-notice.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { type DefinitionRow, DefinitionRows } from '#web/ui/definition-rows.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { RangeField } from '#web/ui/range-field.tsx';
import { NumberField, TextField } from '#web/ui/text-field.tsx';

const pesosOf = (amountCentavos: number) => amountCentavos / 100;
const minPesos = pesosOf(limits.loanAmountMinCentavos);

/** Raw values. `termMonths` is NaN while empty. */
export type ApplicationDraft = { amount: string | number; purpose: string; termMonths: number };

export type ApplyFormProps = {
  /** Kept by the dialog, so that closing it loses nothing. */
  draft: RefObject<ApplicationDraft>;
  /** True until the first reply: closing and applying again before that could apply twice. */
  sending: RefObject<boolean>;
  onSubmitted: () => void;
  onVerificationRequired: () => void;
};

/** The application: form with live cost, review, submit (§applying). */
export function ApplyForm({ draft, sending, onSubmitted, onVerificationRequired }: ApplyFormProps) {
  const { apply, quote } = useAccountWords();
  const errorText = useErrorText();
  const form = useSchemaForm(LoanApplication, { defaultValues: draft.current });
  const [reviewed, setReviewed] = useState<Application>();
  const [pricing, run] = useAction();
  const { state, send } = useMoneyCall(api.applyForLoan, identityOf);

  useEffect(() => {
    sending.current = state === 'sending';
    return () => {
      sending.current = false;
    };
  }, [sending, state]);

  /** The user agrees to the server's own quote: a page left open overnight may have a stale date or rate. */
  async function requestQuote(application: Omit<Application, 'agreedQuote'>) {
    const { amount, termMonths } = application;
    await run(quote.failed, async () => {
      const agreedQuote = await call(api.quoteLoan, { body: { amount: pesosText(amount), termMonths } });
      setReviewed({ ...application, agreedQuote });
    });
  }

  async function submit(application: Application) {
    const { amount, purpose, termMonths, agreedQuote } = application;
    const agreedQuoteHash = agreedQuote.hash;
    try {
      const loan = await send({ body: { amount: pesosText(amount), purpose, termMonths, agreedQuoteHash } });
      queryClient.setQueryData<(typeof loan)[]>(readKey(api.listOwnLoans), (loans) =>
        loans?.some(({ id }) => id === loan.id) ? loans : loans && [loan, ...loans],
      );
      onSubmitted();
      toast({ title: apply.submitted, description: apply.submittedText });
      void refreshReads(api.listOwnLoans);
    } catch (error) {
      // The review step reports it; the list may tell whether it went through.
      if (error instanceof UnsettledError) return void refreshReads(api.listOwnLoans);
      if (codeOf(error) === 'verification_required') return onVerificationRequired();
      if (error instanceof CallError && error.data?.errors) {
        flushSync(() => setReviewed(undefined));
        form.showServerErrors(error);
      }
      toast({ tone: 'bad', title: apply.failed, description: errorText(error) });
      if (codeOf(error) === 'quote_changed') await requestQuote(application);
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
    <form noValidate onSubmit={form.handleSubmit((typed) => requestQuote(LoanApplication.parse(typed)))}>
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
 * A repeat of the same loan while the first application's outcome is unknown is not a second application, even if its
 * quote differs: after midnight the due dates change.
 */
const identityOf = ({ amount, purpose, termMonths }: Sent<typeof api.applyForLoan, 'body'>) => ({
  amount,
  purpose,
  termMonths,
});

type FieldsProps = { form: SchemaForm<ApplicationDraft>; draft: RefObject<ApplicationDraft> };

function ApplicationFields({ form, draft }: FieldsProps) {
  const { apply, landing, quote: quoteWords } = useAccountWords();
  const { peso } = useFormats();
  const typed = useFormValues(form);
  const amountCentavos = parsePesos(typed.amount);
  const amountText = formatWholePeso(amountCentavos ?? centavos(limits.loanAmountMinCentavos));
  const quote = quoteOfToday(typed);
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
            monthly: peso(quote.monthlyPayment),
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
          maxLength={limits.moneyTextMaxLength}
          onChange={(event) => {
            // Accepts a pasted ₱1,250,000.50.
            const cleaned = cleanAmountInput(event.currentTarget.value);
            if (cleaned !== event.currentTarget.value) event.currentTarget.value = cleaned;
            amountField.onChange(event);
          }}
        />
        <NumberField
          {...form.field('termMonths', typedNumber)}
          label={apply.term}
          hint={apply.termHint}
          fieldClassName="flex-[1_1_8.5rem]"
          min={limits.loanTermMinMonths}
          max={limits.loanTermMaxMonths}
          step={1}
        />
      </div>
      <TextField {...form.field('purpose')} label={apply.purpose} hint={apply.purposeHint} />
      <QuotePreview quote={quote} />
    </div>
  );
}

/**
 * What the loan would cost if taken today at this installation's rate, by the same rules as on the server. Undefined
 * while amount or term (NaN while empty) is outside the limits (§applying).
 */
function quoteOfToday(typed: Pick<ApplicationDraft, 'amount' | 'termMonths'>): QuoteDocument | undefined {
  const { data } = QuoteRequest.safeParse(typed);
  if (!data) return undefined;
  const { amount: amountCentavos, termMonths } = data;
  const startDate = today();
  const quote = quoteLoan({ amountCentavos, termMonths, monthlyRate: monthlyRate(), startDate });
  return QuoteReply.parse(viewQuote(quote));
}

function QuotePreview({ quote }: { quote: QuoteDocument | undefined }) {
  const { contractText, quote: words } = useAccountWords();
  const { date } = useFormats();
  const rowsOf = useQuoteRows();
  return (
    <section aria-labelledby="quote-title">
      <Card look="sunken">
        <h3 id="quote-title" className="mb-2 font-heading text-16 font-bold">
          {words.title}
        </h3>
        {quote ? (
          <>
            <DefinitionRows size={14} rows={strongFirst(rowsOf(quote, previewedFigures))} />
            <div className="mt-3 flex flex-col gap-1 border-t border-line pt-3 text-12 text-ink-soft">
              <p>{contractText.firstPayment({ startDate: date(today()) })}</p>
              <p>{contractText.lateChargeByDays(servicingPolicy)}</p>
            </div>
          </>
        ) : (
          <p className="text-14 text-ink-soft">{words.incomplete}</p>
        )}
      </Card>
    </section>
  );
}

const previewedFigures = [
  'monthlyPayment',
  'totalPayment',
  'costOfCredit',
  'effectiveMonthlyRate',
  'effectiveAnnualRate',
  'upfrontCharges',
  'firstDueDate',
  'lastDueDate',
] as const;

const strongFirst = ([first, ...rest]: readonly DefinitionRow[]): readonly DefinitionRow[] =>
  first ? [{ ...first, strong: true }, ...rest] : rest;

type Application = output<typeof LoanApplication> & { agreedQuote: Reply<typeof api.quoteLoan> };

type ReviewStepProps = {
  application: Application;
  state: MoneyCallState;
  /** True while a new quote is requested: the one shown must not be agreed to any more. */
  isPricing: boolean;
  onBack: () => void;
  onSubmit: () => void;
};

/** Every figure and term of the loan once more before it is sent (§agreed-quote). */
function ReviewStep({ application, state, isPricing, onBack, onSubmit }: ReviewStepProps) {
  const { apply, consents, lender: company, session, settlements } = useAccountWords();
  const { peso } = useFormats();
  const heading = useRef<HTMLHeadingElement>(null);
  const { agreedQuote } = application;
  const figures = useQuoteRows()(agreedQuote, [
    'monthlyPayment',
    'totalPayment',
    'costOfCredit',
    'interestRate',
    'effectiveMonthlyRate',
    'effectiveAnnualRate',
    'simpleAnnualRate',
    'upfrontCharges',
    'netProceeds',
    'firstDueDate',
    'lastDueDate',
  ]);
  const isSending = state === 'sending' || state === 'checking';
  const isWorking = isSending || isPricing;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new quote is shown from its top, like the first
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
  }, [agreedQuote]);

  return (
    <>
      <h3 ref={heading} tabIndex={-1} className="scroll-mt-2 font-heading text-20 font-bold">
        {apply.reviewTitle}
      </h3>
      <p className="mb-1 mt-1 text-14 text-ink-soft">{apply.reviewText}</p>
      <DefinitionRows
        ruled
        size={14}
        rows={[
          { term: apply.amount, value: peso(application.amount), strong: true },
          { term: apply.term, value: application.termMonths },
          { term: apply.purpose, value: application.purpose },
          ...strongFirst(figures),
        ]}
      />
      <LoanTermsList quote={agreedQuote} />
      <h4 className="mt-3 mb-1 text-14 font-semibold">{settlements.title}</h4>
      <SettlementCosts settlements={settlementsAhead(servicingTerms(agreedQuote, startOf(agreedQuote)))} />
      <p className="mt-3 text-14 font-semibold">{company.studyFirst}</p>
      <p className="mt-3 text-12 text-ink-soft">{consents.application(lender().name)}</p>
      <div className="mt-4">
        <SettlingNotice state={state} />
      </div>
      <DialogActions cancel={{ disabled: isWorking, onClick: onBack, children: apply.back }}>
        <Button
          busy={isWorking}
          busyLabel={isSending ? apply.submitting : session.pleaseWait}
          onClick={onSubmit}
        >
          {apply.submit}
        </Button>
      </DialogActions>
    </>
  );
}

/** The terms as the contract will state them (§contract-terms). */
function LoanTermsList({ quote }: { quote: QuoteDocument }) {
  const { apply, contractText } = useAccountWords();
  const { language } = useLanguage();
  const startDate = startOf(quote);
  const terms = termSentences(contractText, quote, { startDate, language, policy: servicingPolicy });
  return (
    <>
      <h4 className="mt-3 text-14 font-semibold">{apply.terms}</h4>
      <ul className="mt-1.5 flex list-disc flex-col gap-1.5 pl-4.5 text-14 text-ink-soft">
        {terms.map((term) => (
          <li key={term}>{term}</li>
        ))}
      </ul>
    </>
  );
}

/**
 * The day a quote's due dates count from: today, unless this device's date is wrong. Due dates are clamped to the end
 * of the month, so the start day cannot always be derived from them.
 */
function startOf({ firstDueDate }: QuoteDocument): ManilaDate {
  const start = today();
  const { firstInstalmentAfterMonths: months } = limits;
  return addMonths(start, months) === firstDueDate ? start : addMonths(firstDueDate as ManilaDate, -months);
}
