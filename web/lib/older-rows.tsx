import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { call } from './call.ts';
import { useErrorText } from './error-text.ts';
import { readKey } from './query.tsx';
import { useWords } from './words.ts';

type Older<Item> = {
  /** When the first page was read that these follow on. */
  readAt: number;
  items: readonly Item[];
  isAll: boolean;
  problem?: unknown;
};

/** How many rows a list has, as far as its first page tells. */
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
  const { dashboard } = useWords();
  const errorText = useErrorText();
  const [kept, setOlder] = useState<Older<Item>>();
  const [isBusy, setBusy] = useState(false);
  const { dataUpdatedAt: readAt } = useQuery({
    queryKey: readKey(row, { query: query as never }),
    enabled: false,
  });
  if (newest.length < limits.ownListMaxRows) return { rows: newest, more: null };
  const older = kept?.readAt === readAt ? kept : { readAt, items: [], isAll: false };
  const rows = [...newest, ...older.items];

  async function fetchOlder() {
    setBusy(true);
    try {
      const before = String(rows.at(-1)?.id);
      const page = (await call(row, { query: { ...query, before } } as object)) as unknown as Item[];
      const isAll = page.length < limits.ownListMaxRows;
      setOlder({ ...older, items: [...older.items, ...page], isAll, problem: undefined });
    } catch (problem) {
      setOlder({ ...older, problem });
    } finally {
      setBusy(false);
    }
  }

  const more = !older.isAll && (
    <div className="flex flex-wrap items-center gap-x-3 py-2 text-14 text-ink-soft">
      <p role={older.problem ? 'alert' : undefined}>
        {older.problem ? errorText(older.problem) : dashboard.newestOnly(rows.length)}
      </p>
      <Button look="quiet" size="compact" busy={isBusy} onClick={() => void fetchOlder()}>
        {dashboard.older}
      </Button>
    </div>
  );
  return { rows, more: more || null };
}
