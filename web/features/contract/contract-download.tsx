import * as api from '#contract/borrower-endpoints.ts';
import type { Contract } from '#contract/loan.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { fetchReply } from '#web/lib/call.ts';
import { DownloadButton } from '#web/lib/download-button.tsx';
import type { Language } from '#web/lib/language.tsx';
import type { ButtonProps } from '#web/ui/button.tsx';

interface ContractDownloadProps extends Pick<ButtonProps, 'look' | 'size' | 'children'> {
  loanId: number;
  version: Pick<Contract['versions'][number], 'version' | 'documentNumber'>;
  language: Language;
}

/** Saves a version of the contract as a PDF, in one of its languages. */
export function ContractDownload({ loanId, version, language, ...rest }: ContractDownloadProps) {
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
