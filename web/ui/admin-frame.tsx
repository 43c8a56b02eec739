import type { ReactNode } from 'react';
import { type LinkLike, SkipLink } from './borrower-frame.tsx';

export interface AdminFrameProps {
  skipLabel: string;
  ribbon?: ReactNode;
  notice?: ReactNode;
  brand: ReactNode;
  /** An `AdminNav`. */
  nav: ReactNode;
  /** Who is signed in, and the way out; at the sidebar's foot. */
  account?: ReactNode;
  /** A `SidePanel`; the list stays in view beside it. */
  panel?: ReactNode;
  children: ReactNode;
}

/** The staff panel: sidebar, list, and details beside it. At least 1024 px wide; a narrower window scrolls. */
export function AdminFrame({
  skipLabel,
  ribbon,
  notice,
  brand,
  nav,
  account,
  panel,
  children,
}: AdminFrameProps) {
  return (
    <div className="flex h-dvh min-w-[1024px] flex-col bg-paper">
      <SkipLink label={skipLabel} />
      {ribbon}
      {notice}
      <div className="flex min-h-0 flex-1">
        <header className="on-deep flex w-54 shrink-0 flex-col overflow-y-auto bg-leaf-deep text-on-deep">
          <div className="px-5.5 pb-5 pt-5.5">{brand}</div>
          {nav}
          {account !== undefined && <div className="mt-auto px-3.5 py-5">{account}</div>}
        </header>
        <main
          id="main"
          tabIndex={-1}
          className="weave-edges flex min-w-0 flex-1 flex-col overflow-y-auto px-6 py-5"
        >
          {children}
        </main>
        {panel}
      </div>
    </div>
  );
}

export interface AdminNavProps {
  label: string;
  items: readonly {
    href: string;
    label: string;
    current: boolean;
    /** How many wait there; nothing when absent. `text` says it in words. */
    waiting?: { count: number; text: string };
  }[];
  linkAs?: LinkLike;
  /** What is no link (Logout), after the links and styled by `adminNavItemStyle`. */
  children?: ReactNode;
}

/** Classes of one line in the sidebar, for a link or a button. */
export const adminNavItemStyle =
  'flex min-h-10 w-full items-center justify-between gap-2 rounded-control px-3 text-left text-14 font-semibold text-on-deep-soft transition-colors hover:bg-on-deep/10 hover:text-on-deep aria-[current=page]:bg-on-deep/15 aria-[current=page]:text-on-deep';

/** Beside a link there is room for two digits; the description has the number itself. */
const shortCount = (count: number) => (count > 99 ? '99+' : count);

/** The sidebar's links. The count stands in a description, so that the link keeps its plain name. */
export function AdminNav({ label, items, linkAs: Link = 'a', children }: AdminNavProps) {
  return (
    <nav aria-label={label} className="px-3.5">
      <ul className="flex flex-col gap-1">
        {items.map((item) => (
          <li key={item.href}>
            <Link
              href={item.href}
              aria-current={item.current ? 'page' : undefined}
              aria-description={item.waiting?.text}
              className={adminNavItemStyle}
            >
              {item.label}
              {item.waiting && (
                <span
                  aria-hidden="true"
                  className="-mr-2 min-w-5.5 whitespace-nowrap rounded-full bg-mango px-1.5 py-0.5 text-center text-12 font-bold text-on-mango"
                >
                  {shortCount(item.waiting.count)}
                </span>
              )}
            </Link>
          </li>
        ))}
        {children}
      </ul>
    </nav>
  );
}
