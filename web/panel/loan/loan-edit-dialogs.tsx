import { type KeyboardEvent, useId, useRef, useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import { LoanUpdate, type StaffLoan } from '#contract/staff-loan.ts';
import { validation } from '#contract/wording/panel-validation.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { limits } from '#domain/limits.ts';
import {
  contradictsRelease,
  loanStatusesWith,
  loanStatusFacts,
  monthlyPayment,
  normaliseLoanStatus,
} from '#domain/loan.ts';
import { centavos, formatPeso } from '#domain/money.ts';
import { percentText } from '#domain/rates.ts';
import { type SchemaForm, useFormValues } from '#web/lib/form.ts';
import { showPeso } from '#web/lib/format.ts';
import { loanStatusTone } from '#web/lib/loan-status.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { sessionEnded } from '#web/lib/token.ts';
import { ConfirmDialog, FormDialog } from '#web/panel/lib/dialogs.tsx';
import { ChangedMeanwhile } from '#web/panel/lib/edit-conflict.tsx';
import { loanRow, useStaffForm } from '#web/panel/lib/staff-action.ts';
import { acceptLoan, currentFieldsOf, useLoanAccount } from '#web/panel/lib/staff-rows.ts';
import { Button } from '#web/ui/button.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dense } from '#web/ui/field.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { TextArea, TextField } from '#web/ui/text-field.tsx';
import { useDecide } from './decision-dialogs.tsx';
import { loanLine, pricingRate, releaseText, statusWord } from './loan-text.ts';

const words = panel.loanStatus;

/** Statuses that staff made up, in their stored form, offered for the rest of the session. */
const customStatuses = new Set<string>();
sessionEnded.listen(() => customStatuses.clear());

/** Sets a loan's status to one of those offered or to a custom one, in any order (§loan-status). */
export function LoanStatusDialog({ loan, onClose }: { loan: StaffLoan; onClose: () => void }) {
  const { decide, ...work } = useDecide(loan);
  const [chosen, setChosen] = useState(loan.status);
  // The status when the dialog opened, or as a conflict last reported it.
  const [seen, setSeen] = useState(loan.status);
  const [isChanged, setChanged] = useState(false);
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState<string>();
  const custom = useCustomField(setChosen);
  // A status set by hand cannot contradict the loan's account.
  const { data } = useLoanAccount(loan.id, { enabled: loan.status !== 'pending' });
  const isOut = data !== undefined && data.disbursedOn !== null && data.account.state !== 'cancelled';
  // The approved ones are what a loan becomes once it is paid out, and once it is paid back.
  const offered = [...loanStatusesWith('isOffered'), ...loanStatusesWith('isApproved'), ...customStatuses];
  const statuses = offered.filter((status) => !isOut || !contradictsRelease(status));

  function onSubmit() {
    // A custom status that was typed but not added is what was meant.
    const status = custom.isFilled ? custom.take() : chosen;
    if (status === undefined) return;
    const { isTurnedDown } = loanStatusFacts(status);
    // The borrower has the money, as far as the ledger or the status can tell.
    const isPaidOut = loan.releasedAt !== null || loanStatusFacts(seen).isOut === true;
    if (isTurnedDown && status !== seen && isPaidOut) return setAsked(status);
    void save(status);
  }

  async function save(status: string) {
    const given = takesReason(status) ? reason.trim() : '';
    if (status === seen && given === '') return onClose();
    const result = await decide(status, given, seen);
    if (result.ok) return onClose();
    const current = currentFieldsOf(result.error)?.status;
    if (typeof current !== 'string') return;
    setSeen(current);
    setChanged(true);
  }

  return (
    <>
      <FormDialog
        title={words.title}
        description={loanLine(loan)}
        form={{ ...work, onSubmit }}
        look={chosen !== seen && chosen && loanStatusFacts(chosen).isTurnedDown ? 'danger' : undefined}
        note={words.note}
        onClose={onClose}
      >
        {isChanged && <ChangedMeanwhile>{words.changed(statusWord(seen))}</ChangedMeanwhile>}
        <StatusChoice
          statuses={[...new Set([...statuses, seen, chosen])]}
          present={seen}
          chosen={chosen}
          onChoose={setChosen}
        />
        {isOut && <p className="text-12 text-ink-soft">{words.disbursed}</p>}
        {custom.field}
        {takesReason(chosen) && (
          <TextArea
            {...words.reason}
            rows={2}
            maxLength={limits.messageMaxLength}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </FormDialog>
      {asked !== undefined && (
        <ConfirmDialog
          title={words.outTitle(statusWord(asked))}
          text={words.outText(releaseText(loan))}
          confirmLabel={words.outConfirm(statusWord(asked))}
          onConfirm={() => save(asked)}
          onStop={work.stop}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

function takesReason(status: string): boolean {
  const { isTurnedDown, needsAction } = loanStatusFacts(status);
  return Boolean(isTurnedDown || needsAction);
}

type ChoiceProps = {
  statuses: readonly string[];
  present: string;
  chosen: string;
  onChoose: (status: string) => void;
};

function StatusChoice({ statuses, present, chosen, onChoose }: ChoiceProps) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-14 font-semibold">{panel.list.status}</legend>
      <div className="flex flex-col overflow-hidden rounded-control border border-edge">
        {statuses.map((status) => (
          <label
            key={status}
            className="choice flex min-h-11 cursor-pointer items-center gap-3 border-b border-line px-3.5 last:border-b-0 hover:bg-leaf-tint has-checked:bg-leaf-tint has-focus-visible:outline-3 has-focus-visible:-outline-offset-3 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name={name}
              value={status}
              checked={status === chosen}
              data-autofocus={status === chosen || undefined}
              onChange={() => onChoose(status)}
              className="size-4 shrink-0 accent-leaf"
              aria-label={statusWord(status)}
            />
            <StatusChip tone={loanStatusTone(status)}>{statusWord(status)}</StatusChip>
            {status === present && <span className="ml-auto text-12 text-ink-soft">{words.same}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A field for a custom status, which is chosen at once and offered for the rest of the session. */
function useCustomField(onTaken: (status: string) => void) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();

  /** The typed status in its stored form. Undefined if it is not valid; the field then says so. */
  function take(): string | undefined {
    const status = normaliseLoanStatus(typed);
    if (status === undefined) {
      setError(validation.loanStatusForm);
      input.current?.focus();
      return undefined;
    }
    customStatuses.add(status);
    onTaken(status);
    setError(undefined);
    setTyped('');
    return status;
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !typed) return;
    // Enter adds the status here; saving is another step.
    event.preventDefault();
    take();
  };
  const field = (
    <div className="flex items-start gap-2.5">
      <Dense value>
        <TextField
          ref={input}
          {...words.custom}
          error={error}
          fieldClassName="min-w-0 flex-1"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </Dense>
      <Button look="secondary" className="mt-6.5" onClick={take}>
        {words.add}
      </Button>
    </div>
  );
  return { field, take, isFilled: typed.trim() !== '' };
}

const editWords = panel.loanEdit;

type TypedTerms = { amount: string; termMonths: number };

/** The form's values: whole pesos without centavos. */
function typedTerms({ amount, termMonths }: { amount?: unknown; termMonths?: unknown }): TypedTerms {
  return { amount: String(amount).replace(/\.00$/, ''), termMonths: Number(termMonths) };
}

const TermsForm = z.object({ amount: LoanUpdate.shape.amount, termMonths: LoanUpdate.shape.termMonths });

/** Changes a loan's amount and term, showing the new payment before it is saved (§editing-terms). */
export function LoanEditDialog({ loan, onClose }: { loan: StaffLoan; onClose: () => void }) {
  const { stop, send } = useMoneyCall(api.updateLoan);
  const { loanTermMinMonths: min, staffLoanTermMaxMonths: max } = limits;
  const form = useStaffForm(TermsForm, {
    values: typedTerms(loan),
    keptAs: `terms ${loan.id}`,
    fields: {
      amount: { kind: 'pesos', label: panel.loans.columns.amount, isFirst: true },
      termMonths: { kind: 'number', label: editWords.term, aside: `${min}–${max}`, min, max, step: 1 },
    },
    edited: { opened: typedTerms(loan), read: typedTerms },
    send: (_, body) => body && send({ params: { id: loan.id }, body }).then(acceptLoan),
    done: ({ loanNumber, monthlyPayment }) => editWords.saved(loanNumber, showPeso(monthlyPayment)),
    failedTitle: panel.toasts.updateFailed,
    row: loanRow(loan.id),
    onSaved: onClose,
    onUnchanged: onClose,
  });
  return (
    <FormDialog
      title={editWords.title}
      description={loanLine(loan)}
      form={{ ...form, stop }}
      note={editWords.note}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 items-start gap-3">{form.fields}</div>
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
            term: editWords.payment,
            value: after ? panel.memberPanel.change(present, formatPeso(after.payment)) : present,
            strong: true,
          },
          { term: editWords.total, value: after ? formatPeso(after.total) : panel.list.dash },
        ]}
      />
      <p className="mt-2 text-12 text-ink-soft">{editWords.rateNote(percentText(pricingRate(loan)))}</p>
    </div>
  );
}

/** Undefined while the typed terms are not valid. */
function newPayment(loan: StaffLoan, typed: TypedTerms) {
  const { amount: amountCentavos, termMonths } = TermsForm.safeParse(typed).data ?? {};
  if (amountCentavos === undefined || termMonths === undefined) return undefined;
  const payment = monthlyPayment({ amountCentavos, monthlyRate: pricingRate(loan), termMonths });
  return { payment, total: centavos(payment * termMonths) };
}
