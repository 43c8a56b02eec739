import { useCoreWords } from '#web/lib/language.tsx';
import { lender } from '#web/lib/lender.ts';

/** Who the lender is and where to ask about it, under the pages that visitors see. */
export function LenderFooter() {
  const words = useCoreWords();
  const { name, registrationNumber, address, registryUrl, supportPhone, supportEmail } = lender();
  const link = 'inline-block py-1 underline underline-offset-2 hover:text-ink';
  return (
    <div className="text-12 text-ink-soft">
      <p>{[name, words.lender.registration(registrationNumber), address].join('\u00a0· ')}</p>
      <p>
        <a href={registryUrl} target="_blank" rel="noreferrer" className={link}>
          {words.lender.checkWithRegulator}
        </a>
      </p>
      <p className="flex flex-wrap gap-x-2">
        <span className="py-1">{words.lender.support}</span>
        <a href={`tel:${supportPhone.replaceAll(' ', '')}`} className={link}>
          {supportPhone}
        </a>
        <a href={`mailto:${supportEmail}`} className={link}>
          {supportEmail}
        </a>
      </p>
    </div>
  );
}
