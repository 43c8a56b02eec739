import { useState } from 'react';
import * as api from '#contract/api.ts';
import type { StaffLoan } from '#contract/member.ts';
import { NotificationForm } from '#contract/notification.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { call } from '#web/lib/call.ts';
import { useContractForm } from '#web/lib/form.ts';
import { SaveActions } from '#web/panel/lib/save-actions.tsx';
import { useStaffAction } from '#web/panel/lib/staff-action.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextArea, TextField } from '#web/ui/text-field.tsx';
import { borrowerName } from './loan-rules.ts';

const words = panel.notify;

/** Sends the borrower of a loan a message (§notices-to-borrowers). */
export function NotifyDialog({ loan, onClose }: { loan: StaffLoan; onClose: () => void }) {
  const act = useStaffAction();
  const [busy, setBusy] = useState(false);
  const form = useContractForm(NotificationForm, {
    defaultValues: {
      userId: loan.userId,
      title: words.about(loan.loanNumber),
      message: '',
      type: 'loan_update' as const,
    },
  });

  const submit = form.handleSubmit(async (body) => {
    setBusy(true);
    const result = await act(call(api.notifyMember, { body }), {
      done: { title: panel.toasts.success, description: words.sent(borrowerName(loan)) },
      failedTitle: panel.toasts.actionFailed,
      row: { list: api.listMembers, id: loan.userId, gone: panel.together.memberGone },
    });
    setBusy(false);
    if (result.ok) onClose();
    else form.showServerErrors(result.error);
  });

  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Dialog
      open
      closeOnBackdrop={false}
      title={words.title}
      description={words.of(borrowerName(loan))}
      closeLabel={en.shell.close}
      onClose={close}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          {...form.field('title')}
          label={words.subject}
          autoComplete="off"
          maxLength={limits.shortTextMaxLength}
        />
        <TextArea
          {...form.field('message')}
          label={words.message}
          rows={4}
          maxLength={limits.messageMaxLength}
          data-autofocus
        />
        <SaveActions busy={busy} onCancel={close} label={words.send} />
      </form>
    </Dialog>
  );
}
