import type { ReactNode } from 'react';

type LinkProps = { to: string; icon?: ReactNode; className: string };
type PhoneLinkProps = LinkProps & { asks?: (number: string) => string };

/** `asks`: the link's text in place of the bare number. */
export const PhoneLink = ({ to, icon, className, asks = (number) => number }: PhoneLinkProps) => (
  <a href={`tel:${to.replace(/[^+\d]/g, '')}`} className={className}>
    {icon}
    <span className="whitespace-nowrap">{asks(to)}</span>
  </a>
);

/** Breaks after the @ if it is too long for one line. */
export const MailLink = ({ to, icon, className }: LinkProps) => {
  const [name, host] = to.split(/(?<=@)/);
  return (
    <a href={`mailto:${to}`} className={className}>
      {icon}
      <span>
        {name}
        <wbr />
        {host}
      </span>
    </a>
  );
};
