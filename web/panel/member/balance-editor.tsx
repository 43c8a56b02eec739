import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import { BalanceReason, balance, type StaffLoan } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { type Centavos, centavos, formatPeso, parsePesos } from '#domain/money.ts';
import { CallError } from '#web/lib/call-error.ts';
import { useContractForm, useFormValues } from '#web/lib/form.ts';
import { showPeso } from '#web/lib/format.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { typedAmount } from '#web/lib/typed-amount.ts';
import { AskDialog } from '#web/panel/lib/ask-dialog.tsx';
import { useStaffAction } from '#web/panel/lib/staff-action.ts';
import { acceptMember, acceptPresent, findMemberRow } from '#web/panel/lib/staff-rows.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { memberName, memberRow } from './member-text.tsx';
import type { MoneyHolder } from './money-holder.ts';
import { PanelForm } from './panel-edit.tsx';

const BalanceForm = z.object({ balance, reason: BalanceReason });
type Typed = z.input<typeof BalanceForm>;

const words = panel.memberPanel;

type Props = {
  member: MoneyHolder;
  /** The loan it is edited beside, which a disbursement then pays out. */
  loan?: StaffLoan | undefined;
  onClose: () => void;
};

/**
 * Sets a member's balance. The balance that was on the screen goes along, so that one which moved meanwhile is not
 * written over: then it says what moved, keeps what was typed, and the next try starts from the new balance.
 */
export function BalanceEditor({ member, loan, onClose }: Props) {
  const act = useStaffAction();
  const { stop, send } = useMoneyCall(api.updateMember);
  const [seen, setSeen] = useState(member.balance);
  const [moved, setMoved] = useState<string>();
  const [asked, setAsked] = useState<Typed>();
  const form = useContractForm(BalanceForm, {
    defaultValues: {
      balance: '',
      reason: waitsForMoney(loan) ? 'disbursement' : 'admin_adjustment',
    } as Typed,
  });
  const typed = useFormValues(form);
  const change = changeOf(seen, typed.balance);
  const { setFocus } = form;
  useEffect(() => setFocus('balance'), [setFocus]);

  const submit = form.handleSubmit((values) => {
    if (changeOf(seen, values.balance)?.differenceCentavos === 0) {
      return form.setError('balance', { message: words.balanceSame }, { shouldFocus: true });
    }
    setAsked(values);
  });

  async function save({ balance: after, reason }: Typed) {
    const body = {
      ...{ balance: after, expectedBalance: seen, reason },
      ...(reason === 'disbursement' && loan && mayBeReleased(loan) && { loanId: loan.id }),
    };
    const result = await act(send({ params: { id: member.id }, body }), {
      done: {
        title: panel.toasts.success,
        description: words.change(showPeso(seen), showPeso(String(after))),
      },
      failedTitle: panel.toasts.updateFailed,
      row: memberRow(member.id),
    });
    if (result.ok) {
      const { releasedLoan, ...changed } = result.answer;
      acceptMember(changed);
      if (releasedLoan) acceptPresent(api.listLoans, releasedLoan.id, releasedLoan);
      return onClose();
    }
    if (result.error instanceof CallError && result.error.code === 'balance_changed') await lookAgain();
    else form.showServerErrors(result.error);
  }

  async function lookAgain() {
    const fresh = await findMemberRow(member).catch(() => undefined);
    if (!fresh) return;
    setMoved(words.balanceMoved({ before: showPeso(seen), now: showPeso(fresh.balance) }));
    setSeen(fresh.balance);
  }

  return (
    <>
      <PanelForm saveLabel={words.saveBalance} onSubmit={submit} onCancel={onClose}>
        {moved !== undefined && (
          <p role="alert" className="rounded-small bg-warn-tint px-3 py-2 text-14 text-warn">
            {moved}
          </p>
        )}
        <TextField
          {...form.field('balance', { setValueAs: typedAmount })}
          dense
          label={words.newBalance}
          aside={showPeso(seen)}
          prefix="₱"
          inputMode="decimal"
          autoComplete="off"
        />
        <SelectField
          {...form.field('reason')}
          dense
          label={words.reason}
          hint={typed.reason === 'disbursement' && releaseHint(loan)}
        >
          {BalanceReason.options.map((reason) => (
            <option key={reason} value={reason}>
              {words.reasons[reason]}
            </option>
          ))}
        </SelectField>
        <p role="status" className="min-h-10 text-14 tabular-nums">
          {change && (
            <>
              <span className="block font-semibold">{words.change(change.before, change.after)}</span>
              <span className="text-12 text-ink-soft">{words.difference(change.difference)}</span>
            </>
          )}
        </p>
      </PanelForm>
      {asked && change && (
        <AskDialog
          look="primary"
          title={words.balanceTitle(memberName(member))}
          text={words.balanceText(change)}
          confirmLabel={words.saveBalance}
          onConfirm={() => save(asked)}
          onStop={stop}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

const mayBeReleased = ({ status }: StaffLoan) => status === 'approved' || status === 'active';

const waitsForMoney = (loan: StaffLoan | undefined) =>
  loan?.status === 'approved' && loan.releasedAt === null;

/** Which loan a disbursement counts for. */
function releaseHint(loan: StaffLoan | undefined): string {
  if (!loan) return words.releasesNewest;
  return mayBeReleased(loan) ? words.releases(loan.loanNumber) : words.releasesNot(loan.loanNumber);
}

/** What a typed balance would change, in words; undefined while it is no amount. */
function changeOf(seen: string, typed: string | number) {
  const before = parsePesos(seen);
  const after = parsePesos(typed);
  if (before === undefined || after === undefined) return undefined;
  const differenceCentavos = centavos(after - before);
  return {
    before: formatPeso(before),
    after: formatPeso(after),
    differenceCentavos,
    difference: signedPeso(differenceCentavos),
  };
}

const signedPeso = (amount: Centavos) => (amount > 0 ? `+${formatPeso(amount)}` : formatPeso(amount));
