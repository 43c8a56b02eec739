import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { ReadTime } from '#web/lib/read-time.tsx';
import { RefreshButton } from '#web/lib/refresh-button.tsx';

type Props = { query: Pick<UseQueryResult, 'dataUpdatedAt'>; reads: readonly Endpoint[] };

/** When what is shown was read, and a button that reads it again. */
export function ReadAt({ query: { dataUpdatedAt }, reads }: Props) {
  return (
    <div className="flex items-center gap-2 whitespace-nowrap">
      <ReadTime at={dataUpdatedAt} />
      <RefreshButton reads={reads} />
    </div>
  );
}

/** Says what is worked out, and for how long by now. The result takes its place on the screen. */
export function Working({ text }: { text: string }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      {text} <span className="tabular-nums">{seconds > 0 && panel.reports.seconds(seconds)}</span>
    </>
  );
}
