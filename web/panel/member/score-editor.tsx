import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import { creditScore } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { call } from '#web/lib/call.ts';
import { useContractForm } from '#web/lib/form.ts';
import { useEditConflict } from '#web/panel/lib/edit-conflict.tsx';
import { useStaffAction } from '#web/panel/lib/staff-action.ts';
import { acceptMember } from '#web/panel/lib/staff-rows.ts';
import { NumberField } from '#web/ui/text-field.tsx';
import { memberRow } from './member-text.tsx';
import type { MoneyHolder } from './money-holder.ts';
import { PanelForm } from './panel-edit.tsx';

const ScoreForm = z.object({ creditScore });
const words = panel.memberPanel;

/** Sets a member's credit score, with the present one in sight. */
export function ScoreEditor({ member, onClose }: { member: MoneyHolder; onClose: () => void }) {
  const act = useStaffAction();
  const [busy, setBusy] = useState(false);
  const [opened] = useState(() => ({ creditScore: member.creditScore }));
  const form = useContractForm(ScoreForm, { defaultValues: opened });
  const conflict = useEditConflict(form, opened, ({ creditScore }) => ({ creditScore: Number(creditScore) }));
  const { setFocus } = form;
  useEffect(() => setFocus('creditScore', { shouldSelect: true }), [setFocus]);

  const submit = form.handleSubmit(async (typed) => {
    const body = conflict.editOf(typed);
    if (!body) return onClose();
    setBusy(true);
    const result = await act(call(api.updateMember, { params: { id: member.id }, body }), {
      done: {
        title: panel.toasts.success,
        description: words.change(String(body.expected?.creditScore), String(typed.creditScore)),
      },
      failedTitle: panel.toasts.updateFailed,
      row: memberRow(member.id),
    });
    setBusy(false);
    if (!result.ok) return conflict.takePresent(result.error) || form.showServerErrors(result.error);
    acceptMember(result.answer);
    onClose();
  });

  const { staffCreditScoreMin: min, staffCreditScoreMax: max } = limits;
  return (
    <PanelForm saveLabel={words.saveScore} busy={busy} onSubmit={submit} onCancel={onClose}>
      {conflict.banner}
      <NumberField
        {...form.field('creditScore', { valueAsNumber: true })}
        dense
        label={words.newScore}
        aside={words.scoreNow(member.creditScore)}
        hint={conflict.note('creditScore') ?? words.scoreHint(min, max)}
        min={min}
        max={max}
        step={1}
      />
    </PanelForm>
  );
}
