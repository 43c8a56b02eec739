import type { UseQueryResult } from '@tanstack/react-query';
import type { Endpoint } from '#contract/endpoint.ts';
import { panel } from '#contract/wording/panel.ts';
import { manilaTime } from '#domain/calendar.ts';
import { RefreshButton } from '#web/lib/refresh-button.tsx';

type Props = { query: Pick<UseQueryResult, 'dataUpdatedAt'>; reads: readonly Endpoint[] };

/** When what is shown was read, and a button that reads it again. */
export function ReadAt({ query: { dataUpdatedAt }, reads }: Props) {
  return (
    <div className="flex items-center gap-2 whitespace-nowrap text-12 text-ink-soft">
      {dataUpdatedAt > 0 && <p>{panel.list.readAt(manilaTime(new Date(dataUpdatedAt)))}</p>}
      <RefreshButton reads={reads} />
    </div>
  );
}
