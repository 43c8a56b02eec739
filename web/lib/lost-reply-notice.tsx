import { ClockIcon, InfoIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Banner } from '#web/ui/banner.tsx';
import { useAccountWords } from './all-words.ts';
import type { MoneyCallState } from './money-call.ts';

/** Shown after a lost reply: still looking for it, or not found. Claims neither success nor failure. */
export function LostReplyNotice({ state }: { state: MoneyCallState }) {
  const { shell } = useAccountWords();
  const notice = useRef<HTMLDivElement>(null);

  const message = state === 'checking' || state === 'unsettled' ? shell[state] : undefined;

  useEffect(() => {
    if (message) notice.current?.scrollIntoView({ block: 'end' });
  }, [message]);

  return (
    // The margin keeps it clear of the sticky buttons.
    <div ref={notice} role="status" className="scroll-mb-24 empty:hidden">
      {message && (
        <Banner tone="warn" icon={state === 'checking' ? <ClockIcon /> : <InfoIcon />}>
          {message}
        </Banner>
      )}
    </div>
  );
}
