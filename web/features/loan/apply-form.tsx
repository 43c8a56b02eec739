import { ClockIcon } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'wouter';
import type { output } from 'zod/mini';
import * as api from '#contract/borrower-endpoints.ts';
import { servicingPolicy, servicingTerms, termSentences } from '#contract/contract-terms.ts';
import type { Reply, Sent } from '#contract/endpoint.ts';
import {
  type Loan,
  LoanApplication,
  type QuoteDocument,
  QuoteReply,
  QuoteRequest,
  viewQuote,
} from '#contract/loan.ts';
import { paths } from '#contract/routes.ts';
import { amortise } from '#domain/amortisation.ts';
import { addMonths, addWorkingDays, type ManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { centavos, formatWholePeso, parsePesos, pesosText } from '#domain/money.ts';
import { quoteLoan } from '#domain/quote.ts';
import { settlementsAhead } from '#domain/servicing.ts';
import { useAction } from '#web/lib/action.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { call } from '#web/lib/call.ts';
import { CallError, codeOf } from '#web/lib/call-error.ts';
import { type SchemaForm, useFormValues, useSchemaForm } from '#web/lib/form.ts';
import { typedAmount, typedNumber } from '#web/lib/format.ts';
import { KeptLine } from '#web/lib/kept-line.tsx';
import { lender, monthlyRate, today } from '#web/lib/lender.ts';
import { contractPath } from '#web/lib/loan-standing.ts';
import { type MoneyCallState, UnsettledError, useMoneyCall } from '#web/lib/money-call.ts';
import { DoneDialog, LostReplyNotice } from '#web/lib/money-dialog.tsx';
import { amountOf } from '#web/lib/pesos.ts';
import { queryClient, readKey, refreshReads, useRead } from '#web/lib/query.tsx';
import { QuoteSentence, SettlementCosts, useQuoteRows } from '#web/lib/quote-text.tsx';
import { useUser } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { useTypedValues } from '#web/lib/typed-values.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ChoiceField } from '#web/ui/choice-field.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { useHistoryStep } from '#web/ui/history-steps.ts';
import { RangeField } from '#web/ui/range-field.tsx';
import { NumberField, PesoField, TextField } from '#web/ui/text-field.tsx';
import { InstalmentSplit } from './instalment-split.tsx';

/** The left column asks; the right one says what the answer costs or means. */
const twoColumns = 'grid gap-x-8 gap-y-4 md:grid-cols-2';

const pesosOf = (amountCentavos: number) => amountCentavos / 100;
const minPesos = pesosOf(limits.loanAmountMinCentavos);

/** Raw values. `termMonths` is NaN while empty. */
type ApplicationDraft = { amount: string | number; purpose: string; termMonths: number };

/** The values that the form starts with (§applying). */
const nothingTyped: ApplicationDraft = {
  amount: String(limits.loanAmountDefaultCentavos / 100),
  purpose: '',
  termMonths: limits.loanTermDefaultMonths,
};

export type ApplyFormProps = {
  onClose: () => void;
  /** True until the first reply: closing and applying again before that could apply twice. */
  sending: RefObject<boolean>;
  onSubmitted: (loan: Loan) => void;
  onVerificationRequired: () => void;
};

/** The application: form with live cost, review, submit (§applying). */
export function ApplyForm({ onClose, sending, onSubmitted, onVerificationRequired }: ApplyFormProps) {
  const { apply, quote, shell, peso, errorText } = useAccountWords();
  const form = useSchemaForm(LoanApplication, {
    defaultValues: nothingTyped,
    kept: useTypedValues('application'),
  });
  const cost = quoteOfToday(useFormValues(form));
  const [reviewed, setReviewed] = useState<Application>();
  const { data: loans } = useRead(api.listOwnLoans);
  const waiting = loans?.find(({ status }) => loanStatusFacts(status).isUndecided);
  /** Asks once whether a second application is meant, but not before the repeat of one whose reply was lost. */
  const [second, setSecond] = useState<'unasked' | 'asked' | 'meant'>('unasked');
  const [pricing, run] = useAction();
  const { state, send, isRepeat } = useMoneyCall(api.applyForLoan, identityOf);

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
    setSecond('meant');
    try {
      const loan = await send({ body: bodyOf(application) });
      queryClient.setQueryData<(typeof loan)[]>(readKey(api.listOwnLoans), (loans) =>
        loans?.some(({ id }) => id === loan.id) ? loans : loans && [loan, ...loans],
      );
      form.kept?.forget();
      onSubmitted(loan);
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
      toast({ tone: 'bad', title: apply.failed, description: errorText(error, shell.tryAgain) });
      if (codeOf(error) === 'quote_changed') await requestQuote(application);
    }
  }

  function leaveReview() {
    if (state === 'sending' || pricing) return;
    // A lost answer is looked for; the form would be another application.
    if (state === 'checking') return onClose();
    flushSync(() => setReviewed(undefined));
    form.setFocus('amount');
  }
  useHistoryStep(reviewed !== undefined, leaveReview, { reopen: () => setReviewed(reviewed) });
  useHistoryStep(reviewed !== undefined && second === 'asked', () => setSecond('unasked'));

  if (reviewed) {
    return (
      <ReviewStep
        application={reviewed}
        state={state}
        isPricing={pricing}
        asksAbout={second === 'asked' ? waiting : undefined}
        onBack={leaveReview}
        onSubmit={() => {
          if (waiting && second === 'unasked' && !isRepeat({ body: bodyOf(reviewed) })) setSecond('asked');
          else void submit(reviewed);
        }}
        onNotMeant={() => setSecond('unasked')}
      />
    );
  }
  return (
    <form noValidate onSubmit={form.handleSubmit((typed) => requestQuote(LoanApplication.parse(typed)))}>
      {waiting && (
        <Banner tone="warn" icon={<ClockIcon />} className="mb-4">
          {apply.underReview(waiting.loanNumber)}{' '}
          <Link
            href={waiting === loans?.[0] ? paths.wallet : contractPath(waiting.id)}
            className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
          >
            {apply.seeIt}
          </Link>
        </Banner>
      )}
      <ApplicationFields form={form} quote={cost} />
      <DialogActions className="flex!">
        {/* The cost stands here too on a phone, where the fields push it out of sight. */}
        {cost && (
          <p className="self-center px-0! font-heading text-20 leading-tight font-bold tabular-nums md:hidden">
            {peso(cost.monthlyPayment)}{' '}
            <span className="font-sans text-14 font-normal whitespace-nowrap text-ink-soft">
              × {cost.termMonths}
            </span>
          </p>
        )}
        <Button type="submit" busy={pricing} className="grow">
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

const bodyOf = ({ amount, purpose, termMonths, agreedQuote }: Application) => ({
  amount: pesosText(amount),
  purpose,
  termMonths,
  agreedQuoteHash: agreedQuote.hash,
});

type FieldsProps = {
  form: SchemaForm<ApplicationDraft>;
  quote: QuoteDocument | undefined;
};

function ApplicationFields({ form, quote }: FieldsProps) {
  const { apply, contractText, landing, quote: quoteWords, typed: kept, date, peso } = useAccountWords();
  const typed = useFormValues(form);
  const amountCentavos = parsePesos(typed.amount);
  const amountText = formatWholePeso(amountCentavos ?? centavos(limits.loanAmountMinCentavos));
  const isOffered = limits.loanTermsOffered.some((months) => months === typed.termMonths);

  return (
    <div className={`${twoColumns} md:grid-rows-[auto_1fr]`}>
      <div className="flex flex-col gap-4">
        <KeptLine form={form} words={kept} />
        <div>
          <PesoField
            {...form.field('amount', typedAmount)}
            label={apply.exactAmount}
            aside={landing.cost.range}
            isLarge
            maxLength={limits.moneyTextMaxLength}
          />
          <div className="mt-3">
            <RangeField
              label={apply.amount}
              labelHidden
              valueHidden
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
          </div>
        </div>
        <NumberField
          {...form.field('termMonths', typedNumber)}
          label={apply.term}
          aside={apply.termHint}
          cover={isOffered ? apply.otherTerm : undefined}
          className={`text-center ${isOffered ? '' : 'border-leaf bg-leaf-tint font-semibold text-leaf'}`}
          min={limits.loanTermMinMonths}
          max={limits.loanTermMaxMonths}
          step={1}
          beside={
            <ChoiceField
              label={apply.term}
              labelHidden
              options={limits.loanTermsOffered.map((value) => ({ value, label: String(value) }))}
              value={typed.termMonths}
              onValueChange={(months) => form.setValue('termMonths', months)}
            />
          }
        />
        <TextField {...form.field('purpose')} label={apply.purpose} hint={apply.purposeHint} />
      </div>
      <section aria-labelledby="quote-title" className="md:row-span-2">
        <Card look="sunken" className="flex h-full flex-col">
          <h3 id="quote-title" className="mb-2 font-heading text-16 font-bold">
            {quoteWords.title}
          </h3>
          {quote ? <Cost quote={quote} /> : <p className="text-14 text-ink-soft">{quoteWords.incomplete}</p>}
        </Card>
      </section>
      <div className="flex flex-col gap-1 self-end text-12 text-ink-soft">
        <p>{contractText.firstPayment({ startDate: date(today()) })}</p>
        <p>{contractText.lateChargeByDays(servicingPolicy)}</p>
      </div>
    </div>
  );
}

/**
 * Returns the cost of the loan if taken today at this installation's rate, by the same rules as on the
 * server. Undefined while amount or term (NaN while empty) is outside the limits (§applying).
 */
function quoteOfToday(typed: Pick<ApplicationDraft, 'amount' | 'termMonths'>): QuoteDocument | undefined {
  const { data } = QuoteRequest.safeParse(typed);
  if (!data) return undefined;
  const { amount: amountCentavos, termMonths } = data;
  const startDate = today();
  const quote = quoteLoan({ amountCentavos, termMonths, monthlyRate: monthlyRate(), startDate });
  return QuoteReply.parse(viewQuote(quote));
}

/** The loan in a sentence, then its other figures; the rates that say the same of another span are folded. */
function Cost({ quote }: { quote: QuoteDocument }) {
  const { quote: words } = useAccountWords();
  const rowsOf = useQuoteRows();
  const { monthlySalary } = useUser();
  const salary = amountOf(monthlySalary ?? '');
  const share = Math.round((amountOf(quote.monthlyPayment) / salary) * 100);
  return (
    <>
      <QuoteSentence quote={quote} />
      {salary > 0 && (
        <p className={classNames('mt-1 text-14 font-semibold', share > 100 && 'text-warn')}>
          {words.ofSalary(share)}
        </p>
      )}
      <div className="my-3 border-b border-line pb-3 font-bold [&_dd]:font-bold [&_dt]:text-ink">
        <DefinitionRows rows={rowsOf(quote, ['totalPayment', 'costOfCredit'])} />
      </div>
      <div className="flex grow *:grow *:justify-between [&_dd]:font-normal">
        <DefinitionRows
          size={14}
          rows={rowsOf(quote, ['upfrontCharges', 'effectiveMonthlyRate', 'firstDueDate', 'lastDueDate'])}
        />
      </div>
      <div className="-mb-3">
        <Disclosure title={words.allRates}>
          <div className="pb-3">
            <DefinitionRows
              size={14}
              rows={rowsOf(quote, ['interestRate', 'effectiveAnnualRate', 'simpleAnnualRate'])}
            />
          </div>
        </Disclosure>
      </div>
    </>
  );
}

type Application = output<typeof LoanApplication> & { agreedQuote: Reply<typeof api.quoteLoan> };

type ReviewStepProps = {
  application: Application;
  state: MoneyCallState;
  /** True while a new quote is requested: the one shown must not be agreed to any more. */
  isPricing: boolean;
  /** The application under review, while it is asked whether a second one is meant. */
  asksAbout: Loan | undefined;
  onBack: () => void;
  onSubmit: () => void;
  onNotMeant: () => void;
};

/** The loan once more before it is sent, and what one agrees to; every other figure and term is folded (§agreed-quote). */
function ReviewStep(props: ReviewStepProps) {
  const { application, state, isPricing, asksAbout, onBack, onSubmit, onNotMeant } = props;
  const { apply, consents, lender: company, myLoan, session, settlements, peso } = useAccountWords();
  const heading = useRef<HTMLHeadingElement>(null);
  const { agreedQuote } = application;
  const rowsOf = useQuoteRows();
  const terms = servicingTerms(agreedQuote, startOf(agreedQuote));
  const isSending = state === 'sending' || state === 'checking';
  const isWorking = isSending || isPricing;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new quote is shown from its top, like the first
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
  }, [agreedQuote]);

  return (
    <>
      <h3 ref={heading} tabIndex={-1} className="scroll-mt-2 font-heading text-16 font-bold">
        {apply.reviewTitle}
      </h3>
      <p className="text-14 text-ink-soft">{apply.reviewText}</p>
      <div className={`mt-4 ${twoColumns}`}>
        <div className="flex flex-col gap-4">
          <Card look="sunken">
            <QuoteSentence quote={agreedQuote} />
            <div className="mt-3 [&_dd]:font-bold">
              <DefinitionRows
                ruled
                rows={rowsOf(agreedQuote, ['monthlyPayment', 'totalPayment', 'effectiveMonthlyRate'])}
              />
            </div>
          </Card>
          <div>
            <h4 className="font-heading text-16 font-bold">{apply.agreeTo}</h4>
            <p className="mt-1 text-14 text-ink-soft">{consents.application(lender().name)}</p>
            <p className="mt-2 text-14 font-semibold">{company.studyFirst}</p>
          </div>
        </div>
        <div className="flex flex-col divide-y divide-line self-start border-y border-line [&_details>:last-child]:pb-3">
          <Disclosure title={apply.allFigures}>
            <DefinitionRows
              size={14}
              rows={[
                { term: apply.amount, value: peso(application.amount) },
                { term: apply.purpose, value: application.purpose },
                ...rowsOf(agreedQuote, [
                  'costOfCredit',
                  'upfrontCharges',
                  'firstDueDate',
                  'lastDueDate',
                  'interestRate',
                  'effectiveAnnualRate',
                  'simpleAnnualRate',
                ]),
              ]}
            />
          </Disclosure>
          <Disclosure title={apply.terms}>
            <LoanTermsList quote={agreedQuote} />
          </Disclosure>
          <Disclosure title={settlements.title}>
            <div>
              <SettlementCosts settlements={settlementsAhead(terms)} />
            </div>
          </Disclosure>
          <Disclosure title={myLoan.split.title}>
            <div>
              <InstalmentSplit rows={amortise(terms).rows} />
            </div>
          </Disclosure>
        </div>
      </div>
      <div className="mt-4">
        <LostReplyNotice state={state} />
      </div>
      {asksAbout ? (
        <DialogActions className="grid-flow-row! grid-cols-1!">
          <p role="alert" className="px-0! text-14">
            <b className="block text-16">{apply.secondTitle}</b>
            {apply.secondText({ loanNumber: asksAbout.loanNumber, amount: peso(asksAbout.amount) })}
          </p>
          <Button data-autofocus onClick={onNotMeant}>
            {apply.notMeant}
          </Button>
          <Button look="secondary" onClick={onSubmit}>
            {apply.meant}
          </Button>
        </DialogActions>
      ) : (
        <DialogActions cancel={{ disabled: isWorking, onClick: onBack, children: apply.back }}>
          <Button
            busy={isWorking}
            busyLabel={isSending ? apply.submitting : session.pleaseWait}
            onClick={onSubmit}
          >
            {apply.submit}
          </Button>
        </DialogActions>
      )}
    </>
  );
}

/**
 * The contract's terms (§contract-terms), each under its first words; a sentence without any goes with another, and the
 * bare late charge rate is left out, which the next term repeats.
 */
function LoanTermsList({ quote }: { quote: QuoteDocument }) {
  const { contractText, language } = useAccountWords();
  const { application, earlySettlement, freePrepayment, lateChargeRate } = contractText;
  const facts = { startDate: startOf(quote), language, policy: servicingPolicy };
  const [instalments, ...others] = termSentences(contractText, quote, facts);
  const elsewhere = [application, earlySettlement, lateChargeRate(servicingPolicy)];
  const terms = [`${instalments} ${application}`, ...others.filter((term) => !elsewhere.includes(term))];
  return (
    <ul className="flex flex-col divide-y divide-line text-14 *:py-2.5">
      {terms.map((term) => {
        const [lead, text] = term.split(/: (.*)/);
        return (
          <li key={term}>
            <b className="font-semibold">{lead}</b>
            <p className="text-ink-soft first-letter:uppercase">
              {text} {term === freePrepayment && earlySettlement}
            </p>
          </li>
        );
      })}
    </ul>
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

/** Shows the application that was sent, and what comes next. */
export function Applied({ loan, onClose }: { loan: Loan; onClose: () => void }) {
  const { apply, longDate, peso } = useAccountWords();
  const { decisionDays } = lender();
  const hearBy = decisionDays ? longDate(addWorkingDays(today(), decisionDays)) : '';
  return (
    <DoneDialog
      title={apply.done(hearBy)}
      text={apply.doneText(hearBy)}
      rows={[
        { term: apply.amount, value: peso(loan.amount) },
        { term: apply.number, value: loan.loanNumber },
      ]}
      onClose={onClose}
    />
  );
}
