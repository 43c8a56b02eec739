import { WifiOffIcon } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Ribbon } from '#web/ui/ribbon.tsx';
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
      {!online && (
        <div
          role="status"
          className="flex items-center justify-center gap-2 border-b border-line bg-mango-tint px-4 py-2 text-14 font-medium text-ink"
        >
          <WifiOffIcon className="size-4 shrink-0" />
          <span>{shell.offline}</span>
        </div>
      )}
    </>
  );
}
