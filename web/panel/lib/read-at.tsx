import type { UseQueryResult } from '@tanstack/react-query';
import { useReducer } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { panel } from '#contract/wording/panel.ts';
import { readMoment } from '#web/lib/lender.ts';
import { useMidnight } from '#web/lib/midnight.ts';
import { RefreshButton } from '#web/lib/refresh-button.tsx';

/** When what is shown was read: 0 if it was not. From the next day on it says which day. */
export function ReadTime({ at }: { at: number }) {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useMidnight(drawAgain);
  return at > 0 && <p>{panel.list.readAt(readMoment(at))}</p>;
}

type Props = { query: Pick<UseQueryResult, 'dataUpdatedAt'>; reads: readonly Endpoint[] };

/** When what is shown was read, and a button that reads it again. */
export function ReadAt({ query: { dataUpdatedAt }, reads }: Props) {
  return (
    <div className="flex items-center gap-2 whitespace-nowrap text-12 text-ink-soft">
      <ReadTime at={dataUpdatedAt} />
      <RefreshButton reads={reads} />
    </div>
  );
}
