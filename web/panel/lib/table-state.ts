import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';

export type Sort = { by: string; descending: boolean };

/** The part of a list's view kept in the URL, so that it can be shared and survives a reload. */
export type TableState = {
  search: string;
  status: string;
  /** Undefined is the server's order, newest first. */
  sort: Sort | undefined;
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

/** The query string for a view; `others` are the page's own parameters. */
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

/** Debounce of URL updates: browsers rate-limit them. */
const typingRestMs = 120;

/** The list's view, in sync with the URL and without history entries. */
export function useTableState(): TableState & {
  show: (change: Partial<TableState>) => void;
  /** Updates the search at once and the URL after a pause. */
  type: (search: string) => void;
  /** Cycles a column: ascending, descending, server order. */
  sortBy: (column: string) => void;
} {
  const search = useSearch();
  const state = useMemo(() => readState(search), [search]);
  const [typed, setTyped] = useState<string>();
  const waiting = useRef<{ search: string; timeout: ReturnType<typeof setTimeout> }>(undefined);
  useEffect(() => () => clearTimeout(waiting.current?.timeout), []);

  const show = useCallback((change: Partial<TableState>) => {
    // From the URL itself, since two changes may come before a re-render.
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

/** Takes the search not yet in the URL, so that it is written along with the next change. */
function waitingSearch(waiting: {
  current: { search: string; timeout: ReturnType<typeof setTimeout> } | undefined;
}): Partial<TableState> {
  const { current } = waiting;
  if (!current) return {};
  clearTimeout(current.timeout);
  waiting.current = undefined;
  return { search: current.search };
}
