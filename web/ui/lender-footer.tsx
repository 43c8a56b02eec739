import type { Lender } from '#contract/lender.ts';
import type { CoreWording } from '#contract/wording/en-sign-in.ts';
import { MailLink, PhoneLink } from './contact-link.tsx';

type LenderFooterProps = { lender: Lender; words: CoreWording['lender']; short: boolean };

/**
 * The lender's identity with the registration numbers that SEC MC 19, s. 2019 requires on every page; visitors also see
 * how to contact the lender. `short` is for pages that link to the company's details.
 */
export function LenderFooter({ lender, words, short }: LenderFooterProps) {
  const { certificateOfAuthorityNumber: authority, dataProtectionOfficer: officer } = lender;
  const identity = [
    lender.name,
    words.registration(lender.registrationNumber),
    authority && words.authority(authority),
    !short && lender.address,
  ];
  const link = 'inline-block py-1 underline underline-offset-2 hover:text-ink';
  return (
    <div className="text-12 text-ink-soft">
      <p className="flex flex-wrap gap-x-4">
        {identity.filter(Boolean).map((fact) => (
          <span key={String(fact)}>{fact}</span>
        ))}
      </p>
      <p className="my-1 font-semibold">{words.studyFirst}</p>
      {!short && (
        <>
          <p>
            <a href={lender.registryUrl} target="_blank" rel="noreferrer" className={link}>
              {words.checkWithRegulator}
            </a>
          </p>
          <p className="flex flex-wrap gap-x-2">
            <span className="py-1">{words.support}</span>
            <PhoneLink to={lender.supportPhone} className={link} />
            <MailLink to={lender.supportEmail} className={link} />
            {lender.supportHours && <span className="py-1">{lender.supportHours}</span>}
          </p>
          {officer && (
            <p className="flex flex-wrap gap-x-2">
              <span className="py-1">
                {words.officer}: {officer.name}
              </span>
              <MailLink to={officer.email} className={link} />
            </p>
          )}
        </>
      )}
    </div>
  );
}
