import { useCallback, useMemo } from 'react';
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';

/** How a list is ordered: by a column's id. */
export type Sort = { by: string; descending: boolean };

/** What of a list's view stands in the address bar, so that it can be shared and survives a reload. */
export type TableState = {
  search: string;
  /** The status, or another choice, that the list is narrowed to; empty for all. */
  status: string;
  /** The server's own order, newest first, when undefined. */
  sort: Sort | undefined;
  /** The row whose details are open. */
  open: number | undefined;
};

const sortText = ({ by, descending }: Sort) => `${descending ? '-' : ''}${by}`;

function readState(search: string): TableState {
  const query = new URLSearchParams(search);
  const sort = query.get('sort') ?? '';
  const open = query.get('open') ?? '';
  return {
    search: query.get('search') ?? '',
    status: query.get('status') ?? '',
    sort: sort === '' ? undefined : { by: sort.replace(/^-/, ''), descending: sort.startsWith('-') },
    open: /^[1-9]\d{0,15}$/.test(open) ? Number(open) : undefined,
  };
}

/** The query part of an address that shows a list so. */
export function tableQuery({ search, status, sort, open }: Partial<TableState>): string {
  const query = new URLSearchParams();
  if (search) query.set('search', search);
  if (status) query.set('status', status);
  if (sort) query.set('sort', sortText(sort));
  if (open) query.set('open', String(open));
  const text = query.toString();
  return text && `?${text}`;
}

/** The view of the list on this page, read from the address bar and written to it, without a step in the history. */
export function useTableState(): TableState & {
  show: (change: Partial<TableState>) => void;
  /** Sorts by a column: first ascending, then descending, then as the server has it. */
  sortBy: (column: string) => void;
} {
  const search = useSearch();
  const state = useMemo(() => readState(search), [search]);

  const show = useCallback((change: Partial<TableState>) => {
    // From the address bar itself, since two changes may come before this is drawn again.
    const next = { ...readState(location.search), ...change };
    navigate(`${location.pathname}${tableQuery(next)}`, { replace: true });
  }, []);

  const sortBy = useCallback(
    (by: string) => {
      const { sort } = readState(location.search);
      if (sort?.by !== by) return show({ sort: { by, descending: false } });
      show({ sort: sort.descending ? undefined : { by, descending: true } });
    },
    [show],
  );

  return { ...state, show, sortBy };
}
