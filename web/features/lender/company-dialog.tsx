import { InfoIcon } from 'lucide-react';
import { below } from '#contract/wording/en-home-below.ts';
import { useWordsOf } from '#web/lib/format.ts';
import { useWords } from '#web/lib/home-words.ts';
import { lender } from '#web/lib/lender.ts';
import { Banner } from '#web/ui/banner.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Places } from '#web/ui/places.tsx';

export function CompanyDialog({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const { company, language } = useWordsOf(below);
  const facts = lender();
  const { dataProtectionOfficer: officer, branches } = facts;
  return (
    <Dialog onClose={onClose} size="small" title={company.details} closeLabel={words.shell.close} onlyRead>
      {/* Most values are longer than the line beside their label. */}
      <div className="[&_dl>div]:block">
        <DefinitionRows
          ruled
          rows={[
            { term: company.companyName, value: facts.name },
            { term: company.authorityNumber, value: facts.certificateOfAuthorityNumber },
            { term: company.registrationNumber, value: facts.registrationNumber },
            { term: company.registrationDate, value: wholeDate(facts.registrationDate, language) },
            { term: company.status, value: facts.status },
            { term: company.address, value: facts.address },
            { term: company.hours, value: facts.supportHours },
          ]}
        />
      </div>
      <div className="mt-4 flex flex-col gap-4">
        <Places title={words.lender.officer} places={officer && [officer]} />
        <Places title={company.branches} places={branches} />
      </div>
      {facts.isSample && (
        <Banner tone="warn" icon={<InfoIcon />} title={words.shell.sampleRibbon} className="mt-3" />
      )}
    </Dialog>
  );
}

/** `14 November 2014`, as in the registry. Formatted in UTC, since a calendar day has no time zone. */
function wholeDate(date: string, language: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  const month = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(day);
  return `${day.getUTCDate()} ${month} ${day.getUTCFullYear()}`;
}
