import { CopyIcon } from 'lucide-react';
import { panel } from '#contract/wording/panel.ts';
import { toast } from '#web/lib/toast-store.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';

/** The text need not be visible. `what` names it: 'phone number'. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const words = panel.list;
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: words.copied, description: words.copiedWhat(what) });
    } catch {
      // No permission, or the page is not served over HTTPS.
      toast({ tone: 'bad', title: words.copyFailed, description: words.copyByHand });
    }
  }
  const label = words.copy(what);
  return (
    <Tooltip text={label}>
      <IconButton size="small" label={label} onClick={() => void copy()}>
        <CopyIcon />
      </IconButton>
    </Tooltip>
  );
}
