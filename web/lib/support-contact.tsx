import { MailIcon, PhoneIcon } from 'lucide-react';
import { buttonStyle } from '#web/ui/button.tsx';
import { MailLink, PhoneLink } from '#web/ui/contact-link.tsx';
import { useAccountWords } from './all-words.ts';
import { lender } from './lender.ts';

const link =
  'inline-flex min-h-11 items-center gap-1 rounded-control px-0.5 font-semibold text-leaf underline underline-offset-2 hover:bg-leaf-tint [&_svg]:size-3.5 [&_svg]:shrink-0';

export function SupportContact({ className = '-ml-0.5' }: { className?: string }) {
  const { supportPhone, supportEmail } = lender();
  return (
    <p className={`flex flex-wrap gap-x-2.5 text-12 ${className}`}>
      <PhoneLink to={supportPhone} icon={<PhoneIcon />} className={link} />
      <MailLink to={supportEmail} icon={<MailIcon />} className={`${link} wrap-anywhere`} />
    </p>
  );
}

/** Offers to call or write to the lender where nothing else leads on. */
export function CallSupport() {
  const { dashboard } = useAccountWords();
  const { supportPhone, supportEmail, supportHours } = lender();
  const small = 'max-[22.5rem]:text-14';
  return (
    <div className="flex flex-col gap-2 text-center">
      <a
        href={`tel:${supportPhone.replace(/[^+\d]/g, '')}`}
        className={`${buttonStyle({ size: 'large', wide: true })} ${small}`}
      >
        <PhoneIcon />
        {dashboard.call(supportPhone)}
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
