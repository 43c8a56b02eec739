import { MailIcon, PhoneIcon } from 'lucide-react';
import { buttonStyle } from '#web/ui/button.tsx';
import { MailLink } from '#web/ui/contact-link.tsx';
import { useAccountWords } from './all-words.ts';
import { lender } from './lender.ts';

/** For where calling or writing to the lender is the only way on. */
export function CallSupport() {
  const { help } = useAccountWords();
  const { supportPhone, supportEmail, supportHours } = lender();
  const small = 'max-[22.5rem]:text-14';
  return (
    <div className="flex flex-col gap-2 text-center">
      <a
        href={`tel:${supportPhone.replace(/[^+\d]/g, '')}`}
        className={`${buttonStyle({ size: 'large', wide: true })} ${small}`}
      >
        <PhoneIcon />
        {help.call(supportPhone)}
      </a>
      {supportHours && <p className="text-14 text-ink-soft">{supportHours}</p>}
      <MailLink
        to={supportEmail}
        icon={<MailIcon className="shrink-0" />}
        className={`${buttonStyle({ look: 'quiet', wide: true })} min-w-0 flex-wrap px-0! wrap-anywhere ${small}`}
      />
    </div>
  );
}
