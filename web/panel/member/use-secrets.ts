import { useRef, useState } from 'react';
import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { call } from '#web/lib/call.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { toast } from '#web/lib/toast-store.ts';
import { showOvertaken } from '#web/panel/lib/staff-action.ts';
import { acceptMember, isGone } from '#web/panel/lib/staff-rows.ts';
import { memberRow } from './member-text.tsx';

type Secret = 'otpCode' | 'plainPassword';

/**
 * A member's code and issued password, each shown only when asked for. The server writes down every answer that carries
 * a password (§issued-passwords), so nothing is read before. Draw it anew (a `key`) for another member.
 */
export function useSecrets(memberId: number) {
  const errorText = useErrorText();
  const [shown, setShown] = useState<Partial<Record<Secret, string>>>({});
  const [codeExpiresAt, setCodeExpiresAt] = useState<string | null>(null);
  const [busy, setBusy] = useState<Secret>();
  /** How often one was set here. */
  const timesSet = useRef(0);

  return {
    shown,
    /** Until when the code is good, where the list does not tell. */
    codeExpiresAt,
    busy,
    /** Shows what staff have just set, as the server answered. */
    show(secret: Secret, value: string, member: Member) {
      timesSet.current += 1;
      setShown((before) => ({ ...before, [secret]: value }));
      setCodeExpiresAt(member.otpExpiresAt);
    },
    hide: (secret: Secret) => setShown((before) => ({ ...before, [secret]: undefined })),
    async reveal(secret: Secret) {
      setBusy(secret);
      const timesBefore = timesSet.current;
      try {
        const headers = { Prefer: `secrets=${secret}` };
        const member = await call(api.readMember, { params: { id: memberId }, headers });
        // What was set meanwhile is shown already, and is newer.
        if (timesSet.current !== timesBefore) return setBusy(undefined);
        // A code may have been used, and a password changed, since the list was read: the row then says so.
        acceptMember(member);
        setShown((before) => ({ ...before, [secret]: member[secret] ?? undefined }));
        setCodeExpiresAt(member.otpExpiresAt);
      } catch (error) {
        const row = memberRow(memberId);
        const description = isGone(error) ? row.gone : errorText(error);
        toast({ tone: 'bad', title: panel.memberPanel.revealFailed, description });
        showOvertaken(row, error);
      }
      setBusy(undefined);
    },
  };
}
