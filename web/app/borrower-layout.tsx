import { MenuIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { useCoreWords, useLanguage } from '#web/lib/language.tsx';
import { brand, lender } from '#web/lib/lender.ts';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { useSession } from '#web/lib/session.tsx';
import { TopLines } from '#web/lib/top-lines.tsx';
import { column, SkipLink } from '#web/ui/borrower-frame.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { LanguageMenu } from '#web/ui/language-menu.tsx';
import { LenderFooter } from '#web/ui/lender-footer.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { TabBar } from '#web/ui/tab-bar.tsx';
import { BorrowerDrawer } from './pages.ts';

/**
 * The bars around the borrower's pages; stays mounted across routes. One column of at most 480 px, or two where there is
 * room and the page asks for it (`data-wide`).
 */
export function BorrowerLayout({ children }: { children: ReactNode }) {
  const { shell, lender: words } = useCoreWords();
  const { language, setLanguage } = useLanguage();
  const signedIn = useSession().state === 'signedIn';
  const [location] = useLocation();
  const [isMenuOpen, setMenuOpen] = useState(false);
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
            <IconButton
              label={shell.openMenu}
              aria-haspopup="dialog"
              onPointerDown={BorrowerDrawer.preload}
              onFocus={BorrowerDrawer.preload}
              onClick={() => setMenuOpen(true)}
            >
              <MenuIcon />
            </IconButton>
            {isMenuOpen && (
              <PageBoundary>
                <BorrowerDrawer onClose={() => setMenuOpen(false)} onReopen={() => setMenuOpen(true)} />
              </PageBoundary>
            )}
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col">
        <div
          className={`${column} flex flex-1 flex-col gap-5 pb-8 pt-1 wide:max-w-170 wide:has-data-wide:max-w-256`}
        >
          {children}
        </div>
      </main>
      <footer className={`${column} pb-8 wide:max-w-170 wide:[main:has([data-wide])+&]:max-w-256`}>
        <LenderFooter lender={lender()} words={words} short={signedIn} />
      </footer>
      {signedIn && <TabBar words={shell} location={location} LinkTo={Link} />}
    </div>
  );
}
