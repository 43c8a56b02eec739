import { InfoIcon } from 'lucide-react';
import { useId } from 'react';
import { useWords } from '#web/lib/home-words.ts';
import { useLanguage } from '#web/lib/language.tsx';
import { lender } from '#web/lib/lender.ts';
import { Banner } from '#web/ui/banner.tsx';
import { MailLink, PhoneLink } from '#web/ui/contact-link.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

export function CompanyDialog({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const { language } = useLanguage();
  const facts = lender();
  const { dataProtectionOfficer: officer, branches = [] } = facts;
  return (
    <Dialog
      onClose={onClose}
      size="small"
      title={words.lender.details}
      closeLabel={words.shell.close}
      onlyRead
    >
      <DefinitionRows
        ruled
        rows={[
          { term: words.lender.companyName, value: facts.name },
          { term: words.lender.registrationNumber, value: facts.registrationNumber },
          { term: words.lender.authorityNumber, value: facts.certificateOfAuthorityNumber },
          { term: words.lender.registrationDate, value: wholeDate(facts.registrationDate, language) },
          { term: words.lender.status, value: facts.status },
          { term: words.lender.address, value: facts.address },
          { term: words.lender.hours, value: facts.supportHours },
        ]}
      />
      <Whereabouts title={words.lender.officer} entries={officer ? [officer] : []} />
      <Whereabouts title={words.lender.branches} entries={branches} />
      {facts.isSample && (
        <Banner tone="warn" icon={<InfoIcon />} title={words.shell.sampleRibbon} className="mt-3" />
      )}
    </Dialog>
  );
}

type Entry = Record<'name', string> & Partial<Record<'address' | 'hours' | 'phone' | 'email', string>>;

function Whereabouts({ title, entries }: { title: string; entries: readonly Entry[] }) {
  const id = useId();
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby={id} className="text-14">
      <h3 id={id} className="mb-1 mt-4 font-heading text-16 font-bold">
        {title}
      </h3>
      <ul className="flex flex-col gap-2.5">
        {entries.map(({ name, address, hours, phone, email }) => (
          <li key={`${name} ${address}`} className="wrap-anywhere">
            <p className="font-semibold">{name}</p>
            {address && <p className="text-ink-soft">{address}</p>}
            {hours && <p className="text-ink-soft">{hours}</p>}
            {(phone || email) && (
              <p className="flex flex-wrap gap-x-4">
                {phone && <PhoneLink to={phone} className={link} />}
                {email && <MailLink to={email} className={link} />}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const link = 'inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2';

/** `14 November 2014`, as in the registry. Formatted in UTC, since a calendar day has no time zone. */
function wholeDate(date: string, language: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  const month = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(day);
  return `${day.getUTCDate()} ${month} ${day.getUTCFullYear()}`;
}
