import type { UseQueryResult } from '@tanstack/react-query';
import type { Endpoint } from '#contract/endpoint.ts';
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
