import type { ReactNode } from 'react';
import { paths } from '#contract/routes.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { limits } from '#domain/limits.ts';

/** The pages with their titles, in the order of the sidebar. */
export const places = Object.entries(panel.titles).map(
  ([name, title]) => [paths[name as keyof typeof panel.titles], title] as const,
);

export const lineStyle =
  'flex min-h-10 [@media(height<50rem)]:min-h-9 w-full items-center justify-between gap-2 rounded-control px-3 text-left text-14 font-semibold text-on-deep-soft transition-colors hover:bg-on-deep/10 hover:text-on-deep aria-[current=page]:bg-on-deep/15 aria-[current=page]:text-on-deep';

type PanelFrameProps = {
  above: ReactNode;
  logo: ReactNode;
  find: ReactNode;
  navigation: ReactNode;
  signedInAs?: ReactNode;
  /** The page and its side panel. */
  children: ReactNode;
};

/** Sidebar and page. Narrower windows than the minimum scroll. */
export const PanelFrame = ({ above, logo, find, navigation, signedInAs, children }: PanelFrameProps) => (
  <div
    className="flex h-dvh flex-col [--spacing-card:1.125rem] print:block print:h-auto print:min-w-0!"
    style={{ minWidth: limits.panelMinWidthPx }}
  >
    {above}
    <div className="flex min-h-0 flex-1 print:block">
      <header className="on-deep flex print:hidden w-54 shrink-0 flex-col overflow-y-auto bg-leaf-deep text-on-deep">
        <div className="px-5.5 pb-5 pt-5.5 [@media(height<50rem)]:py-4">{logo}</div>
        <div className="px-3.5 pb-2">{find}</div>
        {navigation}
        <div className="mt-auto px-3.5 py-5 [@media(height<50rem)]:py-3">{signedInAs}</div>
      </header>
      {children}
    </div>
  </div>
);

export const pageStyle =
  'flex min-w-0 flex-1 flex-col overflow-y-auto px-6 py-5 print:block print:overflow-visible print:p-0';
