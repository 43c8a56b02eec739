import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
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

const ownNames = ['search', 'status', 'sort', 'open'];

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

/** The query part of an address that shows a list so; `others` are parameters of the page's own. */
export function tableQuery(
  { search, status, sort, open }: Partial<TableState>,
  others: Iterable<[string, string]> = [],
): string {
  const query = new URLSearchParams();
  if (search) query.set('search', search);
  if (status) query.set('status', status);
  if (sort) query.set('sort', sortText(sort));
  if (open) query.set('open', String(open));
  for (const [name, value] of others) query.set(name, value);
  const text = query.toString();
  return text && `?${text}`;
}

/** How long typing must rest before the address bar follows: browsers bound how often it may be written. */
const typingRestMs = 120;

/** The view of the list on this page, read from the address bar and written to it, without a step in the history. */
export function useTableState(): TableState & {
  show: (change: Partial<TableState>) => void;
  /** Shows what is being typed at once; the address bar follows when the typing rests. */
  type: (search: string) => void;
  /** Sorts by a column: first ascending, then descending, then as the server has it. */
  sortBy: (column: string) => void;
} {
  const search = useSearch();
  const state = useMemo(() => readState(search), [search]);
  const [typed, setTyped] = useState<string>();
  const waiting = useRef<{ search: string; timeout: ReturnType<typeof setTimeout> }>(undefined);
  useEffect(() => () => clearTimeout(waiting.current?.timeout), []);

  const show = useCallback((change: Partial<TableState>) => {
    // From the address bar itself, since two changes may come before this is drawn again.
    const next = { ...readState(location.search), ...waitingSearch(waiting), ...change };
    const others = [...new URLSearchParams(location.search)].filter(([name]) => !ownNames.includes(name));
    navigate(`${location.pathname}${tableQuery(next, others)}`, { replace: true });
    setTyped(undefined);
  }, []);

  const type = useCallback(
    (text: string) => {
      clearTimeout(waiting.current?.timeout);
      waiting.current = { search: text, timeout: setTimeout(() => show({}), typingRestMs) };
      setTyped(text);
    },
    [show],
  );

  const sortBy = useCallback(
    (by: string) => {
      const { sort } = readState(location.search);
      if (sort?.by !== by) return show({ sort: { by, descending: false } });
      show({ sort: sort.descending ? undefined : { by, descending: true } });
    },
    [show],
  );

  return { ...state, search: typed ?? state.search, show, type, sortBy };
}

/** Takes what is typed and not in the address bar yet, so that it goes there with the next change. */
function waitingSearch(waiting: {
  current: { search: string; timeout: ReturnType<typeof setTimeout> } | undefined;
}): Partial<TableState> {
  const { current } = waiting;
  if (!current) return {};
  clearTimeout(current.timeout);
  waiting.current = undefined;
  return { search: current.search };
}
