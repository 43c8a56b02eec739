import { renderToStaticMarkup } from 'react-dom/server';
import type { InstallationFacts } from '#contract/lender.ts';
import { core } from '#contract/wording/en-sign-in.ts';
import { brandOf, ribbonText } from '#web/lib/lender.ts';
import { PanelSight } from '#web/panel/panel-sight.tsx';
import { column, SignInFrame } from '#web/ui/borrower-frame.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { LenderFooter } from '#web/ui/lender-footer.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { Ribbon } from '#web/ui/ribbon.tsx';
import { PageSkeleton, Skeleton } from '#web/ui/skeleton.tsx';
import { TabBar } from '#web/ui/tab-bar.tsx';

/** A path is that of a page of the panel. */
export type Sight = 'sign-in' | 'register' | 'borrower' | `/${string}`;

/**
 * The frame of a page before the app runs, in English. The server draws it into the page, a script that runs first shows it
 * to the visitors whose page it is (`first-requests.ts`), and the app's first drawing replaces it. Nothing in it can be
 * pressed, and a screen reader waits for the app.
 */
export function renderFirstSight(facts: InstallationFacts, sight: Sight): string {
  const isBorrower = sight === 'borrower';
  const isRegistering = sight === 'register';
  const { shell, session, lender: words } = core;
  const ribbonWords = ribbonText(shell, 'en', facts);
  const ribbon = ribbonWords && <Ribbon>{ribbonWords}</Ribbon>;
  const frame = { id: 'first-sight', 'aria-hidden': true, inert: true };
  if (sight.startsWith('/'))
    return renderToStaticMarkup(
      <div {...frame} className="hidden in-data-[visit=staff]:block">
        <PanelSight path={sight} brand={brandOf(facts.lender)} ribbon={ribbon} />
      </div>,
    );
  return renderToStaticMarkup(
    <div
      {...frame}
      className={classNames(
        'hidden min-h-dvh flex-col',
        isBorrower ? 'pb-18 in-data-[visit=borrower]:flex' : 'in-data-[visit=visitor]:flex',
      )}
    >
      {ribbon}
      <div className={`${column} flex min-h-15 items-center wide:max-w-256`}>
        <Logo {...brandOf(facts.lender)} />
      </div>
      <div className={`${column} flex flex-1 flex-col gap-5 pb-8 pt-1 wide:max-w-256`}>
        {isBorrower ? (
          <div className="flex flex-col gap-5 pt-2">
            <PageSkeleton />
          </div>
        ) : (
          <SignInFrame
            Title="h2"
            title={isRegistering ? session.registerTitle : session.signInTitle}
            lead={isRegistering ? session.registerLead : session.signInLead}
            captions={<div className="h-17 wide:hidden" />}
          >
            <Card
              className={classNames(
                'flex flex-col wide:border-0 wide:p-0 wide:shadow-none',
                isRegistering ? 'gap-10' : 'gap-5',
              )}
            >
              {(isRegistering ? [1, 2, 3, 4] : [1, 2]).map((field) => (
                <Skeleton key={field} className="mt-6 h-12" />
              ))}
              <Skeleton className="mb-24 h-13" />
            </Card>
          </SignInFrame>
        )}
      </div>
      <div className={`${column} pb-8 wide:max-w-256`}>
        <LenderFooter lender={facts.lender} words={words} short={isBorrower} />
      </div>
      {isBorrower && <TabBar words={shell} LinkTo={Still} />}
    </div>,
  );
}

const Still = ({ href: _, ...props }: { href: string }) => <span {...props} />;
