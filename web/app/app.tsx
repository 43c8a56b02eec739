import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { LanguageProvider } from '#web/lib/language.tsx';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { SessionProvider } from '#web/lib/session.tsx';
import { toastStore } from '#web/lib/toast-store.ts';
import { AppRoutes } from './app-routes.tsx';
import { Toaster } from './pages.ts';

/** The whole app: language, session, routes, and the toasts over them. */
export function App() {
  return (
    <LanguageProvider>
      <SessionProvider>
        <PageBoundary>
          <AppRoutes />
        </PageBoundary>
        <Toasts />
      </SessionProvider>
    </LanguageProvider>
  );
}

/**
 * The toasts. What draws them is fetched when the page has come to rest or the first one is raised, whichever is first;
 * a toast waits for it in the store. From then on their region stands, for those who look for it by its key.
 */
function Toasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  const [isFetched, setFetched] = useState(false);
  // Not drawn before it is there: a drawing that failed could not be tried again when a toast needs it.
  useEffect(() => whenAtRest(() => void Toaster.load().then(setFetched)), []);
  if (toasts.length === 0 && !isFetched) return null;
  return (
    <PageBoundary fallback={<PlainToasts />}>
      <Suspense>
        <Toaster />
      </Suspense>
    </PageBoundary>
  );
}

/** The same words without the finish, when even that could not be fetched: most toasts of that moment say why. */
function PlainToasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  return toasts.map(({ id, title, description }) => (
    <p
      key={id}
      role="alert"
      className="fixed inset-x-4 top-4 z-60 rounded-card border border-line bg-card p-4 text-14 shadow-soft"
    >
      <strong>{title}</strong> {description}
    </p>
  ));
}

/** By then a page has shown itself and asked for what it needs, on most phones. */
const restMs = 2_000;

/** Calls back a while after the page was shown, for what is worth having but not worth waiting for; unless stopped before. */
function whenAtRest(callback: () => void): () => void {
  const timeout = setTimeout(callback, restMs);
  return () => clearTimeout(timeout);
}
