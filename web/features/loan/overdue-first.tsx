import { PhoneIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Loan } from '#contract/loan.ts';
import { below } from '#contract/wording/en-home-below.ts';
import { useWordsOf } from '#web/lib/format.ts';
import { useWords } from '#web/lib/home-words.ts';
import { brand, lender } from '#web/lib/lender.ts';
import { buttonStyle } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { PhoneLink } from '#web/ui/contact-link.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';

type OverdueFirstProps = {
  loan: Loan;
  /** Given, it is a dialog. */
  onClose?: () => void;
  /** The rest of the page, which folds to one row and is fetched once that is opened. */
  children?: ReactNode;
};

/** Why the app offers no application while a loan is overdue, and whom to call (§dashboard). */
export function OverdueFirst({ loan, onClose, children }: OverdueFirstProps) {
  const { dashboard, shell } = useWords();
  const { apply, moreFrom } = useWordsOf(below);
  const [isOpen, setOpen] = useState(false);
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
    <>
      <Card className="flex flex-wrap items-center justify-between gap-4 *:flex-[1_1_min(16rem,100%)]">
        <p>{why}</p>
        {call}
      </Card>
      <div className="[&_summary]:rounded-card [&_summary]:bg-card [&_summary]:px-card [&_summary]:text-16 [&_summary]:shadow-soft">
        <Disclosure title={moreFrom(brand().name)} isOpen={isOpen} onOpen={setOpen}>
          <div className="pt-3.5 text-16">{isOpen && children}</div>
        </Disclosure>
      </div>
    </>
  );
}
