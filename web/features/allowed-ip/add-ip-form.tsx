import { useState } from 'react';
import * as api from '#contract/api.ts';
import { AllowedIpForm } from '#contract/staff.ts';
import { panel } from '#contract/wording/panel.ts';
import { call } from '#web/lib/call.ts';
import { useContractForm } from '#web/lib/form.ts';
import { showFormFailure } from '#web/lib/form-failure.ts';
import { refreshReads } from '#web/lib/query.tsx';
import { useStaffAction } from '#web/lib/staff-action.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';

const words = panel.allowedIps;

/** Allows an address or a range; the caller's own is added with the first one (contract section 6, Allowed IPs). */
export function AddIpForm() {
  const act = useStaffAction();
  const [busy, setBusy] = useState(false);
  const form = useContractForm(AllowedIpForm, { defaultValues: { ipAddress: '', description: '' } });

  const submit = form.handleSubmit(async (body) => {
    setBusy(true);
    const result = await act(call(api.addAllowedIp, { body }), {
      done: (added) => ({ title: words.added, description: words.addedText(added.ipAddress) }),
      failedTitle: words.addFailedTitle,
      fallback: words.addFailed,
    });
    setBusy(false);
    if (!result.ok) return showFormFailure(form, result.error);
    form.reset();
    // Read again rather than added to: the caller's own address may have come with it.
    void refreshReads(api.listAllowedIps);
  });

  return (
    <form noValidate onSubmit={submit} className="flex items-start gap-3">
      <TextField
        {...form.field('ipAddress')}
        dense
        label={words.address}
        hint={words.addressHint}
        autoComplete="off"
        spellCheck={false}
        fieldClassName="min-w-0 flex-1"
      />
      <TextField
        {...form.field('description')}
        dense
        label={words.description}
        autoComplete="off"
        fieldClassName="min-w-0 flex-1"
      />
      <Button
        type="submit"
        size="small"
        className="mt-6.5 shrink-0"
        busy={busy}
        busyLabel={panel.list.saving}
      >
        {words.submit}
      </Button>
    </form>
  );
}
