import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** The width of a borrower's page: one column or two. */
export const column = 'mx-auto w-full max-w-120 px-5 max-[22.5rem]:px-4';

/** Two of `Column`, or cards in two columns, stacked on narrow screens. */
export function Columns({ children }: { children: ReactNode }) {
  return (
    <div data-wide className="grid grid-cols-1 gap-5 wide:grid-cols-2 wide:items-start wide:gap-6">
      {children}
    </div>
  );
}

type SignInFrameProps = {
  /** The app's own title alone is the page's heading. */
  Title?: 'h1' | 'h2';
  title: string;
  lead: string;
  /** Below the lead, on wide screens only. */
  picture?: ReactNode;
  captions?: ReactNode;
  children: ReactNode;
};

export function Column({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={classNames('flex min-w-0 flex-col gap-5', className)}>{children}</div>;
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

/** Title and form in one card; on wide screens side by side, with the captions below the title. */
export function SignInFrame({ Title = 'h1', title, lead, picture, captions, children }: SignInFrameProps) {
  return (
    <div
      data-wide
      className="overflow-hidden rounded-sheet shadow-soft wide:my-auto wide:grid wide:grid-cols-[2fr_3fr] wide:grid-rows-[1fr_auto]"
    >
      <div className="on-deep weave-cover p-4.5 text-on-deep wide:col-start-1 wide:row-span-2 wide:row-start-1 wide:p-10 wide:pb-28">
        <Title className="font-heading text-24 font-bold tracking-[-0.01em] wide:text-48">{title}</Title>
        <p className="mt-1 wide:mt-4">{lead}</p>
        <div className="mt-8 hidden wide:block">{picture}</div>
      </div>
      <div className="flex flex-col justify-center gap-5 bg-card p-4.5 wide:col-start-2 wide:row-span-2 wide:row-start-1 wide:p-10">
        {children}
      </div>
      {captions}
    </div>
  );
}
