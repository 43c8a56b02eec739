import { InfoIcon } from 'lucide-react';
import { below } from '#contract/wording/en-home-below.ts';
import { useWords, useWordsOf } from '#web/lib/home-words.ts';
import { useLanguage } from '#web/lib/language.tsx';
import { lender } from '#web/lib/lender.ts';
import { Banner } from '#web/ui/banner.tsx';
import { MailLink, PhoneLink } from '#web/ui/contact-link.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

export function CompanyDialog({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const { company } = useWordsOf(below);
  const { language } = useLanguage();
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
        <Whereabouts title={words.lender.officer} entries={officer && [officer]} />
        <Whereabouts title={company.branches} entries={branches} />
      </div>
      {facts.isSample && (
        <Banner tone="warn" icon={<InfoIcon />} title={words.shell.sampleRibbon} className="mt-3" />
      )}
    </Dialog>
  );
}

type Entry = Record<'name', string> & Partial<Record<'address' | 'hours' | 'phone' | 'email', string>>;

/** Where people of the lender are, and how to reach them. */
function Whereabouts({ title, entries = [] }: { title: string; entries?: readonly Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <section aria-label={title} className="text-14 text-ink-soft">
      <h3 className="mb-1 font-heading text-16 font-bold text-ink">{title}</h3>
      <ul className="flex flex-col gap-2 wrap-anywhere">
        {entries.map(({ name, address, hours, phone, email }) => (
          <li key={`${name} ${address}`}>
            <p className="font-semibold text-ink">{name}</p>
            <p>{address}</p>
            <p>{hours}</p>
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
