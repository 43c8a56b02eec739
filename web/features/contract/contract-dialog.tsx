import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import type { Contract } from '#contract/loan.ts';
import { useAction } from '#web/lib/action.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { call, fetchReply } from '#web/lib/call.ts';
import { codeOf } from '#web/lib/call-error.ts';
import { DownloadButton } from '#web/lib/download-button.tsx';
import type { Language } from '#web/lib/language.tsx';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { QuoteSentence, SettlementCosts, useQuoteRows } from '#web/lib/quote-text.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, type ButtonProps } from '#web/ui/button.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';

/** The contract and disclosure statement of a loan, newest version, in the reader's language (§contract). */
export function ContractDialog({ loanId, onClose }: { loanId: number; onClose: () => void }) {
  const { papers, shell, language } = useAccountWords();
  const read = useRead(api.readLoanContract, {
    params: { id: loanId },
    query: { lang: language },
    anew: true,
  });
  const other = language === 'en' ? 'fil' : 'en';
  return (
    <Dialog onClose={onClose} size="paper" title={papers.contract} closeLabel={shell.close}>
      <PaperStates query={read} paper="contract">
        {(contract) => (
          <>
            <ContractText contract={contract} loanId={loanId} />
            <AcceptVersion contract={contract} loanId={loanId} />
            <span className="-mx-3 mt-3 block">
              <ContractDownload
                loanId={loanId}
                version={contract}
                language={other}
                look="quiet"
                size="compact"
              >
                {papers.downloadOther}
              </ContractDownload>
            </span>
            <DialogActions>
              <ContractDownload loanId={loanId} version={contract} language={language}>
                {papers.download}
              </ContractDownload>
            </DialogActions>
          </>
        )}
      </PaperStates>
    </Dialog>
  );
}

function ContractText({ contract, loanId }: { contract: Contract; loanId: number }) {
  const words = useAccountWords();
  const { apply, contractText, date, dateTime, myLoan, papers, peso, quote, settlements } = words;
  const { lender, borrower, deferral, cancelledOn } = contract;
  const isDisbursed = contract.quote.disbursedOn !== undefined;
  const movedTo = new Map(deferral?.dueDates.map(({ number, dueDate }) => [number, dueDate]));
  // All that was frozen with the loan (§quote).
  const figures = useQuoteRows()(contract.quote);
  const ends = [
    [quote.firstDue, movedTo.get(1)],
    [quote.lastDue, movedTo.get(contract.quote.termMonths)],
  ] as const;
  const movedEnds = ends.map(([term, to]) => ({ term: quote.afterDeferral(term), value: to && date(to) }));
  return (
    <div className="flex flex-col gap-5 sm:gap-8 print:gap-4!">
      <div className="flex flex-col gap-5 sm:gap-1">
        {contract.isSample && <p className="text-14 font-semibold text-warn">{words.shell.sampleRibbon}</p>}
        <p className="text-12 text-ink-soft">{contract.governs}</p>
      </div>
      {cancelledOn && (
        <Banner tone="warn" title={myLoan.cancelled}>
          {myLoan.cancelledText}
        </Banner>
      )}
      <QuoteSentence quote={contract.quote} />
      <AgreementMark contract={contract} />
      <Part title={quote.title} className="sm:[&_dl]:text-16 print:[&_dl]:text-14!">
        <DefinitionRows ruled size={14} rows={[...figures, ...movedEnds]} />
      </Part>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2 sm:gap-10">
        <Part title={papers.lender}>
          <p className="text-14 font-semibold">{lender.name}</p>
          <p className="text-14 text-ink-soft">
            {[
              words.lender.registration(lender.registrationNumber),
              lender.certificateOfAuthorityNumber &&
                words.lender.authority(lender.certificateOfAuthorityNumber),
              words.lender.registered(date(lender.registrationDate)),
            ]
              .filter(Boolean)
              .join('\u00a0· ')}
          </p>
          <p className="text-14 text-ink-soft">{lender.address}</p>
        </Part>
        <Part title={papers.borrower}>
          <p className="text-14 font-semibold">{borrower.fullName}</p>
          <p className="text-14 text-ink-soft">
            <bdi>{borrower.phone}</bdi>
            {borrower.email && ` · ${borrower.email}`}
          </p>
          {borrower.address && <p className="text-14 text-ink-soft">{borrower.address}</p>}
        </Part>
        {!contract.agreement && <p className="text-12 text-ink-soft sm:col-span-2">{papers.partiesToday}</p>}
      </div>
      <Part title={apply.terms}>
        <ul className="flex list-disc flex-col gap-1.5 pl-4.5 text-14 sm:gap-2.5 sm:text-16 print:gap-1! print:text-14!">
          {contract.terms.map((term) => (
            <li key={term}>{term}</li>
          ))}
        </ul>
      </Part>
      {contract.settlements.length > 0 && (
        <Part title={settlements.title} className="sm:[&>dl]:block sm:[&>dl]:columns-2 sm:[&>dl]:gap-10">
          <SettlementCosts settlements={contract.settlements} />
        </Part>
      )}
      <Part title={papers.schedule} className="sm:[&>dl]:block sm:[&>dl]:columns-2 sm:[&>dl]:gap-10">
        <p className="mb-1 text-12 text-ink-soft">
          {!cancelledOn && contractText.dates({ startDate: date(contract.startDate), isDisbursed })}
          {deferral && ` ${contractText.deferred(deferral.months)}`}
        </p>
        <DefinitionRows
          ruled
          size={14}
          rows={contract.quote.schedule.map(({ number, dueDate, amount }) => ({
            term: `${number}. ${date(movedTo.get(number) ?? dueDate)}`,
            value: peso(amount),
          }))}
        />
      </Part>
      <DefinitionRows
        size={14}
        rows={[
          { term: papers.document, value: contract.documentNumber },
          { term: papers.version, value: contract.version },
          { term: papers.issued, value: dateTime(contract.issuedAt) },
          { term: apply.purpose, value: contract.purpose },
        ]}
      />
      <ContractVersions loanId={loanId} versions={contract.versions} />
      <p className="text-12 text-ink-soft wrap-anywhere">
        {papers.fingerprint}: <span className="font-mono">{contract.hash}</span>
        {contract.agreement && (
          <>
            <br />
            {papers.agreementFingerprint}: <span className="font-mono">{contract.agreement.hash}</span>
          </>
        )}
      </p>
    </div>
  );
}

function Part({ title, className, children }: { title: string; className?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={className}>
      <h3 id={id} className="mb-1 font-heading text-16 font-bold break-after-avoid sm:mb-2 sm:text-20">
        {title}
      </h3>
      {children}
    </section>
  );
}

type VersionProps = { contract: Contract; loanId: number };

/** Says that the borrower still has to agree to terms that staff issued, or when they did. */
function AgreementMark({ contract: { agreedAt, issuedAt } }: Pick<VersionProps, 'contract'>) {
  const { papers, dateTime } = useAccountWords();
  if (agreedAt === null) {
    return (
      <p className="rounded-control bg-warn-tint px-4 py-3 text-14 text-warn print:p-0">
        <strong className="block print:inline">{papers.notAgreed}</strong>{' '}
        {papers.notAgreedText(dateTime(issuedAt))}
      </p>
    );
  }
  if (agreedAt === issuedAt) return null;
  const words =
    agreedAt > issuedAt
      ? papers.acceptedOn(dateTime(agreedAt))
      : papers.agreedBefore({ agreed: dateTime(agreedAt), issued: dateTime(issuedAt) });
  return <p className="text-14 text-ink-soft">{words}</p>;
}

/** Accepts the version on screen. At the end of the contract, so that it is read first. */
function AcceptVersion({ contract: { version, agreedAt, replacedAt }, loanId }: VersionProps) {
  const { papers, session } = useAccountWords();
  const [busy, run] = useAction();
  if (agreedAt !== null || replacedAt !== null) return null;

  // Even after a refusal: staff may have issued another version.
  const readAgain = async () => {
    await Promise.all([refreshReads(api.readLoanContract), refreshReads(api.listOwnLoans)]);
  };
  const accept = () =>
    run(
      papers.acceptFailed,
      async () => {
        await call(api.acceptContract, { params: { id: loanId }, body: { version } });
        toast({ title: papers.accepted, description: papers.acceptedText(version) });
        await readAgain();
      },
      readAgain,
    );

  return (
    <div className="mt-5 rounded-card bg-sunken p-4 print:hidden">
      <p className="mb-3 text-14">{papers.acceptText}</p>
      <Button wide busy={busy} busyLabel={session.pleaseWait} onClick={() => void accept()}>
        {papers.accept(version)}
      </Button>
    </div>
  );
}

function ContractVersions({ loanId, versions }: { loanId: number; versions: Contract['versions'] }) {
  const { papers, language, dateTime } = useAccountWords();
  const replaced = versions.filter(({ replacedAt }) => replacedAt !== null);
  if (replaced.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-14 text-ink-soft">
      {replaced.map((older) => (
        <li key={older.version} className="flex flex-wrap items-center justify-between gap-x-3">
          <p>
            {papers.replaced({
              version: older.version + 1,
              replaced: older.version,
              date: dateTime(older.replacedAt ?? ''),
            })}
          </p>
          <span className="-ml-3">
            <ContractDownload loanId={loanId} version={older} language={language} look="quiet" size="compact">
              {papers.downloadVersion(older.version)}
            </ContractDownload>
          </span>
        </li>
      ))}
    </ul>
  );
}

interface ContractDownloadProps extends Pick<ButtonProps, 'look' | 'size' | 'children'> {
  loanId: number;
  version: Pick<Contract['versions'][number], 'version' | 'documentNumber'>;
  language: Language;
}

function ContractDownload({ loanId, version, language, ...rest }: ContractDownloadProps) {
  const { papers } = useAccountWords();
  const query = { lang: language, version: String(version.version) };
  const mark = language === 'en' ? '' : `-${language}`;
  return (
    <DownloadButton
      {...rest}
      fetchFile={() => fetchReply(api.readLoanContractPdf, { params: { id: loanId }, query })}
      fileName={`${version.documentNumber}${mark}.pdf`}
      busyLabel={papers.downloading}
    />
  );
}

export type Paper = 'contract' | 'schedule';

type StatesProps<Data> = {
  query: UseQueryResult<Data>;
  paper: Paper;
  children: (data: Data) => ReactNode;
};

/** A paper's query states. If there is none (for a loan taken over from other books), there is nothing to retry. */
export function PaperStates<Data>({ query, paper, children }: StatesProps<Data>) {
  const { papers } = useAccountWords();
  const [noneTitle, noneText, failedTitle] = {
    contract: [papers.noContract, papers.noContractText, papers.contractFailed] as const,
    schedule: [papers.noSchedule, papers.noScheduleText, papers.scheduleFailed] as const,
  }[paper];
  const isEmpty = Array.isArray(query.data) && query.data.length === 0;
  if (isEmpty || codeOf(query.error) === 'not_found') {
    return <EmptyState title={noneTitle}>{noneText}</EmptyState>;
  }
  return (
    <QueryStates query={query} skeleton={<SkeletonText lines={15} />} failedTitle={failedTitle}>
      {children}
    </QueryStates>
  );
}
