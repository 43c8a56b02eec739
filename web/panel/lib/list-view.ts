import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import * as panel from '#contract/wording/panel-words.ts';
import { foldText, plainText } from '#domain/text.ts';
import { type AddressChange, blank, idFilter, type Readings, useAddress } from './address-filters.tsx';
import type { StaffRows } from './staff-rows.ts';
import { createYielder } from './yielder.ts';

// A staff list's view: search, filters, sorting and the open row. It is kept in the URL, so that it can be shared and
// survives a reload, and applied to the loaded rows.

export type Sort = { by: string; descending: boolean };

/** `-amount` in the URL. Undefined is the server's order, newest first. */
export const sortOf = (text: string): Sort | undefined =>
  text === '' ? undefined : { by: text.replace(/^-/, ''), descending: text.startsWith('-') };

const viewReadings = {
  search: String,
  status: String,
  sort: String,
  open: idFilter,
};
const noReadings: Readings<never> = {};

/** Debounce of URL updates: browsers rate-limit them. */
const typingDebounceMs = 120;

/** The list's view, with the page's own filters, which `own` reads. `own` must be a constant. */
export function useListView<Own extends string = never>(own: Readings<Own> = noReadings as Readings<Own>) {
  const { query, put } = useAddress(viewReadings);
  const filters = useAddress(own).query;
  const [typed, setTyped] = useState<string>();
  const unwritten = useRef<{ search: string }>(undefined);

  /** Stable. A search that is not in the URL yet is written along. */
  const show = useCallback(
    (change: object) => {
      put({ ...unwritten.current, ...change });
      unwritten.current = undefined;
      setTyped(undefined);
    },
    [put],
  );
  useEffect(() => {
    if (typed === undefined) return;
    const timeout = setTimeout(() => show({}), typingDebounceMs);
    return () => clearTimeout(timeout);
  }, [typed, show]);

  const { status, sort } = query;
  const search = typed ?? query.search;
  return {
    search,
    status,
    sort,
    filters,
    open: query.open === '' ? undefined : Number(query.open),
    isFiltered: [search, status, ...Object.values(filters)].some((value) => value !== ''),
    show: show as (change: AddressChange<keyof typeof viewReadings | Own>) => void,
    showAll: () => show({ search: '', status: '', ...blank(filters) }),
    /** Updates the search at once and the URL after a pause. */
    type(text: string) {
      unwritten.current = { search: text };
      setTyped(text);
    },
    /** Cycles a column: ascending, descending, server order. */
    sortBy(by: string) {
      const next = sort === by ? `-${by}` : by;
      show({ sort: sort === `-${by}` ? '' : next });
    },
  };
}

export type ListView = ReturnType<typeof useListView>;

export type ColumnSize = {
  /** Minimum width; `grow` shares the rest. */
  widthPx: number;
  /** The width it needs before a ranked column may be shown beside it. */
  wantPx?: number;
  grow?: number;
  /** When space is short, the highest rank is hidden first. Without a rank it always stays. */
  rank?: number;
};

export type Column<Item, Actions = unknown> = {
  id: string;
  head: string;
  size: ColumnSize;
  numeric?: boolean;
  /** The value that the column sorts by; without it the column cannot be sorted. */
  sortValue?: ((item: Item) => string | number) | undefined;
  /**
   * Shows what it sorts by if undefined. `actions` is what the page lets a row do. A method (bivariant), so that lists
   * with actions fit `ListDefinition`.
   */
  cell?(item: Item, actions: Actions): ReactNode;
};

/**
 * The way to show, search and filter a list. Define it outside components: a new object recomputes the list.
 */
export type ListDefinition<Item, Actions = unknown> = {
  columns: readonly Column<Item, Actions>[];
  /** 40 unless given. */
  rowHeightPx?: number;
  /** The order until a column is chosen. Without one it is the server's, newest first. */
  firstSort?: Sort;
  /** Everything the search covers, phone number included, in any order. */
  searchTexts: (item: Item) => readonly (string | null)[];
  /**
   * The choices of the filter. A row fits if it passes the choice's test, or else has its value as status.
   */
  choices?: readonly { value: string; label: string; fits?(item: Item): boolean | undefined }[];
  /**
   * Letters that act on the row that has the focus; J and K then walk through the list too. Each has to
   * ask first, with the focus where an Enter confirms nothing: a scanner types letters and an Enter.
   */
  keys?: { letters: string; press(letter: string, item: Item, actions: Actions): void };
  /** The row's `status` unless given. */
  statusOf?: (item: Item) => string;
};

/** Tells whether a row is shown under a choice; without one every row is. */
export function choiceTest<Item extends object>(
  { choices, statusOf }: ListDefinition<Item>,
  choice: string,
): (item: Item) => boolean | undefined {
  if (choice === '') return () => true;
  const ownStatus = (item: Item) => (statusOf ? statusOf(item) : 'status' in item && item.status) === choice;
  return choices?.find(({ value }) => value === choice)?.fits ?? ownStatus;
}

export function countsOf<Item extends object, Figure extends string>(
  rows: readonly Item[],
  list: ListDefinition<Item>,
  figures: Readonly<Record<Figure, string>>,
): Record<Figure, number> {
  const countOf = (name: string) => rows.filter(choiceTest(list, name === 'total' ? '' : name)).length;
  return Object.fromEntries(Object.keys(figures).map((name) => [name, countOf(name)])) as never;
}

const searchTextsMade = new WeakMap<object, string>();

function searchTextOf<Item extends object>(item: Item, { searchTexts }: ListDefinition<Item>): string {
  const made = searchTextsMade.get(item);
  if (made !== undefined) return made;
  const text = searchTexts(item)
    .map((one) => foldText(one ?? ''))
    .join('\n');
  searchTextsMade.set(item, text);
  return text;
}

/** Filters and sorts rows. The search is literal and folded (§search); `found` are the ids that the server found by it. */
export function shownRows<Item extends { id: number }>(
  rows: readonly Item[],
  list: ListDefinition<Item>,
  { search, status, sort }: { search: string; status: string; sort: Sort | undefined },
  found?: ReadonlySet<number>,
): readonly Item[] {
  const needle = foldText(plainText(search).trim());
  // A phone number matches without the spaces and dashes typed.
  const compact = /^[+\d][\d\s()-]+$/.test(needle) ? needle.replace(/[^+\d]/g, '') : needle;
  const holds = (text: string) => text.includes(needle) || (compact !== needle && text.includes(compact));
  const isChosen = choiceTest(list, status);
  const fits = (item: Item) =>
    isChosen(item) && (needle === '' || found?.has(item.id) || holds(searchTextOf(item, list)));
  const fitting = needle === '' && status === '' ? rows : rows.filter(fits);
  const by = sort ?? list.firstSort;
  return by ? sorted(fitting, list, by) : fitting;
}

const plainLetters = /^[ -~]*$/;

/** Takes off case and accents, so that Peña sorts beside Pena. */
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
  { columns }: ListDefinition<Item>,
  { by, descending }: Sort,
): readonly Item[] {
  const sortValue = columns.find(({ id }) => id === by)?.sortValue;
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
function useWarmSearch<Item extends object>(
  rows: readonly Item[] | undefined,
  list: ListDefinition<Item>,
): void {
  useEffect(() => {
    let isOver = false;
    async function warm() {
      const yieldNow = createYielder();
      for (const item of rows ?? []) {
        if (searchTextsMade.has(item)) continue;
        searchTextOf(item, list);
        await yieldNow();
        if (isOver) return;
      }
    }
    void warm();
    return () => {
      isOver = true;
    };
  }, [rows, list]);
}

/** `shownRows` with deferred search: typing is never held up by the list. */
export function useShownRows<Item extends { id: number }>(
  { data: rows, found }: StaffRows<Item>,
  list: ListDefinition<Item>,
  { search: typed, status, sort }: ListView,
): readonly Item[] {
  useWarmSearch(rows, list);
  const search = useDeferredValue(typed);
  return useMemo(
    () => shownRows(rows ?? [], list, { search, status, sort: sortOf(sort) }, found),
    [rows, found, list, search, status, sort],
  );
}

const plainMobile = /^09\d{9}$/;

/** Search keys of a phone: as typed, without spaces and dashes, and with either prefix (0 or +63). */
export function phoneSpellings(phone: string): string {
  // Fast path: most are in this form, in lists of a hundred thousand.
  if (plainMobile.test(phone)) return `${phone}\n+63${phone.slice(1)}`;
  const digits = phone.replace(/[^\d+]/g, '');
  const local = digits.replace(/^\+?63/, '0');
  return [phone, digits, local, local.replace(/^0/, '+63')].join('\n');
}

/** Both are null once the member is erased. */
type Named = { fullName: string | null; phone: string | null };
export type OfBorrower = Named | { user: Named };

/** The name, or the phone of a member who was added with nothing else. */
export const memberName = ({ fullName, phone }: Named): string => fullName || phone || panel.list.erased;

/** Returns the borrower of a loan, payment or withdrawal. */
export const borrowerOf = (row: OfBorrower): Named => ('user' in row ? row.user : row);
export const borrowerName = (row: OfBorrower): string => memberName(borrowerOf(row));

/** The texts by which a search finds the person in a row. */
export const personTexts = ({
  fullName,
  phone,
  email = null,
}: Named & { email?: string | null }): (string | null)[] => [fullName, phone && phoneSpellings(phone), email];
