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
      <p>{unbroken(identity.filter(Boolean).join('\u00a0· '))}</p>
      <p className="my-1 font-semibold">{words.studyFirst}</p>
      {!short && (
        <p className="flex flex-wrap items-center gap-x-3">
          <a href={lender.registryUrl} target="_blank" rel="noreferrer" className={link}>
            {words.checkWithRegulator}
          </a>
          <MailLink to={lender.supportEmail} className={link} />
          <PhoneLink to={lender.supportPhone} className={link} />
          {lender.supportHours && <span>{lender.supportHours}</span>}
          {officer && (
            <span>
              {words.officer}: <MailLink to={officer.email} className={link} />
            </span>
          )}
        </p>
      )}
    </div>
  );
}

/** Keeps a word with a hyphen in one line. */
export const unbroken = (text: string) =>
  text.split(/(\S+-\S+)/).map((part) =>
    part.includes('-') ? (
      <span key={part} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
