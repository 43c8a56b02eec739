import { ClockIcon, InfoIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Banner } from '#web/ui/banner.tsx';
import { useAccountWords } from './account-words.ts';
import type { MoneyCallState } from './money-call.ts';

/** Shown after a lost reply: still looking for it, or not found. Claims neither success nor failure. */
export function SettlingNotice({ state }: { state: MoneyCallState }) {
  const { shell } = useAccountWords();
  const notice = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (state === 'checking' || state === 'unsettled') notice.current?.scrollIntoView({ block: 'end' });
  }, [state]);

  return (
    // The margin keeps it clear of the sticky buttons.
    <div ref={notice} role="status" className="scroll-mb-24 empty:hidden">
      {state === 'checking' && (
        <Banner tone="warn" icon={<ClockIcon />}>
          {shell.checking}
        </Banner>
      )}
      {state === 'unsettled' && (
        <Banner tone="warn" icon={<InfoIcon />}>
          {shell.unsettled}
        </Banner>
      )}
    </div>
  );
}
