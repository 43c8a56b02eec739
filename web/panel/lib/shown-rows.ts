import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import type { Sort, TableState } from './table-state.ts';
import { createYielder } from './yielder.ts';

/** What a list is searched, narrowed and sorted by. Give it from outside a component: it is a reason to look again. */
export type ListRules<Item> = {
  /** All that the search looks in, in any order; a phone number among it. */
  searchText: (item: Item) => string;
  statusOf: (item: Item) => string;
  /** Whether a row fits a choice that is offered beside the statuses. */
  alsoFits?: (item: Item, choice: string) => boolean;
  /** The value that a column sorts by, by the column's id. */
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

/** The rows that fit a search and a status, sorted. The search is taken literally, in any letter case. */
export function shownRows<Item extends object>(
  rows: readonly Item[],
  rules: ListRules<Item>,
  { search, status, sort }: Pick<TableState, 'search' | 'status' | 'sort'>,
): readonly Item[] {
  const needle = search.trim().toLowerCase();
  // A phone number is looked for without the spaces and dashes that it was typed with.
  const compact = /^[+\d][\d\s()-]+$/.test(needle) ? needle.replace(/[^+\d]/g, '') : needle;
  const holds = (text: string) => text.includes(needle) || (compact !== needle && text.includes(compact));
  const fits = (item: Item) =>
    (status === '' || rules.statusOf(item) === status || rules.alsoFits?.(item, status)) &&
    (needle === '' || holds(searchTextOf(item, rules)));
  const found = needle === '' && status === '' ? rows : rows.filter(fits);
  return sort ? sorted(found, rules, sort) : found;
}

const plainLetters = /^[ -~]*$/;

/** Letters without case and accents, so that Peña stands beside Pena. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  return plainLetters.test(lower) ? lower : lower.normalize('NFD').replace(/\p{Mn}/gu, '');
}

/**
 * Sorted by precomputed values, compared plainly: with a hundred thousand rows a collator would hold the page up for a
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
 * Makes the texts that a search looks in as the rows arrive, in small portions, so that the first letter does not wait
 * for all of them.
 */
function useWarmSearch<Item extends object>(rows: readonly Item[] | undefined, rules: ListRules<Item>): void {
  const warmed = useRef<{ first: Item | undefined; count: number }>({ first: undefined, count: 0 });
  useEffect(() => {
    if (!rows) return;
    // More rows come behind those that are here. Another list begins with another row.
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

/** `shownRows` that lets typing go first: the list follows the search box, and never holds it up. */
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
