import type { ReactNode } from 'react';
import { useAccountWords } from '#web/lib/all-words.ts';
import { useFormats } from '#web/lib/format.ts';
import { lender } from '#web/lib/lender.ts';
import { SupportContact } from '#web/lib/support-contact.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** The lender's channels and branches; the account to pay into only its staff can tell. */
type HowToPayProps = {
  loanNumber: string;
  /** None for a part. */
  amount: string | undefined;
  payBy: string | undefined;
  onClose: () => void;
};

export function HowToPay({ loanNumber, amount, payBy, onClose }: HowToPayProps) {
  const { myLoan, papers, payment, shell } = useAccountWords();
  const { date, peso } = useFormats();
  const { payoutChannels, branches = [], supportHours } = lender();
  return (
    <Dialog
      onClose={onClose}
      size="small"
      title={amount ? payment.howToPay : payment.payPart}
      closeLabel={shell.close}
      onlyRead
    >
      <DefinitionRows
        ruled
        rows={[
          { term: papers.amount, value: amount && peso(amount), strong: true },
          { term: myLoan.payBy, value: payBy && date(payBy) },
          { term: myLoan.reference, value: loanNumber },
        ]}
      />
      <div className="mt-3 flex flex-col gap-3 text-14">
        <Ways title={myLoan.payThrough}>
          {payoutChannels.map((channel) => (
            <li key={channel}>{channel}</li>
          ))}
        </Ways>
        {branches.length > 0 && (
          <Ways title={myLoan.payAt}>
            {branches.map(({ name, address, hours }) => (
              <li key={`${name} ${address}`}>
                <p>{name}</p>
                <p className="text-ink-soft">{address}</p>
                <p className="text-ink-soft">{hours}</p>
              </li>
            ))}
          </Ways>
        )}
        <div>
          <p>{myLoan.askWhere}</p>
          <SupportContact className="-ml-0.5" />
          {supportHours && <p className="text-12 text-ink-soft">{supportHours}</p>}
        </div>
        <p className="text-ink-soft">{myLoan.keepProof}</p>
      </div>
    </Dialog>
  );
}

function Ways({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="font-semibold">{title}</h3>
      <ul className="mt-1 list-disc pl-4.5 wrap-anywhere">{children}</ul>
    </div>
  );
}
