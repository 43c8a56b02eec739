import { useCoreWords } from '#web/lib/language.tsx';
import { lender } from '#web/lib/lender.ts';

/**
 * Who the lender is, in the numbers that SEC MC 19, s. 2019 wants on every page; for visitors also where to ask about
 * it. `short` is for pages that lead to the company's details.
 */
export function LenderFooter({ short }: { short: boolean }) {
  const words = useCoreWords().lender;
  const facts = lender();
  const { certificateOfAuthorityNumber: authority, dataProtectionOfficer: officer } = facts;
  const identity = [
    facts.name,
    words.registration(facts.registrationNumber),
    authority && words.authority(authority),
    !short && facts.address,
  ];
  const link = 'inline-block py-1 underline underline-offset-2 hover:text-ink';
  return (
    <div className="text-12 text-ink-soft">
      <p>{identity.filter(Boolean).join('\u00a0· ')}</p>
      <p className="my-1 font-semibold">{words.studyFirst}</p>
      {!short && (
        <>
          <p>
            <a href={facts.registryUrl} target="_blank" rel="noreferrer" className={link}>
              {words.checkWithRegulator}
            </a>
          </p>
          <p className="flex flex-wrap gap-x-2">
            <span className="py-1">{words.support}</span>
            <a href={`tel:${facts.supportPhone.replaceAll(' ', '')}`} className={link}>
              {facts.supportPhone}
            </a>
            <a href={`mailto:${facts.supportEmail}`} className={link}>
              {facts.supportEmail}
            </a>
            {facts.supportHours && <span className="py-1">{facts.supportHours}</span>}
          </p>
          {officer && (
            <p className="flex flex-wrap gap-x-2">
              <span className="py-1">
                {words.officer}: {officer.name}
              </span>
              <a href={`mailto:${officer.email}`} className={link}>
                {officer.email}
              </a>
            </p>
          )}
        </>
      )}
    </div>
  );
}
