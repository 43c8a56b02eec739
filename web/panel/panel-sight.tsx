import { SearchIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { paths } from '#contract/routes.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { Card } from '#web/ui/card.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { Skeleton, SkeletonRow } from '#web/ui/skeleton.tsx';
import { lineStyle, PanelFrame, pageStyle, places } from './lib/panel-frame.tsx';

type PanelSightProps = { path: string; brand: Parameters<typeof Logo>[0]; ribbon: ReactNode };

/** The panel before the app runs, with the title of the page at this path (`web/app/first-sight.tsx`). */
export function PanelSight({ path, brand, ribbon }: PanelSightProps) {
  const here = path === paths.management ? paths.members : path;
  return (
    <PanelFrame
      above={ribbon}
      logo={
        <div className="flex min-h-9 items-center">
          <Logo {...brand} stacks />
        </div>
      }
      find={
        <div className={lineStyle}>
          <span className="flex items-center gap-2">
            <SearchIcon className="size-4" />
            {panel.find.title}
          </span>
        </div>
      }
      navigation={
        <div className="flex flex-col gap-1 px-3.5">
          {places.map(
            ([href, label]) =>
              // Only the main admin has the one, and not every lender the other.
              href !== paths.audit &&
              (href !== paths.messages || href === here) && (
                <div key={href} className={lineStyle} aria-current={href === here ? 'page' : undefined}>
                  {label}
                </div>
              ),
          )}
        </div>
      }
    >
      <div className={pageStyle}>
        <p className="font-heading text-32 font-bold tracking-[-0.01em]">
          {places.find(([href]) => href === here)?.[1]}
        </p>
        <Skeleton className="mb-4 mt-3 h-12 w-96" />
        <Card padding="none">
          <div className="px-4 py-2">
            <SkeletonRow />
            <SkeletonRow />
            <SkeletonRow />
          </div>
        </Card>
      </div>
    </PanelFrame>
  );
}
