import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { whenAtRest } from '#web/lib/at-rest.ts';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { toastStore } from '#web/lib/toast-store.ts';
import { Toaster } from './pages.ts';

/**
 * The toasts. What draws them is fetched when the page has come to rest or the first one is raised, whichever is first;
 * a toast waits for it in the store. From then on their region stands, for those who look for it by its key.
 */
export function Toasts() {
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
