import { useLocation } from 'wouter';
import { stepPath } from '#contract/routes.ts';
import { below } from '#contract/wording/en-home-below.ts';
import { useWordsOf } from '#web/lib/format.ts';
import { useWords } from '#web/lib/home-words.ts';
import { useVerificationSteps } from '#web/lib/verification-lead.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';

/** Opens instead of the application while profile or documents are incomplete (§verified-account). */
export function VerificationRequiredDialog({ onClose }: { onClose: () => void }) {
  const { errors, shell } = useWords();
  const { verification: words } = useWordsOf(below);
  const [, navigate] = useLocation();
  const steps = useVerificationSteps().filter(({ missing }) => missing > 0);
  return (
    <Dialog
      onClose={onClose}
      size="small"
      title={words.requiredTitle}
      description={errors.verification_required}
    >
      <ul className="divide-y divide-line font-semibold">
        {steps.map(({ title, text }) => (
          <li key={title} className="py-2.5">
            {title}
            <span className="block text-14 font-normal text-ink-soft">{text}</span>
          </li>
        ))}
      </ul>
      <DialogActions cancel={{ onClick: onClose, children: shell.cancel }}>
        <Button onClick={() => navigate(stepPath(steps[0]?.step ?? 'photos'))}>{words.verifyNow}</Button>
      </DialogActions>
    </Dialog>
  );
}
