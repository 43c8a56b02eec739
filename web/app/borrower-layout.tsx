import { MenuIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { useCoreWords, useLanguage } from '#web/lib/language.tsx';
import { brand, lender } from '#web/lib/lender.ts';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { useSession } from '#web/lib/session.tsx';
import { TopLines } from '#web/lib/top-lines.tsx';
import { SkipLink } from '#web/ui/borrower-frame.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { MailLink, PhoneLink } from '#web/ui/contact-link.tsx';
import { LanguageMenu } from '#web/ui/language-menu.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { TabBar } from '#web/ui/tab-bar.tsx';
import { BorrowerDrawer } from './pages.ts';

/** The width of a borrower's page: one column or two. */
const column = 'mx-auto w-full max-w-120 px-5 max-[22.5rem]:px-4';

/**
 * The bars around the borrower's pages; stays mounted across routes. One column of at most 480 px, or two where there is
 * room and the page asks for it (`data-wide`).
 */
export function BorrowerLayout({ children }: { children: ReactNode }) {
  const { shell } = useCoreWords();
  const { language, setLanguage } = useLanguage();
  const signedIn = useSession().state === 'signedIn';
  return (
    <div
      className={classNames(
        'flex min-h-dvh flex-col',
        signedIn && 'pb-[calc(4.5rem+env(safe-area-inset-bottom))]',
      )}
    >
      <SkipLink label={shell.skipToContent} />
      <header>
        <TopLines />
        <div
          className={`${column} flex min-h-15 flex-wrap items-center justify-end gap-x-2 pr-2.5! wide:max-w-256`}
        >
          <a
            href={paths.landing}
            className="flex min-h-11 min-w-min flex-[1_1_0] items-center rounded-control"
          >
            <Logo {...brand()} />
          </a>
          <div className="flex shrink-0 items-center">
            <LanguageMenu
              words={shell}
              language={language}
              onChoose={(next) => void setLanguage(next)}
              className="gap-1 px-2 transition-colors hover:bg-leaf-tint"
            />
            <BorrowerMenu />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col">
        <div className={`${column} flex flex-1 flex-col gap-5 pb-8 pt-1 wide:has-data-wide:max-w-256`}>
          {children}
        </div>
      </main>
      <footer className={`${column} pb-8 wide:max-w-256`}>
        <LenderFooter short={signedIn} />
      </footer>
      {signedIn && <BorrowerTabs />}
    </div>
  );
}

function BorrowerTabs() {
  const { shell } = useCoreWords();
  const [location] = useLocation();
  return <TabBar words={shell} location={location} LinkTo={Link} />;
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
          <BorrowerDrawer onClose={() => setOpen(false)} />
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
            <PhoneLink to={facts.supportPhone} className={link} />
            <MailLink to={facts.supportEmail} className={link} />
            {facts.supportHours && <span className="py-1">{facts.supportHours}</span>}
          </p>
          {officer && (
            <p className="flex flex-wrap gap-x-2">
              <span className="py-1">
                {words.officer}: {officer.name}
              </span>
              <MailLink to={officer.email} className={link} />
            </p>
          )}
        </>
      )}
    </div>
  );
}
