import { LanguageProvider } from '#web/lib/language.tsx';
import { PageBoundary } from '#web/lib/page-boundary.tsx';
import { SessionProvider } from '#web/lib/session.tsx';
import { AppRoutes } from './app-routes.tsx';
import { Toasts } from './toasts.tsx';

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
