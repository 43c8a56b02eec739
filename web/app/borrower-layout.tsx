import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { type Language, useCoreWords, useLanguage } from '#web/lib/language.tsx';
import { brand, lender, ribbonText } from '#web/lib/lender.ts';
import { useOnline } from '#web/lib/online.ts';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { useSession } from '#web/lib/session.tsx';
import { BorrowerFrame, TabBar } from '#web/ui/borrower-frame.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import {
  CheckIcon,
  ChevronDownIcon,
  HomeIcon,
  LanguagesIcon,
  MenuIcon,
  UserIcon,
  WalletIcon,
} from '#web/ui/icons.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { OfflineBanner, Ribbon } from '#web/ui/ribbon.tsx';
import { BorrowerDrawer } from './pages.ts';

/** The bars around the borrower's pages; stays mounted across routes. */
export function BorrowerLayout({ children }: { children: ReactNode }) {
  const { shell } = useCoreWords();
  const { language } = useLanguage();
  const ribbon = ribbonText(shell, language);
  const session = useSession();
  const online = useOnline();
  const signedIn = session.state === 'signedIn';
  return (
    <BorrowerFrame
      skipLabel={shell.skipToContent}
      ribbon={ribbon && <Ribbon>{ribbon}</Ribbon>}
      notice={!online && <OfflineBanner>{shell.offline}</OfflineBanner>}
      brand={
        <a href={paths.landing} className="flex min-h-11 min-w-0 items-center rounded-control">
          <Logo {...brand()} />
        </a>
      }
      actions={
        <>
          <LanguageSwitch />
          <BorrowerMenu />
        </>
      }
      tabBar={signedIn ? <BorrowerTabs /> : undefined}
      footer={<LenderFooter short={signedIn} />}
    >
      {children}
    </BorrowerFrame>
  );
}

/**
 * The current language is not printed on the button: visible text must be part of its name (WCAG 2.5.3), and the button
 * would then share its name with an option.
 */
function LanguageSwitch() {
  const { shell } = useCoreWords();
  const { language: current, setLanguage } = useLanguage();
  const languages: { code: Language; name: string }[] = [
    { code: 'en', name: shell.english },
    { code: 'fil', name: shell.filipino },
  ];
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return;
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !frame.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [open]);

  function close() {
    setOpen(false);
    button.current?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles events bubbling from its buttons
    <div
      ref={frame}
      className="relative"
      onKeyDown={(event) => {
        if (open && event.key === 'Escape') close();
      }}
      onBlur={(event) => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        aria-label={shell.language}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-11 items-center gap-1 rounded-control px-2 transition-colors hover:bg-leaf-tint"
      >
        <LanguagesIcon className="size-5" />
        <ChevronDownIcon className={classNames('size-3.5 transition-transform', open && 'rotate-180')} />
      </button>
      {open && (
        <ul className="absolute right-0 top-full z-20 mt-1 min-w-44 rounded-control border border-line bg-card p-1.5 text-ink shadow-soft">
          {languages.map((language) => (
            <li key={language.code}>
              <button
                type="button"
                lang={language.code}
                aria-pressed={language.code === current}
                onClick={() => {
                  void setLanguage(language.code);
                  close();
                }}
                className="flex min-h-11 w-full items-center justify-between gap-3 rounded-small px-3 text-left font-semibold hover:bg-leaf-tint"
              >
                {language.name}
                {language.code === current && <CheckIcon className="size-4.5 text-leaf" />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function BorrowerTabs() {
  const { shell } = useCoreWords();
  const [location] = useLocation();
  const tabs = [
    {
      href: paths.home,
      label: shell.tabHome,
      icon: <HomeIcon />,
      current: location === paths.home || location === paths.dashboard,
    },
    { href: paths.wallet, label: shell.tabWallet, icon: <WalletIcon />, current: location === paths.wallet },
    { href: paths.profile, label: shell.tabProfile, icon: <UserIcon />, current: location === paths.profile },
  ];
  return <TabBar label={shell.tabBar} tabs={tabs} linkAs={Link} />;
}

/** The drawer is fetched on first focus or touch of its button. */
function BorrowerMenu() {
  const { shell } = useCoreWords();
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        label={shell.openMenu}
        aria-haspopup="dialog"
        onPointerDown={BorrowerDrawer.preload}
        onFocus={BorrowerDrawer.preload}
        onClick={() => setOpen(true)}
      >
        <MenuIcon />
      </IconButton>
      {open && (
        <PageBoundary>
          <Suspense>
            <BorrowerDrawer onClose={() => setOpen(false)} />
          </Suspense>
        </PageBoundary>
      )}
    </>
  );
}

/**
 * The lender's identity with the registration numbers that SEC MC 19, s. 2019 requires on every page; visitors also see
 * how to contact the lender. `short` is for pages that link to the company's details.
 */
function LenderFooter({ short }: { short: boolean }) {
  const words = useCoreWords().lender;
  const facts = lender();
  const { certificateOfAuthorityNumber: authority, dataProtectionOfficer: officer } = facts;
  const identity = [
    facts.name,
    words.registration(facts.registrationNumber),
    authority && words.authority(authority),
    !short && facts.address,
  ];
  const link = 'inline-block py-1 underline underline-offset-2 hover:text-ink';
  return (
    <div className="text-12 text-ink-soft">
      <p>{identity.filter(Boolean).join('\u00a0· ')}</p>
      <p className="my-1 font-semibold">{words.studyFirst}</p>
      {!short && (
        <>
          <p>
            <a href={facts.registryUrl} target="_blank" rel="noreferrer" className={link}>
              {words.checkWithRegulator}
            </a>
          </p>
          <p className="flex flex-wrap gap-x-2">
            <span className="py-1">{words.support}</span>
            <a href={`tel:${facts.supportPhone.replaceAll(' ', '')}`} className={link}>
              {facts.supportPhone}
            </a>
            <a href={`mailto:${facts.supportEmail}`} className={link}>
              {facts.supportEmail}
            </a>
            {facts.supportHours && <span className="py-1">{facts.supportHours}</span>}
          </p>
          {officer && (
            <p className="flex flex-wrap gap-x-2">
              <span className="py-1">
                {words.officer}: {officer.name}
              </span>
              <a href={`mailto:${officer.email}`} className={link}>
                {officer.email}
              </a>
            </p>
          )}
        </>
      )}
    </div>
  );
}
