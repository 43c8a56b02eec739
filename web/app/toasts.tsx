import { Suspense, useSyncExternalStore } from 'react';
import { toastStore } from '#web/lib/toast-store.ts';
import { PageBoundary } from './page-boundary.tsx';
import { Toaster } from './pages.ts';

/** The toasts, whose drawing is fetched when the first one is raised at the latest. */
export function Toasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  if (toasts.length === 0) return null;
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
