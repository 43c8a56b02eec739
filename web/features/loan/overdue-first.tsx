import { PhoneIcon } from 'lucide-react';
import type { Loan } from '#contract/loan.ts';
import { below } from '#contract/wording/en-home-below.ts';
import { useWordsOf } from '#web/lib/format.ts';
import { useWords } from '#web/lib/home-words.ts';
import { lender } from '#web/lib/lender.ts';
import { buttonStyle } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { PhoneLink } from '#web/ui/contact-link.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** Why the app offers no application while a loan is overdue, and whom to call (§dashboard); `onClose`: in a dialog. */
export function OverdueFirst({ loan, onClose }: { loan: Loan; onClose?: () => void }) {
  const { dashboard, shell } = useWords();
  const { apply } = useWordsOf(below);
  const { supportHours, supportPhone } = lender();
  const why = apply.overdueFirst(loan.loanNumber);
  const call = (
    <div className="text-center">
      <PhoneLink
        to={supportPhone}
        icon={<PhoneIcon />}
        className={buttonStyle({ look: 'secondary', wide: true })}
        asks={dashboard.call}
      />
      {supportHours && <p className="mt-2 text-14 text-ink-soft">{supportHours}</p>}
    </div>
  );
  if (onClose) {
    return (
      <Dialog size="small" title={apply.title} description={why} closeLabel={shell.close} onClose={onClose}>
        {call}
      </Dialog>
    );
  }
  return (
    <Card className="flex flex-col justify-between gap-4">
      <p>{why}</p>
      {call}
    </Card>
  );
}
