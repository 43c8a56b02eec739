import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import { issuedCode, type Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { call } from '#web/lib/call.ts';
import { useContractForm } from '#web/lib/form.ts';
import { randomCode } from '#web/panel/lib/random-secret.ts';
import { useStaffAction } from '#web/panel/lib/staff-action.ts';
import { acceptMember } from '#web/panel/lib/staff-rows.ts';
import { TextField } from '#web/ui/text-field.tsx';
import { memberRow } from './member-text.tsx';
import type { MoneyHolder } from './money-holder.ts';
import { PanelForm, QuietButton } from './panel-edit.tsx';

const CodeForm = z.object({ otpCode: issuedCode });
const words = panel.memberPanel;

type Props = { member: MoneyHolder; onSaved: (code: string, member: Member) => void; onClose: () => void };

/** Sets a member's one-time code (§one-time-codes). */
export function CodeEditor({ member, onSaved, onClose }: Props) {
  const act = useStaffAction();
  const [busy, setBusy] = useState(false);
  const form = useContractForm(CodeForm, { defaultValues: { otpCode: '' } });
  const { setFocus } = form;
  useEffect(() => setFocus('otpCode'), [setFocus]);

  const submit = form.handleSubmit(async (body) => {
    setBusy(true);
    const result = await act(call(api.updateMember, { params: { id: member.id }, body }), {
      done: { title: words.otpUpdated, description: panel.list.tellsMember },
      failedTitle: panel.toasts.updateFailed,
      row: memberRow(member.id),
    });
    setBusy(false);
    if (!result.ok) return void form.showServerErrors(result.error);
    acceptMember(result.answer);
    onSaved(body.otpCode, result.answer);
    onClose();
  });

  return (
    <PanelForm saveLabel={words.saveOtp} busy={busy} onSubmit={submit} onCancel={onClose}>
      <TextField
        {...form.field('otpCode', { setValueAs: (typed) => typed.replace(/\s/g, '') })}
        dense
        label={words.newOtp}
        hint={words.otpHint(limits.otpLength)}
        inputMode="numeric"
        autoComplete="off"
        aside={
          <QuietButton
            of={words.codeHidden}
            onClick={() => form.setValue('otpCode', randomCode(limits.otpLength))}
          >
            {panel.list.generate}
          </QuietButton>
        }
      />
    </PanelForm>
  );
}
