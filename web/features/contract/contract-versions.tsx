import type { Contract } from '#contract/loan.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { useFormats } from '#web/lib/format.ts';
import { useLanguage } from '#web/lib/language.tsx';
import { ContractDownload } from './contract-download.tsx';

/** When a version replaced the one before it, with the way to what it said. Nothing while there is only one. */
export function ContractVersions({ loanId, versions }: { loanId: number; versions: Contract['versions'] }) {
  const { papers } = useAccountWords();
  const { language } = useLanguage();
  const { dateTime } = useFormats();
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
