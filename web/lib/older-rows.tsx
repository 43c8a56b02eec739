import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import { QuietButton } from '#web/ui/button.tsx';
import { useAccountWords } from './all-words.ts';
import { call } from './call.ts';
import { readKey } from './query.tsx';

/** Counts the rows of a list, as far as its first page tells. */
export const countText = ({ length }: readonly unknown[]): string =>
  length < limits.ownListMaxRows ? String(length) : `${length}+`;

/**
 * A list that ends at `ownListMaxRows` (§long-lists): all rows fetched so far, and the line that says so and fetches older
 * ones. The line is null where the list is complete.
 */
export function useOlderRows<Item extends { id: number }>(
  row: Endpoint,
  newest: readonly Item[],
  query: Record<string, string> = {},
): { rows: readonly Item[]; more: ReactNode } {
  const { list, errorText } = useAccountWords();
  const newestKey = readKey(row, { query: query as never });
  const { dataUpdatedAt } = useQuery({ queryKey: newestKey, enabled: false });
  const older = useInfiniteQuery({
    // They follow on the first page as it was read then.
    queryKey: ['older', ...newestKey, dataUpdatedAt],
    queryFn: ({ pageParam }) =>
      call(row, { query: { ...query, before: pageParam } } as object) as Promise<unknown> as Promise<Item[]>,
    initialPageParam: String(newest.at(-1)?.id),
    getNextPageParam: (page) => (page.length < limits.ownListMaxRows ? undefined : String(page.at(-1)?.id)),
    enabled: false,
    gcTime: 0,
  });
  const rows = [...newest, ...(older.data?.pages.flat() ?? [])];
  if (newest.length < limits.ownListMaxRows || (older.data && !older.hasNextPage))
    return { rows, more: null };

  const more = (
    <div className="flex flex-wrap items-center gap-x-3 py-2 text-14 text-ink-soft">
      <p role={older.error ? 'alert' : undefined}>
        {older.error ? errorText(older.error) : list.newestOnly(rows.length)}
      </p>
      <QuietButton busy={older.isFetching} onClick={() => void older.fetchNextPage()}>
        {list.older}
      </QuietButton>
    </div>
  );
  return { rows, more };
}

type MoreButtonProps = {
  all: boolean;
  onAll: (all: boolean) => void;
  count: number | string;
  controls: string;
};

/** Shows a short list as a whole, and short again. */
export function MoreButton({ all, onAll, count, controls }: MoreButtonProps) {
  const { myLoan } = useAccountWords();
  return (
    <QuietButton
      className="-my-2 -mr-3"
      aria-expanded={all}
      aria-controls={controls}
      onClick={() => onAll(!all)}
    >
      {all ? myLoan.fewer : myLoan.all(count)}
    </QuietButton>
  );
}
