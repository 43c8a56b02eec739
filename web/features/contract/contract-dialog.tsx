import { type ReactNode, useId } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import type { Contract } from '#contract/loan.ts';
import { fixedPercentText } from '#domain/rates.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { useFormats } from '#web/lib/format.ts';
import { useLanguage } from '#web/lib/language.tsx';
import { useRead } from '#web/lib/query.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { DownloadButton } from './download-button.tsx';
import { PaperReading } from './paper-reading.tsx';

/** The contract of a loan as it was agreed to, newest version (contract section 7). */
export function ContractDialog({ loanId, onClose }: { loanId: number; onClose: () => void }) {
  const { papers, shell } = useAccountWords();
  const read = useRead(api.readLoanContract, { params: { id: loanId } });
  return (
    <Dialog open onClose={onClose} title={papers.contract} closeLabel={shell.close}>
      <PaperReading read={read} noneTitle={papers.noContract} noneText={papers.noContractText}>
        {(contract) => (
          <>
            <ContractText contract={contract} />
            <DialogActions>
              <DownloadButton loanId={loanId} fileName={`${contract.documentNumber}.pdf`} />
            </DialogActions>
          </>
        )}
      </PaperReading>
    </Dialog>
  );
}

function ContractText({ contract }: { contract: Contract }) {
  const { apply, papers, quote: words, shell } = useAccountWords();
  const { language } = useLanguage();
  const { date, dateTime } = useFormats();
  const { lender, borrower } = contract;
  return (
    <div className="flex flex-col gap-5">
      {contract.isSample && <p className="text-14 font-semibold text-warn">{shell.sampleRibbon}</p>}
      <DefinitionRows
        size={14}
        rows={[
          { id: 'document', term: papers.document, value: contract.documentNumber },
          { id: 'issued', term: papers.issued, value: dateTime(contract.issuedAt) },
          { id: 'purpose', term: papers.purpose, value: contract.purpose },
        ]}
      />
      <Part title={papers.lender}>
        <p className="text-14 font-semibold">{lender.name}</p>
        <p className="text-14 text-ink-soft">
          {[lender.registrationNumber, date(lender.registrationDate), lender.status].join(' · ')}
        </p>
        <p className="text-14 text-ink-soft">{lender.address}</p>
      </Part>
      <Part title={papers.borrower}>
        <p className="text-14 font-semibold">{borrower.fullName}</p>
        <p className="text-14 text-ink-soft">
          {[borrower.phone, borrower.email].filter(Boolean).join(' · ')}
        </p>
        {borrower.address && <p className="text-14 text-ink-soft">{borrower.address}</p>}
      </Part>
      <Part title={words.title}>
        <Figures contract={contract} />
      </Part>
      <Part title={apply.terms}>
        <ul className="flex list-disc flex-col gap-1.5 pl-4.5 text-14">
          {useTerms(contract).map((term) => (
            <li key={term}>{term}</li>
          ))}
        </ul>
        {language !== 'en' && <p className="mt-2 text-12 text-ink-soft">{papers.englishBinds}</p>}
      </Part>
      <p className="text-12 text-ink-soft wrap-anywhere">
        {papers.fingerprint}: <span className="font-mono">{contract.hash}</span>
      </p>
    </div>
  );
}

/** Every figure that was frozen with the loan; percentages with two decimals (contract section 7). */
function Figures({ contract: { quote } }: { contract: Contract }) {
  const { application, apply, landing, papers, quote: words } = useAccountWords();
  const { peso, date } = useFormats();
  const { perMonth } = landing.cost;
  const percent = (text: string) => fixedPercentText(Number(text), 2);
  const rows: [term: string, value: string][] = [
    [application.amount, peso(quote.amount)],
    [words.upfrontCharges, peso(quote.upfrontCharges)],
    [words.netProceeds, peso(quote.netProceeds)],
    [apply.term, String(quote.termMonths)],
    [landing.cost.monthly, peso(quote.monthlyPayment)],
    [landing.cost.total, peso(quote.totalPayment)],
    [landing.cost.costOfCredit, peso(quote.costOfCredit)],
    [words.interest, words.addOn(String(quote.interestRate))],
    [landing.cost.effectiveRate, perMonth(percent(quote.effectiveMonthlyRate))],
    [words.effectiveYear, words.perYear(percent(quote.effectiveAnnualRate))],
    [words.simpleYear, words.perYear(percent(quote.simpleAnnualRate))],
    [papers.lateCharge, perMonth(String(quote.lateChargeRate))],
    [words.firstDue, date(quote.firstDueDate)],
    [words.lastDue, date(quote.lastDueDate)],
  ];
  return <DefinitionRows ruled size={14} rows={rows.map(([term, value]) => ({ id: term, term, value }))} />;
}

/** The terms as the server states them; in another language the same sentences from the same figures. */
function useTerms({ terms, quote, startDate }: Contract): readonly string[] {
  const { contractText } = useAccountWords();
  const { language } = useLanguage();
  const { peso, date } = useFormats();
  if (language === 'en') return terms;
  return [
    contractText.instalments({ count: String(quote.termMonths), amount: peso(quote.monthlyPayment) }),
    contractText.firstPayment({ startDate: date(startDate) }),
    contractText.lateCharge({ percent: String(quote.lateChargeRate) }),
    contractText.freePrepayment,
    contractText.noFees,
  ];
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-1 font-heading text-16 font-bold">
        {title}
      </h3>
      {children}
    </section>
  );
}
