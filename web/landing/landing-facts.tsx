import type { Lender } from '#contract/lender.ts';
import type { Wording } from '#contract/wording/en.ts';
import { formatManilaDate, type ManilaDate } from '#domain/calendar.ts';
import { BanknoteIcon, BuildingIcon, CalendarIcon, ClockIcon } from '#web/ui/icons.tsx';
import type { LandingLanguage } from './render-landing.tsx';

type Words = Wording['landing'];

/** Four promises, two by two. */
export function Promises({ words }: { words: Words['promises'] }) {
  const promises = [
    { id: 'time', ...words.time, Icon: ClockIcon },
    { id: 'fees', ...words.fees, Icon: BanknoteIcon },
    { id: 'process', ...words.process, Icon: BuildingIcon },
    { id: 'instalments', ...words.instalments, Icon: CalendarIcon },
  ];
  return (
    <section aria-labelledby="promises-title" className="wide:col-span-2">
      <h2 id="promises-title" className="sr-only">
        {words.name}
      </h2>
      <ul className="grid grid-cols-2 gap-3 max-[20rem]:grid-cols-1 wide:grid-cols-4">
        {promises.map(({ id, title, text, Icon }) => (
          <li
            key={id}
            className="rounded-card bg-card p-4 shadow-soft dark:ring-1 dark:ring-line forced-colors:border"
          >
            <span className="flex size-9 items-center justify-center rounded-small bg-leaf-tint text-leaf">
              <Icon className="size-5" />
            </span>
            <h3 className="mt-3 font-semibold">{title}</h3>
            <p className="mt-0.5 text-14 text-ink-soft">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How money is paid out and repaid: this lender's channels. */
export function PaymentOptions({ title, channels }: { title: string; channels: readonly string[] }) {
  return (
    <section aria-labelledby="payments-title" className="flex flex-col gap-2.5 wide:col-span-2">
      <h2 id="payments-title" className="font-heading text-20 font-bold">
        {title}
      </h2>
      <ul className="grid auto-cols-fr grid-flow-col gap-2.5 max-[20rem]:grid-flow-row">
        {channels.map((channel) => (
          <li
            key={channel}
            className="flex min-h-16 items-center justify-center rounded-card bg-card px-2 py-3 text-center text-14 font-semibold shadow-soft dark:ring-1 dark:ring-line forced-colors:border"
          >
            {channel}
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Who lends, in the numbers that SEC MC 19, s. 2019 wants where they are seen, and where that can be checked and somebody
 * be asked.
 */
export function LandingFooter({
  lender,
  language,
  words,
}: {
  lender: Lender;
  language: LandingLanguage;
  words: Wording['lender'];
}) {
  const registered = formatManilaDate(lender.registrationDate as ManilaDate, language);
  const { certificateOfAuthorityNumber: authority, dataProtectionOfficer: officer, branches = [] } = lender;
  const facts = [
    words.registration(lender.registrationNumber),
    authority && words.authority(authority),
    words.registered(registered),
    lender.address,
  ];
  return (
    <footer className="mx-auto flex max-w-120 flex-col gap-4 px-5 pb-10 wide:grid wide:max-w-256 wide:grid-cols-2 wide:items-start wide:gap-6 text-14 text-ink-soft">
      <div>
        <p className="font-semibold text-ink">{lender.name}</p>
        <p>{facts.filter(Boolean).join('\u00a0· ')}</p>
        <p>
          <a href={lender.registryUrl} target="_blank" rel="noreferrer" className={linkStyle}>
            {words.checkWithRegulator}
          </a>
        </p>
        <p className="border-l-3 border-mango pl-3 font-semibold text-ink">{words.studyFirst}</p>
      </div>
      <div>
        <p>
          {words.support} {lender.supportHours}
        </p>
        <p className="flex flex-wrap gap-x-4">
          <a href={`tel:${lender.supportPhone.replace(/[^+\d]/g, '')}`} className={linkStyle}>
            {lender.supportPhone}
          </a>
          <a href={`mailto:${lender.supportEmail}`} className={linkStyle}>
            {lender.supportEmail}
          </a>
        </p>
      </div>
      {officer && <Whereabouts title={words.officer} entries={[officer]} />}
      {branches.length > 0 && <Whereabouts title={words.branches} entries={branches} />}
    </footer>
  );
}

type Entry = Record<'name', string> & Partial<Record<'address' | 'hours' | 'phone' | 'email', string>>;

/** Names, and under each where and when to find whoever it is. */
function Whereabouts({ title, entries }: { title: string; entries: readonly Entry[] }) {
  return (
    <div>
      <h2 className="mb-1 font-heading text-16 font-bold text-ink">{title}</h2>
      <ul className="flex flex-col gap-2 wrap-anywhere">
        {entries.map(({ name, address, hours, phone, email }) => (
          <li key={`${name} ${address}`}>
            <span className="font-semibold text-ink">{name}</span>
            {address && <span className="block">{address}</span>}
            <span className="block">{[hours, phone, email].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const linkStyle =
  'inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-4 wrap-anywhere';
