import { MailIcon, PhoneIcon } from 'lucide-react';
import { MailLink, PhoneLink } from '#web/ui/contact-link.tsx';
import { lender } from './lender.ts';

const link =
  'inline-flex min-h-11 items-center gap-1 rounded-control px-0.5 font-semibold text-leaf underline underline-offset-2 hover:bg-leaf-tint [&_svg]:size-3.5 [&_svg]:shrink-0';

export function SupportContact({ className = 'justify-center' }: { className?: string }) {
  const { supportPhone, supportEmail } = lender();
  return (
    <p className={`flex flex-wrap gap-x-2.5 text-12 ${className}`}>
      <PhoneLink to={supportPhone} icon={<PhoneIcon />} className={link} />
      <MailLink to={supportEmail} icon={<MailIcon />} className={`${link} wrap-anywhere`} />
    </p>
  );
}
