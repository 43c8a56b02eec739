import type { FocusEvent, ReactNode } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import type { Reply, Sent } from '#contract/endpoint.ts';
import {
  DisbursementForm,
  type LoanAccount,
  LoanActionForm,
  type LoanPreview,
  LoanPreviewForm,
  PaymentForm,
  PaymentUpdate,
  ReasonForm,
} from '#contract/servicing.ts';
import { home } from '#contract/wording/en-home.ts';
import { noticesIn, wordNotice } from '#contract/wording/notices.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { addMonths, parseManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { bouncedReason, needsReference, type PaymentChannel } from '#domain/payment.ts';
import { codeOf } from '#web/lib/call-error.ts';
import { useFormValues } from '#web/lib/form.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { QueryStates } from '#web/lib/query-states.tsx';
import { SlipField } from '#web/lib/slip-field.tsx';
import { Warning } from '#web/panel/lib/details.tsx';
import { FormDialog } from '#web/panel/lib/dialogs.tsx';
import { CheckField, type FieldFacts, FormField } from '#web/panel/lib/form-field.tsx';
import { date as dateText, showPeso } from '#web/panel/lib/format.ts';
import { keepFocusInList } from '#web/panel/lib/list-table.tsx';
import { memberName } from '#web/panel/lib/list-view.ts';
import {
  loanRow,
  paymentRow,
  rulesOfBody,
  type StaffForm,
  useStaffForm,
} from '#web/panel/lib/staff-action.ts';
import { refreshLoan, type StaffLoanAccount, useLoanAccount } from '#web/panel/lib/staff-rows.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceField } from '#web/ui/choice-field.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { channelChoices, type LoanStep, type StepPayment, stepWord } from './loan-text.ts';
import { PaymentProof } from './payment-proof.tsx';
import { type PreviewBody, PreviewPart, usePreview } from './step-preview.tsx';

const words = panel.loanStep;

type FieldName = keyof Values;

type StepRow =
  | typeof api.disburseLoan
  | typeof api.cancelDisbursement
  | typeof api.recordPayment
  | typeof api.updatePayment
  | typeof api.actOnLoan;

type StepBody = Sent<StepRow, 'body'>;

type StepFacts = {
  row: StepRow;
  /** The schema of the call's body. */
  schema: z.ZodMiniType;
  /** The name of the step in a preview; absent if the step changes nothing in the account. */
  previewed?: Sent<typeof api.previewLoan, 'body'>['step'];
  /** The step takes something away. */
  look?: 'danger';
  /** The fields to ask for, given what is typed. */
  fields: (typed: Values, step: LoanStep) => readonly FieldName[];
};

const action = { row: api.actOnLoan, schema: LoanActionForm, previewed: 'action' } as const;
/** Rejecting or reversing a payment takes a reason, which the borrower reads. */
const PaymentRefusal = z.extend(PaymentUpdate, ReasonForm.shape);
const refusal = { row: api.updatePayment, schema: PaymentRefusal, look: 'danger' } as const;

const factsOf: Record<LoanStep['kind'], StepFacts> = {
  release: {
    row: api.disburseLoan,
    schema: DisbursementForm,
    previewed: 'disbursement',
    fields: ({ channel }) => (channel === 'wallet' ? ['channel'] : ['channel', 'reference', 'date']),
  },
  cancellation: {
    row: api.cancelDisbursement,
    schema: ReasonForm,
    previewed: 'cancellation',
    look: 'danger',
    fields: () => ['reason'],
  },
  payment: {
    row: api.recordPayment,
    schema: PaymentForm,
    previewed: 'payment',
    fields: ({ channel }) =>
      channel === 'wallet'
        ? ['amount', 'channel', 'valueDate', 'settlement', 'reason']
        : ['amount', 'channel', 'reference', 'valueDate', 'settlement', 'proofUrl'],
  },
  waiver: { ...action, fields: () => ['amount', 'valueDate', 'reason'] },
  deferral: { ...action, fields: () => ['months', 'valueDate', 'reason'] },
  write_off: { ...action, look: 'danger', fields: () => ['valueDate', 'reason'] },
  refund: { ...action, fields: () => ['amount', 'valueDate', 'reason'] },
  reversal: { ...action, look: 'danger', fields: () => ['valueDate', 'reason'] },
  confirm: {
    row: api.updatePayment,
    schema: PaymentUpdate,
    previewed: 'payment_update',
    fields: (typed, step) =>
      isCorrected(step, typed) ? ['amount', 'valueDate', 'note'] : ['amount', 'valueDate'],
  },
  reject: { ...refusal, fields: () => ['reason'] },
  reverse: {
    ...refusal,
    previewed: 'payment_update',
    fields: ({ why }, step) => {
      if (!isCheque(step)) return ['valueDate', 'reason'];
      return why === bouncedReason ? ['why', 'valueDate'] : ['why', 'valueDate', 'reason'];
    },
  },
};

const titles: Partial<Record<LoanStep['kind'], string>> = words.titles;
const texts: typeof titles = words.texts;

const titleOf = ({ kind }: LoanStep) => titles[kind] ?? stepWord(kind);

const isCheque = (step: LoanStep): boolean => 'payment' in step && step.payment.channel === 'cheque';

/** True if another sum came in than the borrower wrote. */
const isCorrected = (step: LoanStep, { amount }: Values): boolean =>
  'payment' in step && Number(amount) !== Number(step.payment.amount);

/** Builds the body of the step's call from the fields that are asked for and filled in. */
function bodyOf(step: LoanStep, typed: Values): Record<string, unknown> {
  const { fields, schema } = factsOf[step.kind];
  const asked = fields(typed, step);
  const isSent = (name: FieldName): boolean => {
    if (typed[name] === '' || typed[name] === false || name === 'why') return false;
    // The amount of a confirmation is sent only if it corrects what the borrower wrote.
    return name !== 'amount' || step.kind !== 'confirm' || isCorrected(step, typed);
  };
  const isBounced = asked.includes('why') && typed.why === bouncedReason;
  // The borrower reads the reason for a refusal as a note; a bounced cheque has words of its own.
  const note = schema === PaymentRefusal && !isBounced && typed.reason;
  return {
    ...constantsOf(step),
    ...Object.fromEntries(asked.filter(isSent).map((name) => [name, typed[name]])),
    ...(note && { note }),
    ...(isBounced && { reason: bouncedReason }),
  };
}

const statusAfter = { confirm: 'confirmed', reject: 'rejected', reverse: 'reversed' } as const;

function constantsOf(step: LoanStep): Record<string, unknown> {
  if ('payment' in step) return { status: statusAfter[step.kind] };
  if (step.kind === 'reversal') return { kind: step.kind, reverses: step.reverses };
  return factsOf[step.kind].row === api.actOnLoan ? { kind: step.kind } : {};
}

/** Fields that change no figure. A preview leaves them out, so that typing in them does not ask for another. */
const remarks = ['reason', 'note', 'proofUrl'];

/** Returns what to preview; undefined while something is missing or wrong, as the form says on submit. */
function previewOf(step: LoanStep, typed: Values): PreviewBody | undefined {
  const { previewed } = factsOf[step.kind];
  if (!previewed) return undefined;
  if (step.kind === 'release' && typed.channel === 'direct' && typed.reference.trim() === '')
    return undefined;
  const counted = Object.entries(bodyOf(step, typed)).filter(([name]) => !remarks.includes(name));
  const paymentId = 'payment' in step ? { paymentId: step.payment.id } : {};
  const form = { step: previewed, ...Object.fromEntries(counted), ...paymentId };
  return LoanPreviewForm.safeParse(form).success ? (form as PreviewBody) : undefined;
}

function likelyAmount({ kind }: LoanStep, { account }: LoanAccount): string {
  if (kind === 'waiver') return account.lateChargesOwed;
  if (kind === 'refund') return account.credit;
  return account.dueNow === '0.00' ? account.nextDueAmount : account.dueNow;
}

type Values = ReturnType<typeof firstValues>;

/** The fewest months that leave no unpaid instalment in the past; NaN, an empty field, if no choice does. */
function likelyMonths({ asOf, instalments }: LoanAccount): number {
  const oldest = parseManilaDate(instalments.find(({ left }) => Number(left) > 0)?.dueDate ?? '');
  const choices = Array.from({ length: limits.deferralMaxMonths }, (_, index) => index + 1);
  return choices.find((months) => oldest && addMonths(oldest, months) >= asOf) ?? Number.NaN;
}

function firstValues(step: LoanStep, loan: LoanAccount) {
  return {
    channel: step.kind === 'release' ? 'wallet' : 'cash',
    amount: ('payment' in step ? step.payment.amount : likelyAmount(step, loan)).replace(/\.00$/, ''),
    months: likelyMonths(loan),
    reference: '',
    date: loan.asOf,
    valueDate: step.kind === 'confirm' ? step.payment.valueDate : loan.asOf,
    settlement: false,
    why: bouncedReason,
    reason: '',
    note: '',
    proofUrl: '',
  };
}

const isReferenceNeeded = (step: LoanStep, channel: string): boolean =>
  step.kind === 'release' ? channel === 'direct' : needsReference(channel as PaymentChannel);

type DialogProps = {
  loanId: number;
  step: LoanStep;
  /** Fills in values that are known already, such as from a line of a statement. */
  given?: Partial<Pick<Values, 'amount' | 'channel' | 'reference' | 'valueDate'>>;
  /** Stands above the form. */
  notice?: ReactNode;
  onDone?: (answer: Reply<StepRow>) => void;
  onClose: () => void;
};

/** Takes a step on a loan: asks in a short form, and shows under it the account before and after. */
export function LoanStepDialog(props: DialogProps) {
  // The loan is read anew: the form's date comes from this reply, and the page may be open since yesterday.
  const query = useLoanAccount(props.loanId);
  if (query.data && query.isFetchedAfterMount && !query.isError) {
    return <StepForm {...props} loan={query.data} />;
  }
  return (
    <Dialog title={titleOf(props.step)} closeLabel={home.shell.close} onClose={props.onClose}>
      <QueryStates query={query} skeleton={<SkeletonText lines={5} />} failedTitle={panel.loanAccount.failed}>
        {() => null}
      </QueryStates>
    </Dialog>
  );
}

function StepForm({
  loanId,
  step,
  given,
  notice,
  loan,
  onDone,
  onClose,
}: DialogProps & { loan: StaffLoanAccount }) {
  const facts = factsOf[step.kind];
  const { stop, send } = useMoneyCall(facts.row);
  const payment = 'payment' in step ? step.payment : undefined;
  const rules = rulesOfBody<Values>(facts.schema, (values) => bodyOf(step, values));
  const form = useStaffForm(rules, {
    values: { ...firstValues(step, loan), ...given },
    ...(!given && { keptAs: `${step.kind} ${loanId} ${payment?.id}` }),
    // `rules` has checked the body against the step's schema.
    send: (values) => send({ params: { id: payment?.id ?? loanId }, body: bodyOf(step, values) as StepBody }),
    done: (answer, values) => doneText(step, loan, values, answer),
    row: payment ? paymentRow(payment.id) : loanRow(loanId),
    onAnswered: () => void refreshLoan(),
    // In a list the button that opened this is gone by then.
    onSaved: (answer) => {
      onDone?.(answer);
      onClose();
      keepFocusInList();
    },
  });
  const typed = useFormValues(form);
  const preview = usePreview(loanId, previewOf(step, typed));
  const name = memberName(loan.loan.user);
  const isAwaited = preview.data && preview.data.waitsFor !== null;

  return (
    <FormDialog
      size="large"
      title={step.kind === 'reversal' ? words.reversalTitle(step.what) : titleOf(step)}
      description={[words.of(loan.loanNumber, name), texts[step.kind]].filter(Boolean).join('. ')}
      form={{ ...form, stop }}
      saveLabel={stepWord(step.kind)}
      look={facts.look}
      note={isAwaited ? words.tellsAfterwards : words.tells}
      onClose={onClose}
    >
      {step.kind === 'release' && <ReleaseFacts loan={loan} name={name} preview={preview.data} />}
      {step.kind === 'release' && loan.loan.user.status === 'pending' && (
        <Warning>{words.notActivated}</Warning>
      )}
      {notice}
      {payment && <SameCash payment={payment} />}
      {payment && (
        <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 max-[40rem]:grid-cols-1">
          <DefinitionRows
            size={14}
            rows={[
              { term: words.amount, value: showPeso(payment.amount), strong: true },
              { term: words.channel, value: panel.servicing.channels[payment.channel] },
              { term: words.reference.label, value: payment.reference },
              { term: words.paidOn, value: dateText(payment.valueDate) },
              { term: words.doubleOn, value: payment.doubleOn?.join(', ') },
            ]}
          />
          <PaymentProof url={payment.proofUrl} />
        </div>
      )}
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-4 max-[40rem]:grid-cols-1">
        {facts.fields(typed, step).map((field) => (
          <StepField key={field} {...{ field, step, form, loan }} />
        ))}
      </div>
      {step.kind === 'release' && codeOf(preview.error) === 'already_credited' && (
        <Button
          look="secondary"
          size="small"
          className="self-start"
          onClick={() => form.setValue('channel', 'recorded')}
        >
          {words.recordInstead}
        </Button>
      )}
      {step.kind === 'release' && preview.data && (
        <BorrowerReads {...{ loan, typed }} preview={preview.data} />
      )}
      {facts.previewed && <PreviewPart preview={preview} />}
    </FormDialog>
  );
}

function doneText(step: LoanStep, { loanNumber }: LoanAccount, typed: Values, answer: Reply<StepRow>) {
  if ('approval' in answer) return { title: words.waits, description: words.waitsText };
  if ('receiptNumber' in answer && answer.status === 'submitted') {
    return { title: words.toConfirm, description: words.toConfirmText };
  }
  const amount = showPeso('receiptNumber' in answer ? answer.amount : typed.amount);
  const receipt = 'receiptNumber' in answer ? (answer.receiptNumber ?? '') : '';
  const what = 'what' in step ? step.what : '';
  return words.done[step.kind]({ loanNumber, amount, receipt, what, months: typed.months });
}

type FieldProps = { field: FieldName; step: LoanStep; form: StaffForm<Values>; loan: LoanAccount };

const releaseChannels = DisbursementForm.shape.channel.options;

/** The form only guesses the first value, so typing replaces it. */
const selectAll = ({ currentTarget }: FocusEvent<HTMLInputElement>) => currentTarget.select();

function StepField({ field, step, form, loan }: FieldProps) {
  const { channel, proofUrl, why } = useFormValues(form);
  if (field === 'settlement') {
    const onCheck = (checked: boolean) => form.setValue('settlement', checked);
    return <CheckField className="col-span-full" label={words.settlement} onCheck={onCheck} />;
  }
  if (field === 'proofUrl') {
    return (
      <SlipField
        label={words.proof}
        aside={panel.list.optional}
        hints={words.proofHints}
        url={proofUrl}
        onUrl={(url) => form.setValue('proofUrl', url)}
        error={form.errorOf('proofUrl')}
      />
    );
  }
  if (field === 'why') {
    return (
      <div className="col-span-full">
        <ChoiceField
          label={words.why}
          options={[
            { value: bouncedReason, label: words.bounced },
            { value: 'other', label: words.anotherReason },
          ]}
          value={why}
          onValueChange={(value) => form.setValue('why', value)}
        />
        {why === bouncedReason && <p className="mt-1.5 text-12 text-ink-soft">{words.bouncedHint}</p>}
      </div>
    );
  }
  if (field === 'channel' && step.kind === 'release') {
    const chosen = channel as (typeof releaseChannels)[number];
    return (
      <div className="col-span-full">
        <ChoiceField
          label={words.releaseChannel}
          options={releaseChannels.map((value) => ({ value, label: words.releaseChannels[value] }))}
          value={chosen}
          onValueChange={(value) => form.setValue('channel', value)}
        />
        <p className="mt-1.5 text-12 text-ink-soft">{words.releaseHints[chosen]}</p>
      </div>
    );
  }
  const { disbursedOn, asOf } = loan;
  const isReceipt = step.kind === 'payment' || step.kind === 'confirm';
  const months = { min: 1, max: limits.deferralMaxMonths };
  const remark = {
    kind: 'remark',
    hint: step.kind === 'write_off' ? words.reasonHint : words.reasonHintTold,
    fieldClassName: 'col-span-full',
  } as const;
  const facts: Record<typeof field, FieldFacts> = {
    amount: { kind: 'pesos', label: words.amount, onFocus: selectAll, isFirst: true },
    months: {
      kind: 'number',
      label: words.months,
      aside: `${months.min}–${months.max}`,
      ...months,
      onFocus: selectAll,
      isFirst: true,
    },
    channel: { kind: 'select', label: words.channel, options: channelChoices },
    reference: {
      ...words.reference,
      aside: isReferenceNeeded(step, channel) ? undefined : panel.list.optional,
      spellCheck: false,
      maxLength: limits.shortTextMaxLength,
    },
    date: { kind: 'day', label: words.releasedOn, max: asOf },
    valueDate: {
      kind: 'day',
      label: isReceipt ? words.paidOn : words.valueDate,
      min: disbursedOn ?? undefined,
      max: asOf,
    },
    note: { ...remark, label: words.note },
    reason: { ...remark, label: words.reason },
  };
  return <FormField form={form} name={field} {...facts[field]} />;
}

function SameCash({ payment: { sameCash = [] } }: { payment: StepPayment }) {
  if (sameCash.length === 0) return null;
  const others = sameCash.map(({ receiptNumber, valueDate }) =>
    words.sameCashOne(dateText(valueDate), receiptNumber),
  );
  return <Warning isSaid>{words.sameCash(others.join(', '))}</Warning>;
}

type ReleaseProps = { loan: StaffLoanAccount; name: string; preview: LoanPreview | undefined };

function ReleaseFacts({ loan: { loan, instalments }, name, preview }: ReleaseProps) {
  const rows = preview?.after.instalments ?? instalments;
  return (
    <DefinitionRows
      size={14}
      rows={[
        { term: words.borrower, value: <>{[name, loan.user.phone].join(' · ')}</> },
        { term: words.gets, value: showPeso(loan.amount), strong: true },
        {
          term: words.repays,
          value: words.repaysText(loan.termMonths, showPeso(loan.monthlyPayment)),
        },
        { term: words.firstDue, value: rows[0] ? dateText(rows[0].dueDate) : panel.list.dash },
      ]}
    />
  );
}

const notices = noticesIn('en');

type ReadsProps = { loan: StaffLoanAccount; typed: Values; preview: LoanPreview };

function BorrowerReads({ loan: { loanId, loanNumber, loan }, typed: { channel }, preview }: ReadsProps) {
  const [first] = preview.after.instalments;
  if (!first) return null;
  const { title, message } = wordNotice(notices, 'loan_disbursed', {
    loanNumber,
    channel,
    contractOf: String(loanId),
    amount: showPeso(loan.amount),
    date: dateText(preview.date),
    firstDueDate: dateText(first.dueDate),
    monthlyPayment: showPeso(loan.monthlyPayment),
  });
  return (
    <figure className="rounded-card bg-leaf-tint p-4">
      <figcaption className="mb-1 text-12 text-ink-soft">{words.reads}</figcaption>
      <p className="font-semibold">{title}</p>
      <p className="text-14">{message}</p>
    </figure>
  );
}
