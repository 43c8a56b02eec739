import { useSyncExternalStore } from 'react';
import { OfflineBanner, Ribbon } from '#web/ui/ribbon.tsx';
import { useCoreWords, useLanguage } from './language.tsx';
import { ribbonText } from './lender.ts';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Above every page: whose installation it is, if it is not for customers, and whether there is no connection at all. */
export function TopLines() {
  const { shell } = useCoreWords();
  const { language } = useLanguage();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  const ribbon = ribbonText(shell, language);
  return (
    <>
      {ribbon && <Ribbon>{ribbon}</Ribbon>}
      {!online && <OfflineBanner>{shell.offline}</OfflineBanner>}
    </>
  );
}
