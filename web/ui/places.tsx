import { MailLink, PhoneLink } from './contact-link.tsx';

type Place = Record<'name', string> & Partial<Record<'address' | 'hours' | 'phone' | 'email', string>>;

/** Lists where people of the lender are, and how to reach them. */
export function Places({ title, places = [] }: { title: string; places?: readonly Place[] }) {
  if (places.length === 0) return null;
  const link = 'inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-4';
  return (
    <section aria-label={title} className="text-14 text-ink-soft">
      <h3 className="mb-1 font-heading text-16 font-bold text-ink">{title}</h3>
      <ul className="flex flex-col gap-2 wrap-anywhere">
        {places.map(({ name, address, hours, phone, email }) => (
          <li key={`${name} ${address}`}>
            <p className="font-semibold text-ink">{name}</p>
            <p>{address}</p>
            <p>{hours}</p>
            <p className="flex flex-wrap gap-x-4 empty:hidden">
              {phone && <PhoneLink to={phone} className={link} />}
              {email && <MailLink to={email} className={link} />}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
