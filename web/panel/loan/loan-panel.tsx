import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { StaffLoan } from '#contract/member.ts';
import { paths } from '#contract/routes.ts';
import { panel } from '#contract/wording/panel.ts';
import { formatsOf, showPeso } from '#web/lib/format.ts';
import { loanStatusTone } from '#web/lib/loan-status.ts';
import { CopyButton } from '#web/panel/lib/copy-button.tsx';
import { viewQuery } from '#web/panel/lib/list-view.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonStyle } from '#web/ui/button.tsx';
import { PanelRow, SidePanel } from '#web/ui/side-panel.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { borrowerName, rateText, releaseText, statusWord } from './loan-text.ts';

const words = panel.loanPanel;
const formats = formatsOf('en');

type Props = {
  loan: StaffLoan;
  onClose: () => void;
  onStatus: () => void;
  onEdit: () => void;
  /** The member's wallet balance, credit score and code, which staff change from here too. */
  money: ReactNode;
};

/** All about one loan, beside the list, and its member's money. */
export function LoanPanel({ loan, onClose, onStatus, onEdit, money }: Props) {
  const released = releaseText(loan);
  const facts = [
    { id: 'amount', label: words.amount, value: showPeso(loan.amount) },
    { id: 'terms', label: words.terms, value: words.termsText(loan.termMonths, rateText(loan)) },
    { id: 'monthly', label: words.monthly, value: showPeso(loan.monthlyPayment) },
    { id: 'purpose', label: words.purpose, value: loan.purpose },
    { id: 'applied', label: words.applied, value: formats.dateTime(loan.createdAt) },
    ...(released === undefined ? [] : [{ id: 'released', label: words.released, value: released }]),
    { id: 'changed', label: words.changed, value: formats.dateTime(loan.updatedAt) },
  ];
  return (
    <SidePanel
      overline={words.overline(loan.loanNumber)}
      title={borrowerName(loan)}
      closeLabel={panel.list.close}
      onClose={onClose}
      actions={
        <>
          <Button look="secondary" size="small" onClick={onEdit}>
            {panel.loans.edit}
          </Button>
          <Button size="small" className="px-1!" onClick={onStatus}>
            {panel.loans.updateStatus}
          </Button>
        </>
      }
    >
      <div className="pb-4">
        <StatusChip tone={loanStatusTone(loan.status)}>{statusWord(loan.status)}</StatusChip>
      </div>
      {loan.isUnagreed && (
        <Banner tone="warn" title={words.unagreed} className="mb-4 p-3.5!">
          {words.unagreedText}
        </Banner>
      )}
      {facts.map(({ id, label, value }) => (
        <PanelRow key={id} label={label} value={value} />
      ))}
      <h3 className="border-t border-line pb-1 pt-5 font-heading text-16 font-bold">{words.member}</h3>
      <PanelRow
        label={panel.memberPanel.phone}
        value={loan.user.phone}
        action={<CopyButton text={loan.user.phone} what={panel.memberForm.phone} />}
      />
      {money}
      <p className="border-t border-line pt-3">
        <Link
          href={`${paths.members}${viewQuery({ search: loan.user.phone, open: loan.user.id })}`}
          className={buttonStyle({ look: 'quiet', size: 'small', wide: true })}
        >
          {words.open}
        </Link>
      </p>
    </SidePanel>
  );
}
