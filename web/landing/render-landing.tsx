import {
  BanknoteIcon,
  Building2Icon,
  CalendarIcon,
  ClockIcon,
  LandmarkIcon,
  LogInIcon,
  LogOutIcon,
  MenuIcon,
  ShieldCheckIcon,
  WalletIcon,
  XIcon,
} from 'lucide-react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { InstallationFacts } from '#contract/lender.ts';
import { messagesPath, paths, registerPath } from '#contract/routes.ts';
import { en, type Wording } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { type DateLanguage, formatManilaDate, type ManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { weaveMat } from '#domain/mat.ts';
import { brandOf, ribbonText } from '#web/lib/lender.ts';
import { SkipLink } from '#web/ui/borrower-frame.tsx';
import { buttonStyle } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Carousel } from '#web/ui/carousel.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { MailLink, PhoneLink } from '#web/ui/contact-link.tsx';
import faviconUrl from '#web/ui/favicon.svg?no-inline';
import { LanguageMenu } from '#web/ui/language-menu.tsx';
import { unbroken } from '#web/ui/lender-footer.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { MatPaths } from '#web/ui/mat-drawing.tsx';
import { MenuHead, menuEntry, menuPlaces } from '#web/ui/menu.tsx';
import { Ribbon } from '#web/ui/ribbon.tsx';
import { TabBar } from '#web/ui/tab-bar.tsx';
import { CostCard } from './cost-card.tsx';

/** The landing page as a complete HTML document. The server renders it once per language at start-up. */
export function renderLanding(page: Omit<Page, 'words'>): string {
  const words = { en, fil }[page.language];
  return `<!doctype html>${renderToStaticMarkup(<LandingDocument {...page} words={words} />)}`;
}

type Page = InstallationFacts & {
  language: DateLanguage;
  words: Wording;
  /** `styles` is the style sheet itself; `signInScripts` are those that the sign-in page begins with. */
  assets: {
    styles: string;
    scripts: readonly string[];
    signInScripts: Record<DateLanguage, readonly string[]>;
  };
};

function LandingDocument(page: Page) {
  const { lender, language, words } = page;
  const ribbon = ribbonText(words.shell, language, page);
  return (
    <html lang={language}>
      <LandingHead {...page} />
      <body className={classNames(ribbon && 'has-ribbon', page.demo && 'is-demo') || undefined}>
        <SkipLink label={words.shell.skipToContent} />
        <LandingBar {...page} ribbon={ribbon} />
        <main id="main">
          <Hero {...page} />
          <div className="mx-auto flex max-w-120 flex-col gap-8 px-5 py-8 wide:max-w-280 wide:gap-10 wide:py-7">
            <Promises words={words.landing.promises} />
            <div className="grid gap-8 wide:grid-cols-2 wide:gap-6">
              <Carousel words={words.carousel} intervalMs={limits.carouselSlideMs} />
              <PaymentOptions title={words.landing.payments} channels={lender.payoutChannels} />
            </div>
          </div>
        </main>
        <LandingFooter {...page} />
        <TabBar words={words.shell} hidden />
      </body>
    </html>
  );
}

function LandingHead({ lender, words, assets }: Page) {
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

const column = 'mx-auto w-full max-w-120 px-5 wide:max-w-280';

function LandingBar({ ribbon, ...page }: Page & { ribbon: string | undefined }) {
  const { lender, words, language } = page;
  return (
    <header className="on-deep bg-leaf-deep text-on-deep">
      {ribbon && <Ribbon>{ribbon}</Ribbon>}
      <div
        className={`${column} flex min-h-15 flex-wrap items-center justify-end gap-x-1 pr-2.5! wide:min-h-18`}
      >
        <a href={paths.landing} className="flex min-h-11 min-w-min flex-[1_1_0] items-center">
          <Logo {...brandOf(lender)} />
        </a>
        <LanguageMenu
          words={words.shell}
          language={language}
          className="gap-1.5 px-2.5 hover:bg-on-deep/10"
        />
        <a
          href={paths.signIn}
          data-visitors=""
          className="flex min-h-11 items-center whitespace-nowrap rounded-control px-2 text-14 font-semibold hover:bg-on-deep/10 max-[24rem]:hidden"
        >
          {words.landing.login}
        </a>
        <SideMenu {...page} />
      </div>
    </header>
  );
}

/** The app's side menu as a native popover, so that it opens without script. */
function SideMenu({ words: { shell }, lender }: Page) {
  const places = menuPlaces(shell, paths.landing).filter(({ to }) => to !== messagesPath);
  return (
    <>
      <button
        type="button"
        popoverTarget="menu"
        aria-label={shell.openMenu}
        className="flex size-11 items-center justify-center rounded-control hover:bg-on-deep/10"
      >
        <MenuIcon className="size-5.5" />
      </button>
      <div
        id="menu"
        popover="auto"
        role="dialog"
        aria-labelledby="menu-title"
        className="inset-auto right-0 top-0 m-0 h-dvh w-80 max-w-[85vw] flex-col rounded-l-sheet bg-card text-ink shadow-soft backdrop:bg-veil open:flex"
      >
        <MenuHead id="menu-title" title={shell.menu} brand={brandOf(lender)}>
          <button
            type="button"
            popoverTarget="menu"
            popoverTargetAction="hide"
            aria-label={shell.closeMenu}
            className="flex size-11 items-center justify-center rounded-control hover:bg-on-deep/10"
          >
            <XIcon className="size-5.5" />
          </button>
        </MenuHead>
        <nav aria-label={shell.menu} className="flex-1 overflow-y-auto p-3">
          <ul className="flex flex-col gap-1">
            {places.map(({ to, label, Icon }) => (
              <li key={to}>
                <a href={to} aria-current={to === paths.landing ? 'page' : undefined} className={menuEntry}>
                  <Icon />
                  {label}
                </a>
              </li>
            ))}
            <li data-visitors="">
              <a href={paths.signIn} className={menuEntry}>
                <LogInIcon />
                {shell.login}
              </a>
            </li>
            <li data-signed-in="" hidden>
              <button type="button" data-sign-out="" className={menuEntry}>
                <LogOutIcon />
                {shell.logout}
              </button>
            </li>
          </ul>
        </nav>
      </div>
    </>
  );
}

/** Says what the lender offers, for how much, and why to believe it. */
function Hero(page: Page) {
  const { lender, language, monthlyRate } = page;
  const { landing } = page.words;
  return (
    <div className="relative isolate before:absolute before:inset-x-0 before:top-0 before:bottom-64 before:-z-2 before:bg-leaf-deep wide:before:bottom-0">
      <div className="hero-mat">
        <svg viewBox={`0 0 ${heroMat.width} ${heroMat.height}`} aria-hidden="true">
          <MatPaths paths={heroMat.paths} />
        </svg>
      </div>
      <div
        className={`${column} grid grid-cols-[minmax(0,1fr)] gap-6 pt-3 wide:grid-cols-[minmax(0,1fr)_27.5rem] wide:items-center wide:gap-16 wide:pb-8 wide:pt-1`}
      >
        <div className="on-deep text-on-deep">
          <h1
            className={classNames(
              'font-heading leading-[1.06] font-bold tracking-[-0.015em] wide:text-72',
              // Filipino has more letters to the line.
              language === 'fil' ? 'text-[min(2.2rem,9vw)]' : 'text-[min(2.75rem,11.25vw)]',
            )}
          >
            {landing.headline} <span className="block text-mango">{landing.headlineAmount}</span>
          </h1>
          <p className="mt-3 max-w-80 text-on-deep-soft wide:mt-6 wide:max-w-110 wide:text-20">
            {landing.lead}
          </p>
          <div className="mt-5 grid grid-cols-[repeat(auto-fit,minmax(min(100%,7.5rem),1fr))] gap-3 text-center text-12 text-on-deep-soft wide:mt-8 wide:max-w-100">
            <div>
              <a
                href={registerPath}
                data-scripts={page.assets.signInScripts[language].join(' ')}
                data-account={paths.home}
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
              <a href={paths.signIn} className={buttonStyle({ look: 'deep', size: 'large', wide: true })}>
                {landing.login}
              </a>
              <p className="mt-1.5">{landing.loginNote}</p>
            </div>
          </div>
          {!lender.isSample && <Licence {...page} />}
        </div>
        <CostCard words={landing.cost} monthlyRate={monthlyRate} />
      </div>
    </div>
  );
}

/** Twelve rows, of which the last ones are to be woven yet. */
const heroMat = weaveMat(
  Array.from({ length: 168 }, (_, index) => (index < 108 ? 'paid' : 'bare')),
  { columns: 14 },
);

/** Shows a real lender's licence. The sample says above every page that it has none. */
function Licence({ lender, words: { lender: words } }: Page) {
  const { certificateOfAuthorityNumber: authority, registrationNumber } = lender;
  return (
    <p className="mt-4 flex gap-2.5 text-12 text-on-deep-soft wide:mt-8 wide:text-14">
      <ShieldCheckIcon className="size-5 shrink-0 text-mango" />
      <span>
        {[words.registration(registrationNumber), authority && words.authority(authority)]
          .filter(Boolean)
          .join('\u00a0· ')}
        {'\u00a0· '}
        <a
          href={lender.registryUrl}
          target="_blank"
          rel="noreferrer"
          className="inline-block py-1 font-semibold text-on-deep underline underline-offset-4"
        >
          {words.checkWithRegulator}
        </a>
      </span>
    </p>
  );
}

function Promises({ words }: { words: Wording['landing']['promises'] }) {
  const promises = [
    { id: 'time', ...words.time, Icon: ClockIcon },
    { id: 'fees', ...words.fees, Icon: BanknoteIcon },
    { id: 'process', ...words.process, Icon: Building2Icon },
    { id: 'instalments', ...words.instalments, Icon: CalendarIcon },
  ];
  return (
    <section aria-labelledby="promises-title">
      <h2 id="promises-title" className="sr-only">
        {words.name}
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-x-5 gap-y-6 wide:gap-6">
        {promises.map(({ id, title, text, Icon }) => (
          <li key={id}>
            <Icon className="size-6 text-leaf" />
            <h3 className="mt-2 font-semibold wide:mt-1.5">{unbroken(title)}</h3>
            <p className="mt-0.5 text-14 text-ink-soft">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function PaymentOptions({ title, channels }: { title: string; channels: readonly string[] }) {
  return (
    <section aria-labelledby="payments-title" className="flex flex-col gap-2.5">
      <h2 id="payments-title" className="font-heading text-20 font-bold">
        {title}
      </h2>
      <Card padding="none" className="grow">
        <ul className="flex h-full flex-col divide-y divide-line">
          {channels.map((channel) => {
            const Icon = /bank/i.test(channel) ? LandmarkIcon : WalletIcon;
            return (
              <li
                key={channel}
                className="flex min-h-14 grow items-center gap-3 px-4.5 text-14 font-semibold"
              >
                <Icon className="size-5 shrink-0 text-leaf" />
                {channel}
              </li>
            );
          })}
        </ul>
      </Card>
    </section>
  );
}

/**
 * The lender's identity with the registration numbers that SEC MC 19, s. 2019 requires, where to verify them and whom
 * to ask.
 */
function LandingFooter({ lender, language, words: { lender: words, company } }: Page) {
  const registered = formatManilaDate(lender.registrationDate as ManilaDate, language);
  const { certificateOfAuthorityNumber: authority, dataProtectionOfficer: officer, branches = [] } = lender;
  const facts = [
    words.registration(lender.registrationNumber),
    authority && words.authority(authority),
    words.registered(registered),
    lender.address,
  ];
  return (
    <footer className="border-t border-line">
      <div
        className={`${column} grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] items-start gap-x-5 gap-y-3 py-5 text-12 text-ink-soft wide:grid-cols-[2fr_1fr_1fr_1fr] wide:gap-x-10`}
      >
        <div className="max-wide:col-span-full">
          <h2 className={footTitle}>{lender.name}</h2>
          <p>{unbroken(facts.filter(Boolean).join('\u00a0· '))}</p>
          <p className="mt-1 font-semibold text-ink">{words.studyFirst}</p>
          {/* A real lender's is beside its licence. */}
          {lender.isSample && (
            <a href={lender.registryUrl} target="_blank" rel="noreferrer" className={linkStyle}>
              {words.checkWithRegulator}
            </a>
          )}
        </div>
        <div className="max-wide:col-span-full">
          <h2 className={footTitle}>{words.support}</h2>
          <p className="flex flex-wrap gap-x-4 wide:flex-col wide:items-start">
            <PhoneLink to={lender.supportPhone} className={linkStyle} />
            <MailLink to={lender.supportEmail} className={linkStyle} />
          </p>
          <p>{lender.supportHours}</p>
        </div>
        {officer && <Whereabouts title={words.officer} entries={[officer]} />}
        {branches.length > 0 && <Whereabouts title={company.branches} entries={branches} />}
      </div>
    </footer>
  );
}

type Entry = Record<'name', string> & Partial<Record<'address' | 'hours' | 'phone' | 'email', string>>;

function Whereabouts({ title, entries }: { title: string; entries: readonly Entry[] }) {
  return (
    <div>
      <h2 className={footTitle}>{title}</h2>
      <ul className="flex flex-col gap-1 wrap-anywhere">
        {entries.map(({ name, address, hours, phone, email }) => (
          <li key={`${name} ${address}`}>
            {name}
            {[address, hours, phone, email].map(
              (fact) =>
                fact && (
                  <span key={fact} className="block">
                    {fact}
                  </span>
                ),
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

const footTitle = 'font-semibold text-ink';
const linkStyle = 'inline-block py-1 font-semibold text-leaf underline underline-offset-2 wrap-anywhere';
