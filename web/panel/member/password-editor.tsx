import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import { issuedPassword, type Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { call } from '#web/lib/call.ts';
import { useContractForm } from '#web/lib/form.ts';
import { randomPassword } from '#web/panel/lib/random-secret.ts';
import { useStaffAction } from '#web/panel/lib/staff-action.ts';
import { acceptMember } from '#web/panel/lib/staff-rows.ts';
import { TextField } from '#web/ui/text-field.tsx';
import { memberRow } from './member-text.tsx';
import { PanelForm, QuietButton } from './panel-edit.tsx';

const PasswordForm = z.object({ password: issuedPassword });
const words = panel.memberPanel;

type Props = { member: Member; onSaved: (password: string, member: Member) => void; onClose: () => void };

/** Sets a member's password. It is typed in sight: staff have to tell it to the member. */
export function PasswordEditor({ member, onSaved, onClose }: Props) {
  const act = useStaffAction();
  const [busy, setBusy] = useState(false);
  const form = useContractForm(PasswordForm, { defaultValues: { password: '' } });
  const { setFocus } = form;
  useEffect(() => setFocus('password'), [setFocus]);

  const submit = form.handleSubmit(async (body) => {
    setBusy(true);
    const result = await act(call(api.updateMember, { params: { id: member.id }, body }), {
      done: { title: words.passwordUpdated, description: panel.list.tellsMember },
      failedTitle: panel.toasts.updateFailed,
      row: memberRow(member.id),
    });
    setBusy(false);
    if (!result.ok) return void form.showServerErrors(result.error);
    acceptMember(result.answer);
    onSaved(body.password, result.answer);
    onClose();
  });

  return (
    <PanelForm saveLabel={words.savePassword} busy={busy} onSubmit={submit} onCancel={onClose}>
      <TextField
        {...form.field('password')}
        dense
        label={words.newPassword}
        hint={words.passwordHint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aside={
          <QuietButton of={words.passwordHidden} onClick={() => form.setValue('password', randomPassword())}>
            {panel.list.generate}
          </QuietButton>
        }
      />
    </PanelForm>
  );
}
