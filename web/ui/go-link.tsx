import { ChevronRightIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type ButtonStyle, buttonStyle } from './button.tsx';
import { classNames } from './class-names.ts';

interface GoLinkProps extends ButtonStyle {
  href: string;
  /** Takes the place of the present page in the history. */
  replace?: boolean;
  /** Leads out of the app, to a page that the server draws. */
  leavesApp?: boolean;
  icon?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Has the frame of a button where a page leads on, and a chevron, which no such button has: this one goes somewhere. */
export function GoLink({ href, replace, leavesApp, icon, className, children, ...style }: GoLinkProps) {
  const look = { href, className: classNames(buttonStyle(style), className) };
  const content = (
    <>
      {icon}
      {children}
      <ChevronRightIcon className="-mr-1" />
    </>
  );
  return leavesApp ? (
    <a {...look}>{content}</a>
  ) : (
    <Link {...look} replace={replace}>
      {content}
    </Link>
  );
}
