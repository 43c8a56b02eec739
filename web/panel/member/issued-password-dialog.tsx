import type { Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { CopyButton } from '#web/panel/lib/copy-button.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { memberName } from './member-rules.ts';

const words = panel.memberForm;

/** Shows the password of a member just created, once, so that it can be told to them. */
export function IssuedPasswordDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const password = member.plainPassword ?? '';
  return (
    <Dialog
      open
      size="small"
      closeOnBackdrop={false}
      title={words.issuedTitle}
      description={words.issuedText(memberName(member))}
      onClose={onClose}
    >
      <p className="flex items-center justify-between gap-3 rounded-control bg-sunken px-4 py-3">
        <code className="font-mono text-20 font-bold wrap-anywhere">{password}</code>
        <CopyButton text={password} what={panel.memberPanel.password} />
      </p>
      <DialogActions>
        <Button data-autofocus onClick={onClose}>
          {words.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
