import { useState } from 'react';
import { panel } from '#contract/wording/panel.ts';
import { OwnPasswordForm } from '#web/features/session/own-password-form.tsx';
import { StaffSignInForm } from '#web/features/session/staff-sign-in-form.tsx';
import { useSession } from '#web/lib/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** Shown when a staff session ends mid-work; the page underneath keeps what was typed. */
export function SessionEndedDialog({ onSignedInAgain }: { onSignedInAgain: () => void }) {
  const session = useSession();
  const open = session.state === 'signedIn' && session.isExpired;
  const words = panel.sessionEnded;
  return (
    // Esc is ignored: behind the dialog every call would be refused.
    <Dialog
      open={open}
      onClose={() => undefined}
      closeOnBackdrop={false}
      title={words.title}
      description={words.text}
    >
      <StaffSignInForm
        username={session.state === 'signedIn' ? (session.user.email ?? session.user.phone) : ''}
        onSignedIn={(opened) => {
          opened.enter();
          onSignedInAgain();
        }}
      />
      <Button look="quiet" wide className="mt-2" onClick={session.signOut}>
        {words.signOut}
      </Button>
    </Dialog>
  );
}

/** Asks staff with an issued password to set their own; if postponed, it returns at the next visit. */
export function OwnPasswordDialog() {
  const session = useSession();
  const [putOff, setPutOff] = useState(false);
  const words = panel.ownPassword;
  const asked = session.state === 'signedIn' && !session.isExpired && session.user.mustChangePassword;
  return (
    <Dialog
      open={asked && !putOff}
      onClose={() => setPutOff(true)}
      closeOnBackdrop={false}
      title={words.title}
      description={words.text}
    >
      <OwnPasswordForm
        onDone={() => setPutOff(true)}
        cancel={
          <Button look="secondary" onClick={() => setPutOff(true)}>
            {words.later}
          </Button>
        }
      />
    </Dialog>
  );
}
