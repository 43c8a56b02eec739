import type { ElementType, ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface BorrowerFrameProps {
  skipLabel: string;
  ribbon?: ReactNode;
  notice?: ReactNode;
  brand: ReactNode;
  actions?: ReactNode;
  tabBar?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
}

/**
 * The frame of a borrower's page: one column of at most 480 px, or two where there is room and the page asks for it
 * (`data-wide`).
 */
export function BorrowerFrame({
  skipLabel,
  ribbon,
  notice,
  brand,
  actions,
  tabBar,
  footer,
  children,
}: BorrowerFrameProps) {
  return (
    <div
      className={classNames(
        'flex min-h-dvh flex-col',
        tabBar !== undefined && 'pb-[calc(4.5rem+env(safe-area-inset-bottom))]',
      )}
    >
      <SkipLink label={skipLabel} />
      <header>
        {ribbon}
        {notice}
        <div className="column flex min-h-15 items-center justify-between gap-2 pr-2.5">
          {brand}
          {actions !== undefined && <div className="flex shrink-0 items-center">{actions}</div>}
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col">
        <div className="column flex flex-1 flex-col gap-5 pb-8 pt-1">{children}</div>
      </main>
      {footer !== undefined && <footer className="column pb-8">{footer}</footer>}
      {tabBar}
    </div>
  );
}

/** Two columns, stacked on narrow screens; `first` comes first in reading order. */
export function Columns({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <div data-wide className="grid gap-5 wide:grid-cols-2 wide:items-start wide:gap-6">
      <div className="flex min-w-0 flex-col gap-5">{first}</div>
      <div className="flex min-w-0 flex-col gap-5">{second}</div>
    </div>
  );
}

export function SkipLink({ label }: { label: string }) {
  return (
    <a
      href="#main"
      className="sr-only z-50 rounded-control bg-card px-4 py-3 font-semibold text-leaf shadow-soft focus:not-sr-only focus:fixed focus:left-3 focus:top-3"
    >
      {label}
    </a>
  );
}

/** The router's link or a plain anchor. Must accept `href`, `className`, `aria-current` and children. */
export type LinkLike = ElementType;

export interface TabBarProps {
  label: string;
  tabs: readonly { href: string; label: string; icon: ReactNode; current: boolean }[];
  linkAs?: LinkLike;
}

export function TabBar({ label, tabs, linkAs: Link = 'a' }: TabBarProps) {
  return (
    <nav
      aria-label={label}
      className="fixed inset-x-0 bottom-0 z-30 mx-auto max-w-120 border-t border-line bg-card pb-[env(safe-area-inset-bottom)] sm:rounded-t-card sm:border-x wide:max-w-none wide:rounded-none wide:border-x-0 print:hidden"
    >
      <ul className="mx-auto grid max-w-120 auto-cols-fr grid-flow-col">
        {tabs.map((tab) => (
          <li key={tab.href}>
            <Link
              href={tab.href}
              aria-current={tab.current ? 'page' : undefined}
              className="relative flex min-h-18 flex-col items-center justify-center gap-1 text-12 wide:min-h-14 wide:flex-row wide:gap-2.5 wide:text-14 font-bold tracking-[0.04em] text-ink-soft transition-colors hover:text-ink focus-visible:-outline-offset-4 aria-[current]:text-leaf aria-[current]:before:absolute aria-[current]:before:top-0 aria-[current]:before:h-0.75 aria-[current]:before:w-10 aria-[current]:before:rounded-b-full aria-[current]:before:bg-leaf [&_svg]:size-5.5"
            >
              {tab.icon}
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
