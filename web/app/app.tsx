import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { LanguageProvider } from '#web/lib/language.tsx';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { SessionProvider } from '#web/lib/session.tsx';
import { toastStore } from '#web/lib/toast-store.ts';
import { AppRoutes } from './app-routes.tsx';
import { Toaster } from './pages.ts';

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
 * The toasts. Their renderer is fetched once the page is idle or the first toast is raised; toasts wait in the store
 * until then. Afterwards the region stays, so that its hotkey works.
 */
function Toasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  const [isFetched, setFetched] = useState(false);
  // Not rendered until loaded: React could not retry a lazy component that failed once.
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

/** A plain fallback if the renderer cannot be fetched: toasts raised at that moment mostly say why. */
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

/** By then most phones have rendered the page and requested what it needs. */
const restMs = 2_000;

function whenAtRest(callback: () => void): () => void {
  const timeout = setTimeout(callback, restMs);
  return () => clearTimeout(timeout);
}
