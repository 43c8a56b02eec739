import type { ReactNode } from 'react';

type LinkProps = { to: string; icon?: ReactNode; className: string };

export const PhoneLink = ({ to, icon, className }: LinkProps) => (
  <a href={`tel:${to.replace(/[^+\d]/g, '')}`} className={className}>
    {icon}
    <span className="whitespace-nowrap">{to}</span>
  </a>
);

export const MailLink = ({ to, icon, className }: LinkProps) => (
  <a href={`mailto:${to}`} className={className}>
    {icon}
    {to}
  </a>
);
