import { type KeyboardEvent, useId, useRef, useState } from 'react';
import * as api from '#contract/api.ts';
import type { StaffLoan } from '#contract/staff-loan.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { loanStatusesWith, loanStatusFacts, normaliseLoanStatus } from '#domain/loan.ts';
import { loanStatusTone } from '#web/lib/loan-status.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { sessionEnded } from '#web/lib/token.ts';
import { ConfirmDialog, FormDialog } from '#web/panel/lib/dialogs.tsx';
import { ChangedMeanwhile } from '#web/panel/lib/edit-conflict.tsx';
import { useStaffAction } from '#web/panel/lib/staff-action.ts';
import { acceptRow, currentFieldsOf } from '#web/panel/lib/staff-rows.ts';
import { Button } from '#web/ui/button.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { TextArea, TextField } from '#web/ui/text-field.tsx';
import { isPaidOut, loanLine, loanRow, releaseText, statusWord } from './loan-text.ts';

const words = panel.loanStatus;

/** Statuses that staff made up, in their stored form, offered for the rest of the session. */
const customStatuses = new Set<string>();
sessionEnded.listen(() => customStatuses.clear());

/** Sets a loan's status to one of those offered or to a custom one, in any order (§loan-status). */
export function LoanStatusDialog({ loan, onClose }: { loan: StaffLoan; onClose: () => void }) {
  const act = useStaffAction();
  const { state, stop, send } = useMoneyCall(api.updateLoan);
  const [chosen, setChosen] = useState(loan.status);
  // The status when the dialog opened, or as a conflict last reported it.
  const [seen, setSeen] = useState(loan.status);
  const [isChanged, setChanged] = useState(false);
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState<string>();
  const custom = useCustomField(setChosen);
  const statuses = [
    ...new Set<string>([...loanStatusesWith('isOffered'), ...laterStatuses, ...customStatuses, seen, chosen]),
  ];

  function submit() {
    // A custom status that was typed but not added is what was meant.
    const status = custom.isFilled ? custom.take() : chosen;
    if (status === undefined) return;
    const { isTurnedDown } = loanStatusFacts(status);
    if (isTurnedDown && status !== seen && isPaidOut(loan, seen)) return setAsked(status);
    void save(status);
  }

  async function save(status: string) {
    const given = takesReason(status) ? reason.trim() : '';
    if (status === seen && given === '') return onClose();
    const body = { status, expected: { status: seen }, ...(given && { reason: given }) };
    const result = await act(send({ params: { id: loan.id }, body }), {
      done: { title: panel.toasts.success, description: words.saved(loan.loanNumber, statusWord(status)) },
      failedTitle: panel.toasts.updateFailed,
      row: loanRow(loan.id),
    });
    if (!result.ok) {
      const current = currentFieldsOf(result.error)?.status;
      if (typeof current !== 'string') return;
      setSeen(current);
      return setChanged(true);
    }
    acceptRow(api.listLoans, result.answer);
    onClose();
  }

  return (
    <>
      <FormDialog
        title={words.title}
        description={loanLine(loan)}
        busy={state === 'sending' || state === 'checking'}
        onStop={stop}
        note={words.note}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        onClose={onClose}
      >
        {isChanged && <ChangedMeanwhile>{words.changed(statusWord(seen))}</ChangedMeanwhile>}
        <StatusChoice statuses={statuses} present={seen} chosen={chosen} onChoose={setChosen} />
        {custom.field}
        {takesReason(chosen) && (
          <TextArea
            label={words.reason}
            hint={words.reasonHint}
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
          onStop={stop}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

/** Offered beside the usual ones: what a loan becomes once it is paid out, and once it is paid back. */
const laterStatuses = loanStatusesWith('isApproved').filter((status) => !loanStatusFacts(status).isOffered);

/** Whether the borrower should be given a reason. */
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
      <legend className="mb-1.5 text-14 font-semibold">{words.status}</legend>
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
      setError(en.validation.loanStatusForm);
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
      <TextField
        ref={input}
        dense
        label={words.custom}
        hint={words.customHint}
        error={error}
        autoComplete="off"
        fieldClassName="min-w-0 flex-1"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Button look="secondary" size="small" className="mt-6.5" onClick={take}>
        {words.add}
      </Button>
    </div>
  );
  return { field, take, isFilled: typed.trim() !== '' };
}
