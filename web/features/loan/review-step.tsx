import { useEffect, useRef } from 'react';
import type { QuoteDocument } from '#contract/loan.ts';
import type { Centavos } from '#domain/money.ts';
import { percentText } from '#domain/rates.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { useFormats } from '#web/lib/format.ts';
import { lender } from '#web/lib/lender.ts';
import type { MoneyCallState } from '#web/lib/money-call.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { ClockIcon, InfoIcon } from '#web/ui/icons.tsx';
import { figuresOf, startOf } from './agreed-quote.ts';
import { type QuoteFigures, useQuoteRows } from './quote-preview.tsx';

/** What is applied for, checked: as the schema of the contract gives it, and what the server says that it costs. */
export type Application = {
  amount: Centavos;
  purpose: string;
  termMonths: number;
  agreedQuote: QuoteDocument;
};

type ReviewStepProps = {
  application: Application;
  state: MoneyCallState;
  /** True while another quote is asked for: the one in sight is not to be agreed to any more. */
  isPricing: boolean;
  onBack: () => void;
  onSubmit: () => void;
};

/** All of the loan once more, every figure and term, before it is sent (contract section 7). */
export function ReviewStep({ application, state, isPricing, onBack, onSubmit }: ReviewStepProps) {
  const { apply, consents, lender: company, session } = useAccountWords();
  const { peso } = useFormats();
  const heading = useRef<HTMLHeadingElement>(null);
  const { agreedQuote } = application;
  const quote = figuresOf(agreedQuote);
  const rows = useQuoteRows(quote);
  const isSending = state === 'sending' || state === 'checking';
  const isWorking = isSending || isPricing;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another quote is read from its beginning, like the first
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
          { id: 'amount', term: apply.amount, value: peso(application.amount), strong: true },
          { id: 'term', term: apply.term, value: application.termMonths },
          { id: 'purpose', term: apply.purpose, value: application.purpose },
          rows.monthly,
          rows.total,
          rows.cost,
          rows.interest,
          rows.effective,
          rows.effectiveYear,
          rows.simpleYear,
          rows.upfront,
          rows.net,
          rows.firstDue,
          rows.lastDue,
        ]}
      />
      <LoanTermsList quote={quote} />
      <p className="mt-3 text-14 font-semibold">{company.studyFirst}</p>
      <p className="mt-3 text-12 text-ink-soft">{consents.application(lender().name)}</p>
      <Settling state={state} />
      <DialogActions>
        <Button look="secondary" disabled={isWorking} onClick={onBack}>
          {apply.back}
        </Button>
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

/** The terms as the contract will state them (spec section 9). */
function LoanTermsList({ quote }: { quote: QuoteFigures }) {
  const { apply, contractText } = useAccountWords();
  const { peso, date } = useFormats();
  const terms = [
    contractText.instalments({ count: String(quote.termMonths), amount: peso(quote.monthlyPaymentCentavos) }),
    contractText.firstPayment({ startDate: date(startOf(quote)) }),
    contractText.lateCharge({ percent: percentText(quote.lateChargeRate) }),
    contractText.freePrepayment,
    contractText.noFees,
  ];
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

/** Where the answer was lost: that it is being looked for, or that it could not be found. Never a success or failure. */
function Settling({ state }: { state: MoneyCallState }) {
  const { shell } = useAccountWords();
  const notice = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (state === 'checking' || state === 'unsettled') notice.current?.scrollIntoView({ block: 'end' });
  }, [state]);

  return (
    // The margin keeps it clear of the buttons that stick to the foot.
    <div ref={notice} role="status" className="scroll-mb-24">
      {state === 'checking' && (
        <Banner tone="warn" icon={<ClockIcon />} className="mt-4">
          {shell.checking}
        </Banner>
      )}
      {state === 'unsettled' && (
        <Banner tone="warn" icon={<InfoIcon />} className="mt-4">
          {shell.unsettled}
        </Banner>
      )}
    </div>
  );
}
