import { CopyIcon } from 'lucide-react';
import { useRef, useState } from 'react';
import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { call } from '#web/lib/call.ts';
import { copyText as copy } from '#web/lib/copy-text.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { toast } from '#web/lib/toast-store.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';
import { applyConflict, type StaffRow } from './staff-action.ts';
import { acceptMember, isGone } from './staff-rows.ts';

export type SecretName = 'otpCode' | 'plainPassword';

export type Secret = ReturnType<typeof useSecret>;

/**
 * An account's code or issued password, fetched only on request: the server audits every reply that carries one
 * (§issued-passwords). Use a `key` for another account.
 */
export function useSecret(row: StaffRow, name: SecretName) {
  const errorText = useErrorText();
  const [shown, setShown] = useState<{ value: string | undefined; expiresAt: string | null }>();
  const [busy, setBusy] = useState(false);
  const timesSet = useRef(0);

  return {
    /** Undefined while hidden. */
    value: shown?.value,
    /** When the code expires, where the list does not tell. */
    expiresAt: shown?.expiresAt,
    busy,
    hide: () => setShown((last) => last && { ...last, value: undefined }),

    /** Shows a secret just set, with the server's reply. */
    set(next: string, { otpExpiresAt }: Member) {
      timesSet.current += 1;
      setShown({ value: next, expiresAt: otpExpiresAt });
    },

    async reveal() {
      setBusy(true);
      const timesBefore = timesSet.current;
      try {
        const headers = { Prefer: `secrets=${name}` };
        const member = await call(api.readMember, { params: { id: row.id }, headers });
        // A secret set meanwhile is shown already, and is newer.
        if (timesSet.current !== timesBefore) return setBusy(false);
        // Since the list was read, the code may have been used or the password changed.
        acceptMember(member);
        setShown({ value: member[name] ?? undefined, expiresAt: member.otpExpiresAt });
      } catch (error) {
        const description = isGone(error) ? row.gone : errorText(error);
        toast({ tone: 'bad', title: panel.memberPanel.revealFailed, description });
        applyConflict(row, error);
      }
      setBusy(false);
    },
  };
}

export async function copyText(text: string, what: string): Promise<void> {
  const words = panel.list;
  const done = { title: words.copied, description: words.copiedWhat(what) };
  await copy(text, done, { title: words.copyFailed, description: words.copyByHand });
}

/** The text need not be visible. `what` names it: 'phone number'. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const label = panel.list.copy(what);
  return (
    <Tooltip text={label}>
      <IconButton size="small" label={label} onClick={() => void copyText(text, what)}>
        <CopyIcon />
      </IconButton>
    </Tooltip>
  );
}

type ButtonsProps = {
  /** The secret's name: 'OTP code'. */
  what: string;
  /** Read out after 'Show': ' the OTP code'. */
  of: string;
  secret: Pick<Secret, 'value' | 'hide'> & { busy?: boolean; reveal: () => unknown };
};

export function SecretButtons({ what, of, secret: { value, busy, reveal, hide } }: ButtonsProps) {
  const isHidden = value === undefined;
  return (
    <>
      {!isHidden && <CopyButton text={value} what={what} />}
      <DetailsButton of={of} busy={busy} onClick={() => void (isHidden ? reveal() : hide())}>
        {isHidden ? panel.list.show : panel.list.hide}
      </DetailsButton>
    </>
  );
}

type DetailsButtonProps = {
  children: string;
  /** Read out after it: 'Show' ' the OTP code'. */
  of: string;
  busy?: boolean;
  autoFocus?: boolean;
  onClick: () => void;
};

export function DetailsButton({ children, of, ...rest }: DetailsButtonProps) {
  return (
    <Button {...rest} look="quiet" size="small" className="-my-1.5 px-2">
      <span>
        {children}
        <span className="sr-only">{of}</span>
      </span>
    </Button>
  );
}

/** Without characters easily confused when read out. */
const clearCharacters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const issuedPasswordLength = 12;

/** A number of 32 bits favours none of so few characters noticeably. */
const draw = (alphabet: string, length: number): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(length)), (number) =>
    alphabet.charAt(number % alphabet.length),
  ).join('');

export const randomCode = (length: number): string => draw('0123456789', length);

export const randomPassword = (): string => draw(clearCharacters, issuedPasswordLength);
