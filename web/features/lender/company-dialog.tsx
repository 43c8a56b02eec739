import { useLanguage } from '#web/lib/language.tsx';
import { lender } from '#web/lib/lender.ts';
import { useWords } from '#web/lib/words.ts';
import { Banner } from '#web/ui/banner.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { InfoIcon } from '#web/ui/icons.tsx';

/** The lender's registration facts, as they stand in the registry (spec section 1). */
export function CompanyDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const words = useWords();
  const { language } = useLanguage();
  const facts = lender();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="small"
      title={words.lender.details}
      closeLabel={words.shell.close}
      onlyRead
    >
      <DefinitionRows
        ruled
        rows={[
          { id: 'name', term: words.lender.companyName, value: facts.name },
          { id: 'number', term: words.lender.registrationNumber, value: facts.registrationNumber },
          {
            id: 'date',
            term: words.lender.registrationDate,
            value: wholeDate(facts.registrationDate, language),
          },
          { id: 'status', term: words.lender.status, value: facts.status },
          { id: 'address', term: words.lender.address, value: facts.address },
        ]}
      />
      {facts.isSample && (
        <Banner tone="warn" icon={<InfoIcon />} title={words.shell.sampleRibbon} className="mt-3" />
      )}
    </Dialog>
  );
}

/** `14 November 2014`: as the registry writes it, with the month in full. A calendar day has no time zone to err in. */
function wholeDate(date: string, language: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  const month = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(day);
  return `${day.getUTCDate()} ${month} ${day.getUTCFullYear()}`;
}
