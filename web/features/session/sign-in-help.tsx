import { CircleAlertIcon, InfoIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useAccountWords } from '#web/lib/all-words.ts';
import { CallSupport, SupportContact } from '#web/lib/support-contact.tsx';
import type { TokenLoss } from '#web/lib/token.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/text-field.tsx';

/** Says how to reach support: only staff reset passwords, after verifying the caller (§issued-passwords). */
export function ForgotDialog({ onClose }: { onClose: () => void }) {
  const { forgot, session, shell } = useAccountWords();
  return (
    <Dialog onClose={onClose} closeLabel={shell.close} title={session.forgot} description={forgot.text}>
      <CallSupport />
      <h3 className="mt-3 font-semibold">{forgot.have}</h3>
      <ul className="mt-1 list-disc pl-5 text-14">
        {forgot.things.map((thing) => (
          <li key={thing}>{thing}</li>
        ))}
      </ul>
      <p className="mt-3 text-14">{forgot.lostPhone}</p>
      <Banner tone="warn" icon={<CircleAlertIcon />} className="mt-4">
        {forgot.neverAsk}
      </Banner>
    </Dialog>
  );
}

type CodeProps = { field: Pick<ComponentProps<typeof TextField>, 'name' | 'ref' | 'onChange' | 'error'> };

/** Asks staff for the code, once their password was right (§second-step). */
export function SecondStepField({ field }: CodeProps) {
  const { secondStep } = useAccountWords();
  return (
    <div>
      <TextField
        {...field}
        autoFocus
        label={secondStep.code}
        hint={secondStep.hint}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
      />
      <p className="mt-1.5 text-12 text-ink-soft">{secondStep.lost}</p>
    </div>
  );
}

type Props = { onClose: () => void; onGoToLogin: () => void };

/** Says that a phone typed into the registration already has an account (§registering). */
export function AccountExistsDialog({ onClose, onGoToLogin }: Props) {
  const { accountExists, shell } = useAccountWords();
  return (
    <Dialog onClose={onClose} size="small" title={accountExists.title} description={accountExists.text}>
      <DialogActions cancel={{ onClick: onClose, children: shell.cancel }}>
        <Button onClick={onGoToLogin} data-autofocus>
          {accountExists.toLogin}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Stays on the sign-in screen after the toast is gone. */
export function WhySignedOut({ loss }: { loss: TokenLoss }) {
  const { signedOut } = useAccountWords();
  return (
    <Banner tone="warn" icon={<InfoIcon />} title={signedOut.title} action={<SupportContact />}>
      {signedOut[loss]}
    </Banner>
  );
}
