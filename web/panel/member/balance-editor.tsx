import { useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import { BalanceReason, balance, type StaffLoan } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { centavos, formatPeso, parsePesos } from '#domain/money.ts';
import { CallError } from '#web/lib/call-error.ts';
import { useFormValues } from '#web/lib/form.ts';
import { showPeso } from '#web/lib/format.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { typedAmount } from '#web/lib/typed-amount.ts';
import { PanelForm } from '#web/panel/lib/details.tsx';
import { ConfirmDialog } from '#web/panel/lib/dialogs.tsx';
import { useStaffForm } from '#web/panel/lib/staff-action.ts';
import { acceptMember, acceptPresent, findMemberRow } from '#web/panel/lib/staff-rows.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { type MoneyHolder, memberName, memberRow } from './member-text.tsx';

const BalanceForm = z.object({ balance, reason: BalanceReason });
type Typed = z.input<typeof BalanceForm>;

const words = panel.memberPanel;

type Props = {
  member: MoneyHolder;
  /** The loan whose details it is edited in, which a disbursement then pays out. */
  loan?: StaffLoan | undefined;
  onClose: () => void;
};

/**
 * Sets a member's balance. The request carries the balance on screen; if it has changed since, nothing is overwritten:
 * the form says what changed, keeps what was typed, and the next try starts from the new balance.
 */
export function BalanceEditor({ member, loan, onClose }: Props) {
  const { stop, send } = useMoneyCall(api.updateMember);
  const [seen, setSeen] = useState(member.balance);
  const [moved, setMoved] = useState<string>();
  const [asked, setAsked] = useState<Typed>();
  const isUnpaid = loan?.status === 'approved' && loan.releasedAt === null;
  const form = useStaffForm(BalanceForm, {
    balance: '',
    reason: isUnpaid ? 'disbursement' : 'admin_adjustment',
  } as Typed);
  const typed = useFormValues(form);
  const change = changeOf(seen, typed.balance);

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
    const result = await form.save(send({ params: { id: member.id }, body }), {
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
    if (!(result.error instanceof CallError && result.error.code === 'balance_changed')) return;
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
        <ConfirmDialog
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

/** Which loan a disbursement pays out. */
function releaseHint(loan: StaffLoan | undefined): string {
  if (!loan) return words.releasesNewest;
  return mayBeReleased(loan) ? words.releases(loan.loanNumber) : words.releasesNot(loan.loanNumber);
}

/** What the typed balance would change; undefined while it is not an amount. */
function changeOf(seen: string, typed: string | number) {
  const before = parsePesos(seen);
  const after = parsePesos(typed);
  if (before === undefined || after === undefined) return undefined;
  const differenceCentavos = centavos(after - before);
  return {
    before: formatPeso(before),
    after: formatPeso(after),
    differenceCentavos,
    difference: `${differenceCentavos > 0 ? '+' : ''}${formatPeso(differenceCentavos)}`,
  };
}
