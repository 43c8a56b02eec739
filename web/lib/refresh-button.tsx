import { RefreshCwIcon } from 'lucide-react';
import { useState } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { useWords } from './home-words.ts';
import { refreshReads } from './query.tsx';
import { useSession } from './session.tsx';

/** Reads the account and `reads` again: nothing refetches automatically. */
export function RefreshButton({ reads }: { reads: readonly Endpoint[] }) {
  const { dashboard } = useWords();
  const { refresh } = useSession();
  const [state, setState] = useState<'idle' | 'busy' | 'done' | 'failed'>('idle');

  async function readAgain() {
    setState('busy');
    const [isAccountRead, ...areRead] = await Promise.all([refresh(), ...reads.map(refreshReads)]);
    // A read that failed says so itself; only the account does not.
    if (areRead.includes(false)) setState('failed');
    else setState(isAccountRead ? 'done' : 'idle');
  }

  return (
    <>
      <IconButton
        label={dashboard.refresh}
        aria-busy={state === 'busy' || undefined}
        disabled={state === 'busy'}
        onClick={() => void readAgain()}
        className="-mr-2.5"
      >
        <RefreshCwIcon className={classNames(state === 'busy' && 'animate-turn')} />
      </IconButton>
      <p role="status" className="sr-only">
        {state === 'done' ? dashboard.refreshed : state === 'failed' && dashboard.notRefreshed}
      </p>
    </>
  );
}
