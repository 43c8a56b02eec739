import { type KeyboardEvent, useId, useRef, useState } from 'react';
import * as api from '#contract/api.ts';
import type { StaffLoan } from '#contract/member.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { normaliseLoanStatus, offeredLoanStatuses } from '#domain/loan.ts';
import { ChangedMeanwhile } from '#web/lib/form-together.tsx';
import { showPeso } from '#web/lib/format.ts';
import { loanStatusTone } from '#web/lib/loan-status.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { presentOf } from '#web/lib/present.ts';
import { SaveActions } from '#web/lib/save-actions.tsx';
import { useStaffAction } from '#web/lib/staff-action.ts';
import { acceptRow } from '#web/lib/staff-rows.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { addCustomStatus, useCustomStatuses } from './custom-statuses.ts';
import { borrowerName, loanRow, statusWord } from './loan-rules.ts';

const words = panel.loanStatus;

/** Sets a loan's status to one of those offered or to a custom one, in any order (spec section 4). */
export function LoanStatusDialog({ loan, onClose }: { loan: StaffLoan; onClose: () => void }) {
  const act = useStaffAction();
  const { state, stop, send } = useMoneyCall(api.updateLoan);
  const [chosen, setChosen] = useState(loan.status);
  // What the loan was when the dialog opened, or when somebody was told that it is another by now.
  const [seen, setSeen] = useState(loan.status);
  const [isChanged, setChanged] = useState(false);
  const custom = useCustomStatuses();
  const statuses = [...new Set<string>([...offeredLoanStatuses, ...custom, seen, chosen])];
  const busy = state === 'sending' || state === 'checking';

  async function save() {
    if (chosen === seen) return onClose();
    const body = { status: chosen, expected: { status: seen } };
    const result = await act(send({ params: { id: loan.id }, body }), {
      done: { title: panel.toasts.success, description: words.saved(loan.loanNumber, statusWord(chosen)) },
      failedTitle: panel.toasts.updateFailed,
      row: loanRow(loan.id),
    });
    if (!result.ok) {
      const present = presentOf(result.error)?.status;
      if (typeof present !== 'string') return;
      setSeen(present);
      return setChanged(true);
    }
    acceptRow(api.listLoans, result.answer);
    onClose();
  }

  const close = () => {
    if (!busy || stop) onClose();
  };
  return (
    <Dialog
      open
      title={words.title}
      description={words.of({
        loanNumber: loan.loanNumber,
        name: borrowerName(loan),
        amount: showPeso(loan.amount),
      })}
      closeLabel={en.shell.close}
      onClose={close}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        className="flex flex-col gap-4"
      >
        {isChanged && <ChangedMeanwhile>{words.changed(statusWord(seen))}</ChangedMeanwhile>}
        <StatusChoice statuses={statuses} present={seen} chosen={chosen} onChoose={setChosen} />
        <CustomStatus onAdd={setChosen} />
        <p className="text-12 text-ink-soft" role={state === 'checking' ? 'status' : undefined}>
          {state === 'checking' ? en.shell.checking : words.note}
        </p>
        <SaveActions busy={busy} onStop={stop} onCancel={close} />
      </form>
    </Dialog>
  );
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

/** Makes up a status that the others lack; it is chosen at once and offered for the rest of the visit. */
function CustomStatus({ onAdd }: { onAdd: (status: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();

  function add() {
    const status = normaliseLoanStatus(input.current?.value ?? '');
    if (status === undefined) {
      setError(en.validation.loanStatusForm);
      return input.current?.focus();
    }
    addCustomStatus(status);
    onAdd(status);
    setError(undefined);
    if (input.current) input.current.value = '';
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !input.current?.value) return;
    // Enter in here adds the status; saving it is another step.
    event.preventDefault();
    add();
  };
  return (
    <div className="flex items-start gap-2.5">
      <TextField
        ref={input}
        dense
        label={words.custom}
        hint={words.customHint}
        error={error}
        autoComplete="off"
        fieldClassName="min-w-0 flex-1"
        onKeyDown={onKeyDown}
      />
      <Button look="secondary" size="small" className="mt-6.5" onClick={add}>
        {words.add}
      </Button>
    </div>
  );
}
