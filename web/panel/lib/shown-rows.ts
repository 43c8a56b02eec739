import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import type { Sort, TableState } from './table-state.ts';
import { createYielder } from './yielder.ts';

/** How a list is searched, filtered and sorted. Define it outside components: a new object recomputes the list. */
export type ListRules<Item> = {
  /** Everything the search covers, phone number included, in any order. */
  searchText: (item: Item) => string;
  statusOf: (item: Item) => string;
  /** Whether a row matches a filter offered beside the statuses. */
  alsoFits?: (item: Item, choice: string) => boolean;
  /** Sort keys by column id. */
  sortValues: Record<string, (item: Item) => string | number>;
};

const searchTexts = new WeakMap<object, string>();

function searchTextOf<Item extends object>(item: Item, { searchText }: ListRules<Item>): string {
  const kept = searchTexts.get(item);
  if (kept !== undefined) return kept;
  const text = searchText(item).toLowerCase();
  searchTexts.set(item, text);
  return text;
}

/** Filters and sorts rows. The search is literal and case-insensitive. */
export function shownRows<Item extends object>(
  rows: readonly Item[],
  rules: ListRules<Item>,
  { search, status, sort }: Pick<TableState, 'search' | 'status' | 'sort'>,
): readonly Item[] {
  const needle = search.trim().toLowerCase();
  // A phone number matches without the spaces and dashes typed.
  const compact = /^[+\d][\d\s()-]+$/.test(needle) ? needle.replace(/[^+\d]/g, '') : needle;
  const holds = (text: string) => text.includes(needle) || (compact !== needle && text.includes(compact));
  const fits = (item: Item) =>
    (status === '' || rules.statusOf(item) === status || rules.alsoFits?.(item, status)) &&
    (needle === '' || holds(searchTextOf(item, rules)));
  const found = needle === '' && status === '' ? rows : rows.filter(fits);
  return sort ? sorted(found, rules, sort) : found;
}

const plainLetters = /^[ -~]*$/;

/** Without case and accents, so that Peña sorts beside Pena. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  return plainLetters.test(lower) ? lower : lower.normalize('NFD').replace(/\p{Mn}/gu, '');
}

/**
 * Sorts by precomputed keys with plain comparison: over a hundred thousand rows a collator would block the page for a
 * second.
 */
function sorted<Item>(
  rows: readonly Item[],
  rules: ListRules<Item>,
  { by, descending }: Sort,
): readonly Item[] {
  const sortValue = Object.hasOwn(rules.sortValues, by) ? rules.sortValues[by] : undefined;
  if (!sortValue) return rows;
  const direction = descending ? -1 : 1;
  const keyed = rows.map((item) => {
    const value = sortValue(item);
    return { item, value: typeof value === 'string' ? folded(value) : value };
  });
  keyed.sort((a, b) => (a.value === b.value ? 0 : a.value < b.value ? -direction : direction));
  return keyed.map(({ item }) => item);
}

/**
 * Precomputes search texts in small portions as rows arrive, so that the first keystroke does not wait for all of them.
 */
function useWarmSearch<Item extends object>(rows: readonly Item[] | undefined, rules: ListRules<Item>): void {
  const warmed = useRef<{ first: Item | undefined; count: number }>({ first: undefined, count: 0 });
  useEffect(() => {
    if (!rows) return;
    // Rows are appended at the end; a different first row means a different list.
    if (warmed.current.first !== rows[0]) warmed.current = { first: rows[0], count: 0 };
    const { current } = warmed;
    let isOver = false;
    async function warm(list: readonly Item[]) {
      const yieldNow = createYielder();
      for (const item of list.slice(current.count)) {
        if (isOver) return;
        searchTextOf(item, rules);
        current.count += 1;
        await yieldNow();
      }
    }
    void warm(rows);
    return () => {
      isOver = true;
    };
  }, [rows, rules]);
}

/** `shownRows` with deferred search: typing is never held up by the list. */
export function useShownRows<Item extends object>(
  rows: readonly Item[] | undefined,
  rules: ListRules<Item>,
  state: TableState,
): readonly Item[] {
  useWarmSearch(rows, rules);
  const search = useDeferredValue(state.search);
  const { status, sort } = state;
  const by = sort?.by;
  const descending = sort?.descending ?? false;
  return useMemo(
    () =>
      shownRows(rows ?? [], rules, {
        search,
        status,
        sort: by === undefined ? undefined : { by, descending },
      }),
    [rows, rules, search, status, by, descending],
  );
}
