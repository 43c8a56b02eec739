import { useState } from 'react';
import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { call } from '#web/lib/call.ts';
import { CopyButton } from '#web/lib/copy-button.tsx';
import { useErrorText } from '#web/lib/error-text.ts';
import { isGone } from '#web/lib/present.ts';
import { showOvertaken } from '#web/lib/staff-action.ts';
import { acceptMember } from '#web/lib/staff-rows.ts';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';
import { adminRow } from './admin-rules.ts';

const hidden = '••••••••';

/** The password issued to an admin, read only when asked for: every reading is written down. */
export function AdminPassword({ admin }: { admin: Member }) {
  const errorText = useErrorText();
  const [shown, setShown] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function reveal() {
    setBusy(true);
    try {
      const headers = { Prefer: 'secrets=plainPassword' };
      const member = await call(api.readMember, { params: { id: admin.id }, headers });
      acceptMember(member);
      setShown(member.plainPassword ?? undefined);
    } catch (error) {
      const row = adminRow(admin.id);
      const description = isGone(error) ? row.gone : errorText(error);
      toast({ tone: 'bad', title: panel.memberPanel.revealFailed, description });
      showOvertaken(row, error);
    }
    setBusy(false);
  }

  return (
    <span className="flex items-center gap-1">
      <span className={shown === undefined ? '' : 'truncate font-mono'}>{shown ?? hidden}</span>
      {shown !== undefined && <CopyButton text={shown} what={panel.settings.copyPassword} />}
      <Button
        look="quiet"
        size="small"
        className="px-2"
        busy={busy}
        onClick={() => (shown === undefined ? void reveal() : setShown(undefined))}
      >
        <span>
          {shown === undefined ? panel.list.show : panel.list.hide}
          <span className="sr-only">{panel.memberPanel.passwordHidden}</span>
        </span>
      </Button>
    </span>
  );
}
