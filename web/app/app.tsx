import { RotateCcwIcon } from 'lucide-react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import { EnglishOnly, LanguageProvider, useCoreWords } from '#web/lib/language.tsx';
import { brand } from '#web/lib/lender.ts';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { useSession } from '#web/lib/session.tsx';
import { useToasts } from '#web/lib/toast-store.ts';
import { TopLines } from '#web/lib/top-lines.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorState } from '#web/ui/empty-state.tsx';
import { Loading, PageSkeleton } from '#web/ui/skeleton.tsx';
import { BorrowerLayout } from './borrower-layout.tsx';
import {
  AccessDeniedPage,
  AdminLoginPage,
  BorrowerCache,
  borrowerPages,
  NotFoundPage,
  Panel,
  preloadBorrowerPage,
  SignInPage,
  StaffHerePage,
  Toaster,
} from './pages.ts';

export function App() {
  // Removes what the server drew (`first-sight.tsx`) in the moment of the app's own first drawing.
  useLayoutEffect(() => document.getElementById('first-sight')?.remove(), []);
  return (
    <LanguageProvider>
      <PageBoundary>
        <AppRoutes />
      </PageBoundary>
      <Toasts />
    </LanguageProvider>
  );
}

/**
 * The toasts. Their renderer is fetched at the first touch or key, or when the first toast is raised; toasts wait in the
 * store until then. Afterwards the region stays, so that its hotkey works.
 */
function Toasts() {
  const toasts = useToasts();
  const [isFetched, setFetched] = useState(false);
  // The component is not rendered until it is loaded: React could not retry a lazy one that failed once.
  useEffect(() => {
    const fetchToaster = () => {
      // The sign-in screen is at hand where the session ends.
      SignInPage.preload();
      void Toaster.load().then(setFetched);
    };
    for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, fetchToaster, { once: true });
  }, []);
  if (toasts.length === 0 && !isFetched) return null;
  // If the renderer cannot be fetched: toasts raised at that moment mostly say why.
  const plain = toasts.map(({ id, title, description }) => (
    <p
      key={id}
      role="alert"
      className="fixed inset-x-4 top-4 z-60 rounded-card border border-line bg-card p-4 text-14 shadow-soft"
    >
      <strong>{title}</strong> {description}
    </p>
  ));
  return (
    <PageBoundary fallback={plain}>
      <Toaster />
    </PageBoundary>
  );
}

/** §routes. The landing page (`/`) is outside the app. */
function AppRoutes() {
  useRouteShift();
  return (
    <Switch>
      <Route path={`${paths.management}/*?`} component={StaffOnly} />
      <Route path={paths.adminLogin} component={AdminLogin} />
      <Route>
        <BorrowerLayout>
          <BorrowerRoutes />
        </BorrowerLayout>
      </Route>
    </Switch>
  );
}

/** Filling in this form leads to a toast and then the panel. */
function preloadAfterSignIn() {
  Toaster.preload();
  Panel.preload();
}

function AdminLogin() {
  return (
    <EnglishOnly>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles events bubbling from its fields */}
      <div className="flex min-h-dvh flex-col" onFocus={preloadAfterSignIn}>
        <header>
          <TopLines />
        </header>
        <PageBoundary>
          <AdminLoginPage />
        </PageBoundary>
      </div>
    </EnglishOnly>
  );
}

function StaffOnly() {
  const session = useSession();
  const [location] = useLocation();
  const isStaff = session.state === 'signedIn' && session.user.isAdmin;
  const [wasStarting] = useState(session.state === 'starting');
  const framed = (
    <BorrowerLayout>
      <PageBoundary resetKey={location}>
        {session.state === 'starting' || isStaff ? <Starting /> : <AccessDeniedPage shape={<PageShape />} />}
      </PageBoundary>
    </BorrowerLayout>
  );
  // Straight from sign-in: a blank moment rather than a borrower's page.
  return isStaff ? <Panel shape={wasStarting && framed} /> : framed;
}

const signInPaths: readonly string[] = [paths.signIn, paths.customerLogin];

/**
 * The borrower's pages, within persistent bars. Signed out, every borrower route shows the sign-in screen under its own
 * URL; it is a single instance, so that nothing typed is lost between routes.
 */
function BorrowerRoutes() {
  const [path] = useLocation();
  const session = useSession();
  const bare = path.toLowerCase().replace(/(.)\/$/, '$1');
  const isSignIn = signInPaths.includes(bare);
  const Page = borrowerPages[bare];
  const shape = <PageShape />;
  return (
    <PageBoundary resetKey={path}>
      {!isSignIn && !Page ? (
        <NotFoundPage shape={shape} />
      ) : session.state === 'starting' ? (
        <Starting />
      ) : session.state === 'signedOut' ? (
        <SignInPage shape={shape} onEngaged={preloadWhatFollows} />
      ) : isSignIn ? (
        <Redirect to={paths.home} replace />
      ) : session.user.isAdmin ? (
        <StaffHerePage shape={shape} />
      ) : (
        <BorrowerCache shape={shape}>{Page && <Page shape={shape} />}</BorrowerCache>
      )}
    </PageBoundary>
  );
}

function preloadWhatFollows() {
  Toaster.preload();
  void preloadBorrowerPage(paths.home);
}

const weavePx = 48;

/**
 * Shifts the background weave by a random offset on every route change (§navigation). CSS ignores it under
 * prefers-reduced-motion.
 */
function useRouteShift(): void {
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on route changes
  useEffect(() => {
    const { style } = document.body;
    style.setProperty('--weave-x', `${Math.floor(Math.random() * weavePx)}px`);
    style.setProperty('--weave-y', `${Math.floor(Math.random() * weavePx)}px`);
  }, [location]);
}

function PageShape() {
  const { shell } = useCoreWords();
  return (
    <Loading label={shell.loading} className="flex flex-col gap-5 pt-2">
      <PageSkeleton />
    </Loading>
  );
}

/** Shows while the stored session is being restored, and offers a retry if that fails. */
function Starting() {
  const { shell } = useCoreWords();
  const session = useSession();
  if (session.state !== 'starting' || session.problem === undefined) return <PageShape />;
  return (
    <Card className="mt-4">
      <h1 className="sr-only">{brand().name}</h1>
      <ErrorState
        title={shell.startFailed}
        action={
          <Button icon={<RotateCcwIcon className="size-5" />} onClick={session.retry}>
            {shell.retry}
          </Button>
        }
      >
        {shell.startFailedNote}
      </ErrorState>
    </Card>
  );
}
