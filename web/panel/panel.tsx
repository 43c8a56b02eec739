import { useEffect, useRef, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { readToday } from '#contract/api.ts';
import type { Today } from '#contract/collection.ts';
import { isAppPath, paths } from '#contract/routes.ts';
import { home } from '#contract/wording/en-home.ts';
import { validation } from '#contract/wording/panel-validation.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { limits } from '#domain/limits.ts';
import { StaffSignInForm } from '#web/features/session/staff-sign-in-form.tsx';
import { EnglishOnly, useCoreWords } from '#web/lib/language.tsx';
import { type LazyPart, lazyPage, lazyPart } from '#web/lib/lazy-page.ts';
import { brand } from '#web/lib/lender.ts';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { QueryProvider, queryClient, readKey, useRead } from '#web/lib/query.tsx';
import { useSession, useUser } from '#web/lib/session.tsx';
import { TopLines } from '#web/lib/top-lines.tsx';
import NotFoundPage from '#web/pages/not-found-page.tsx';
import { SkipLink } from '#web/ui/borrower-frame.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Dense } from '#web/ui/field.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { TooltipProvider } from '#web/ui/tooltip.tsx';
import { FindButton } from './find.tsx';
import { type Counter, counters, isWorkOf } from './lib/counters.ts';
import { DetailsSlot } from './lib/details.tsx';
import { useMessageChannels } from './lib/message-channels.ts';
import { lineStyle, PanelFrame, pageStyle, places } from './lib/panel-frame.tsx';

const AccessNews = lazyPart(() => import('#web/features/notice/access-news.tsx'), 'AccessNews');
const OwnPasswordForm = lazyPart(
  () => import('#web/features/session/own-password-form.tsx'),
  'OwnPasswordForm',
);
const SecondStepFirst = lazyPart(() => import('./second-step.tsx'), 'SecondStepFirst');

const MembersPage = lazyPage(() => import('./members-page.tsx'));
const LoanAccountPage = lazyPage(() => import('./loan-account-page.tsx'));
const pages: Record<string, LazyPart> = {
  [paths.management]: MembersPage,
  [paths.members]: MembersPage,
  [paths.today]: lazyPage(() => import('./today-page.tsx')),
  [paths.takePayment]: lazyPage(() => import('./take-payment-page.tsx')),
  [paths.borrowing]: lazyPage(() => import('./borrowing-page.tsx')),
  [paths.withdrawals]: lazyPage(() => import('./withdrawals-page.tsx')),
  [paths.payments]: lazyPage(() => import('./payments-page.tsx')),
  [paths.collections]: lazyPage(() => import('./collections-page.tsx')),
  [paths.approvals]: lazyPage(() => import('./approvals-page.tsx')),
  [paths.complaints]: lazyPage(() => import('./complaints-page.tsx')),
  [paths.messages]: lazyPage(() => import('./messages-page.tsx')),
  [paths.reports]: lazyPage(() => import('./reports-page.tsx')),
  [paths.month]: lazyPage(() => import('./month-page.tsx')),
  [paths.settings]: lazyPage(() => import('./settings-page.tsx')),
  [paths.audit]: lazyPage(() => import('./audit-page.tsx')),
  '/management/loans/:id': LoanAccountPage,
};

/** Fetches the page at a path, to be drawn together with the panel. */
export const loadPage = (path: string): Promise<boolean> => (pages[path] ?? LoanAccountPage).load();

const words = { ...home, validation };

/** The staff panel: English only, with its own cache, tooltips and session dialogs. */
export default function Panel() {
  const user = useUser();
  return (
    <EnglishOnly words={words}>
      <QueryProvider>
        <TooltipProvider delayDuration={limits.tooltipOpenMs} skipDelayDuration={limits.tooltipSkipMs}>
          {user.mustSetUpSecondStep ? (
            <SecondStepFirst />
          ) : (
            // Another account starts from a clean page.
            <PanelLayout key={user.id} />
          )}
          <SessionEndedDialog />
        </TooltipProvider>
      </QueryProvider>
    </EnglishOnly>
  );
}

function Routes() {
  const [path] = useLocation();
  if (!isAppPath(path)) return <NotFoundPage />;
  return (
    <PageBoundary resetKey={path}>
      <Switch>
        {Object.entries(pages).map(([at, Page]) => (
          <Route key={at} path={at}>
            <Page />
          </Route>
        ))}
      </Switch>
    </PageBoundary>
  );
}

/** Sidebar, list, and the open row's details (`RowDetails`). */
function PanelLayout() {
  const { shell } = useCoreWords();
  const { accessNewsSince } = useUser();
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  return (
    <DetailsSlot value={slot}>
      <PanelFrame
        above={
          <>
            <SkipLink label={shell.skipToContent} />
            <TopLines />
          </>
        }
        logo={
          <Link href={paths.management} className="flex min-h-9 items-center rounded-control">
            <Logo {...brand()} stacks />
          </Link>
        }
        find={<FindButton className={lineStyle} />}
        navigation={<Navigation />}
        signedInAs={<SignedInAs />}
      >
        <main id="main" tabIndex={-1} className={pageStyle}>
          {accessNewsSince !== undefined && (
            <div className="mb-4 empty:hidden">
              <AccessNews since={accessNewsSince} />
            </div>
          )}
          <Dense value>
            <Routes />
          </Dense>
          <OwnPasswordDialog />
        </main>
        <div ref={setSlot} className="contents" />
      </PanelFrame>
    </DetailsSlot>
  );
}

/** The figures of waiting work that have a badge in the sidebar. */
const badges: Partial<Record<Counter['name'], (count: string) => string>> = panel.shell.badges;

function Navigation() {
  const words = panel.shell;
  const session = useSession();
  const { isMainAdmin, roles } = useUser();
  const [path, go] = useLocation();
  usePaymentKey(() => go(paths.takePayment));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the badges are read again on every page change
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: readKey(readToday) }, { cancelRefetch: false });
  }, [path]);
  const own = counters.filter((counter) => badges[counter.name] && isWorkOf(roles, counter));
  const isAsked = own.length > 0 || path === paths.today;
  const waiting = useRead(readToday, { enabled: isAsked, anew: true }).data?.waiting;
  const hasMessages = useMessageChannels().isUsed || path === paths.messages;
  return (
    <nav aria-label={words.navigation} className="px-3.5">
      <ul className="flex flex-col gap-1 [@media(height<50rem)]:gap-0.5">
        {places
          .filter(([href]) => isMainAdmin || href !== paths.audit)
          .filter(([href]) => hasMessages || href !== paths.messages)
          .map(([href, label]) => (
            <Place key={href} {...{ href, label, waiting }} badge={own.find(({ path: at }) => at === href)} />
          ))}
        <li>
          <button type="button" className={lineStyle} onClick={session.signOut}>
            {words.logout}
          </button>
        </li>
      </ul>
    </nav>
  );
}

/** P, pressed where nothing is typed and no dialog is open, goes to the counter. */
function usePaymentKey(onPressed: () => void): void {
  const pressed = useRef(onPressed);
  pressed.current = onPressed;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key.toLowerCase() !== 'p' || ctrlKey || metaKey || altKey || event.defaultPrevented) return;
      const isTyped =
        target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
      if (isTyped || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      pressed.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

type PlaceProps = {
  href: string;
  label: string;
  /** The counter that its badge shows. */
  badge: Counter | undefined;
  waiting: Today['waiting'] | undefined;
};

/** A sidebar link. Its badge is described separately, so that its accessible name stays plain. */
function Place({ href, label, badge, waiting }: PlaceProps) {
  const count = (badge && waiting?.[badge.name]) ?? 0;
  const [location] = useLocation();
  const isWithin =
    (href === paths.members && location === paths.management) ||
    (href === paths.reports && location === paths.month);
  const isHere = location === href || isWithin;
  return (
    <li>
      <Link
        href={href}
        onPointerEnter={pages[href]?.preload}
        onFocus={pages[href]?.preload}
        aria-current={isHere ? 'page' : undefined}
        aria-description={badge && count > 0 ? badges[badge.name]?.(String(count)) : undefined}
        className={lineStyle}
      >
        {label}
        {count > 0 && (
          <span
            aria-hidden="true"
            className="-mr-2 min-w-5.5 whitespace-nowrap rounded-full bg-mango px-1.5 py-0.5 text-center text-12 font-bold text-on-mango"
          >
            {/* Two digits fit; the description has the full number. */}
            {count > 99 ? '99+' : count}
          </span>
        )}
      </Link>
    </li>
  );
}

/** The main admin is labelled as such (§main-admin), other staff by name. */
function SignedInAs() {
  const user = useUser();
  const name = user.isMainAdmin ? panel.shell.mainAdmin : user.fullName;
  const note = [user.fullName, user.email, user.phone].find((text) => text && text !== name);
  return (
    <p className="px-3 text-12 text-on-deep-soft">
      <span className="block text-14 font-semibold text-on-deep wrap-anywhere">{name}</span>
      <span className="wrap-anywhere">{note}</span>
    </p>
  );
}

/** Opens when a staff session ends mid-work; the page underneath keeps what was typed. */
function SessionEndedDialog() {
  const session = useSession();
  const words = panel.sessionEnded;
  if (session.state !== 'signedIn' || !session.lost) return null;
  const text = session.lost === 'idle' ? words.idle(words.text) : words.text;
  return (
    // Esc is ignored: behind the dialog every call would be refused.
    <Dialog onClose={() => undefined} closeOnBackdrop={false} title={words.title} description={text}>
      <StaffSignInForm
        username={session.user.email ?? session.user.phone}
        onSignedIn={(opened) => {
          opened.enter();
          // Requests that failed are sent again.
          void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
        }}
      />
      <Button look="quiet" wide className="mt-2" onClick={session.signOut}>
        {words.signOut}
      </Button>
    </Dialog>
  );
}

/** Asks staff with an issued password to set their own; if postponed, it returns at the next visit. */
function OwnPasswordDialog() {
  const session = useSession();
  const [putOff, setPutOff] = useState(false);
  const words = panel.ownPassword;
  const asked = session.state === 'signedIn' && !session.lost && session.user.mustChangePassword;
  if (!asked || putOff) return null;
  return (
    <Dialog
      onClose={() => setPutOff(true)}
      closeOnBackdrop={false}
      title={words.title}
      description={words.text}
    >
      <OwnPasswordForm cancelLabel={words.later} onDone={() => setPutOff(true)} />
    </Dialog>
  );
}
