import { BanknoteIcon, Building2Icon, CalendarIcon, ClockIcon } from 'lucide-react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { InstallationFacts, Lender } from '#contract/lender.ts';
import { en, type Wording } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { formatManilaDate, type ManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { brandOf, ribbonText } from '#web/lib/lender.ts';
import { SkipLink } from '#web/ui/borrower-frame.tsx';
import { buttonStyle } from '#web/ui/button.tsx';
import { Carousel } from '#web/ui/carousel.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { MailLink, PhoneLink } from '#web/ui/contact-link.tsx';
import faviconUrl from '#web/ui/favicon.svg?no-inline';
import { LanguageMenu } from '#web/ui/language-menu.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { Ribbon } from '#web/ui/ribbon.tsx';
import { CostCard } from './cost-card.tsx';

type LandingLanguage = 'en' | 'fil';

const wordings: Record<LandingLanguage, Wording> = { en, fil };

/** The landing page as a complete HTML document. The server renders it once per language at start-up. */
export function renderLanding(page: Omit<LandingPageProps, 'words'>): string {
  const words = wordings[page.language];
  return `<!doctype html>${renderToStaticMarkup(<LandingDocument {...page} words={words} />)}`;
}

type LandingPageProps = InstallationFacts & {
  language: LandingLanguage;
  words: Wording;
  /** `styles` is the style sheet itself. */
  assets: { styles: string; scripts: readonly string[] };
};

function LandingDocument(page: LandingPageProps) {
  const { lender, language, words } = page;
  const ribbon = ribbonText(words.shell, language, page);
  return (
    <html lang={language}>
      <LandingHead {...page} />
      <body className={classNames(ribbon && 'has-ribbon', page.demo && 'is-demo') || undefined}>
        <SkipLink label={words.shell.skipToContent} />
        {ribbon && <Ribbon>{ribbon}</Ribbon>}
        <LandingHeader lender={lender} words={words} language={language} />
        {/* On wide screens the calculator sits beside the headline and ends level with the carousel. */}
        <main
          id="main"
          className="mx-auto -mt-14 flex max-w-120 flex-col gap-7 px-5 pb-8 wide:grid wide:max-w-256 wide:grid-cols-2 wide:gap-x-6"
        >
          <Carousel words={words.carousel} intervalMs={limits.carouselSlideMs} />
          <CostCard words={words.landing.cost} monthlyRate={page.monthlyRate} />
          <Promises words={words.landing.promises} />
          <PaymentOptions title={words.landing.payments} channels={lender.payoutChannels} />
        </main>
        <LandingFooter lender={lender} language={language} words={words.lender} />
      </body>
    </html>
  );
}

function LandingHead({ lender, words, assets }: LandingPageProps) {
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content="#10233f" />
      <meta name="format-detection" content="telephone=no" />
      <title>{words.landing.title(brandOf(lender).name)}</title>
      <meta name="description" content={words.landing.description} />
      <link rel="icon" href={lender.logo ?? faviconUrl} />
      {/* No font is preloaded: browsers hold the first text back for one. */}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet, which the build puts there */}
      <style dangerouslySetInnerHTML={{ __html: assets.styles }} />
      {assets.scripts.map((script) => (
        <script key={script} type="module" src={script} />
      ))}
    </head>
  );
}

type Props = Pick<LandingPageProps, 'words' | 'language'>;

function LandingHeader({ lender, words, language }: Props & { lender: Lender }) {
  const { landing } = words;
  return (
    <header className="on-deep bg-leaf-deep pb-24 text-on-deep wide:pb-32">
      <div className="mx-auto max-w-120 px-5 wide:max-w-256">
        <div className="flex items-center justify-between gap-3 pt-4">
          <a href="/" className="flex min-h-11 min-w-0 items-center">
            <Logo {...brandOf(lender)} />
          </a>
          <div className="flex shrink-0 items-center">
            <LanguageMenu
              words={words.shell}
              language={language}
              className="gap-1.5 px-2.5 hover:bg-on-deep/10"
            />
            <a
              href="/app-login"
              data-visitors=""
              className="flex min-h-11 items-center whitespace-nowrap rounded-control px-2.5 text-14 max-[22.5rem]:px-1.5 font-semibold hover:bg-on-deep/10"
            >
              {landing.login}
            </a>
          </div>
        </div>
        <p className="mt-6 inline-block wide:mt-12 rounded-full bg-on-deep/12 px-3 py-1 text-12 font-semibold">
          {landing.process}
        </p>
        <h1 className="mt-4 font-heading text-40 font-bold tracking-[-0.015em] max-[22.5rem]:text-32">
          {landing.headline} <span className="block text-mango">{landing.headlineAmount}</span>
        </h1>
        <p className="mt-3 max-w-80 text-on-deep-soft wide:max-w-96">{landing.lead}</p>
        <div className="mt-6 grid auto-cols-fr grid-flow-col gap-3 text-center text-12 text-on-deep-soft wide:w-[calc(50%-0.75rem)]">
          <div>
            <a
              href="/app-login?register=true"
              data-account="/loan-app"
              data-account-text={landing.openAccount}
              className={buttonStyle({ look: 'mango', size: 'large', wide: true })}
            >
              {landing.register}
            </a>
            <p data-visitors="" className="mt-1.5">
              {landing.registerNote}
            </p>
          </div>
          <div data-visitors="">
            <a href="/app-login" className={buttonStyle({ look: 'deep', size: 'large', wide: true })}>
              {landing.login}
            </a>
            <p className="mt-1.5">{landing.loginNote}</p>
          </div>
        </div>
      </div>
    </header>
  );
}

type Words = Wording['landing'];

function Promises({ words }: { words: Words['promises'] }) {
  const promises = [
    { id: 'time', ...words.time, Icon: ClockIcon },
    { id: 'fees', ...words.fees, Icon: BanknoteIcon },
    { id: 'process', ...words.process, Icon: Building2Icon },
    { id: 'instalments', ...words.instalments, Icon: CalendarIcon },
  ];
  return (
    <section aria-labelledby="promises-title" className="wide:col-span-2">
      <h2 id="promises-title" className="sr-only">
        {words.name}
      </h2>
      <ul className="grid grid-cols-2 gap-3 max-[22.5rem]:grid-cols-1 wide:grid-cols-4">
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

function PaymentOptions({ title, channels }: { title: string; channels: readonly string[] }) {
  return (
    <section aria-labelledby="payments-title" className="flex flex-col gap-2.5 wide:col-span-2">
      <h2 id="payments-title" className="font-heading text-20 font-bold">
        {title}
      </h2>
      <ul className="grid auto-cols-fr grid-flow-col gap-2.5 max-[22.5rem]:grid-flow-row">
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

type FooterProps = { lender: Lender; language: LandingLanguage; words: Wording['lender'] };

/**
 * The lender's identity with the registration numbers that SEC MC 19, s. 2019 requires, where to verify them and whom
 * to ask.
 */
function LandingFooter({ lender, language, words }: FooterProps) {
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
          <PhoneLink to={lender.supportPhone} className={linkStyle} />
          <MailLink to={lender.supportEmail} className={linkStyle} />
        </p>
      </div>
      {officer && <Whereabouts title={words.officer} entries={[officer]} />}
      {branches.length > 0 && <Whereabouts title={words.branches} entries={branches} />}
    </footer>
  );
}

type Entry = Record<'name', string> & Partial<Record<'address' | 'hours' | 'phone' | 'email', string>>;

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
