// biome-ignore-all lint/a11y/useSemanticElements: a virtual list positions the rows, which table tags do not allow
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  createContext,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import * as panel from '#contract/wording/panel-words.ts';
import { CellLines, DataTable, TableCell, TableRow } from '#web/ui/data-table.tsx';
import { date, showPeso } from './format.ts';
import {
  borrowerName,
  borrowerOf,
  type ColumnSize,
  type ListDefinition,
  type ListView,
  type OfBorrower,
  sortOf,
} from './list-view.ts';

/** Columns in the order of `parts`, each under the word of its name in `heads`. */
export function columnsOf<AnyColumn, Heads extends Readonly<Record<string, string>>>(
  heads: Heads,
  parts: { readonly [Id in keyof Heads | 'actions']?: Omit<AnyColumn, 'id' | 'head'> & { head?: ReactNode } },
): AnyColumn[] {
  const words = { actions: panel.list.actions, ...heads };
  return Object.entries(parts).map(([id, part]) => ({ id, head: words[id], ...part }) as never);
}

export const amountOrDash = (amount: string) => (Number(amount) === 0 ? panel.list.dash : showPeso(amount));

/** The borrower, with the phone below. */
export const borrowerColumn = (size: ColumnSize) => ({
  size,
  sortValue: borrowerName,
  cell: (row: OfBorrower) => <CellLines main={borrowerName(row)} note={borrowerOf(row).phone ?? undefined} />,
});

export const amountColumn = <Field extends string>(
  field: Field,
  size: ColumnSize,
  className = 'font-semibold',
) => ({
  size,
  numeric: true,
  sortValue: (row: Record<Field, string>) => Number(row[field]),
  cell: (row: Record<Field, string>) => <span className={className}>{amountOrDash(row[field])}</span>,
});

/** The day in `field`; a dash until there is one. */
export const dayColumn = <Field extends string>(field: Field, size: ColumnSize) => ({
  size,
  sortValue: (row: Record<Field, string | null>) => row[field] ?? '',
  cell: (row: Record<Field, string | null>) => {
    const day: string | null = row[field];
    return day === null ? panel.list.dash : date(day);
  },
});

type Props<Item, Actions> = Pick<ListDefinition<Item, Actions>, 'columns' | 'rowHeightPx' | 'keys'> & {
  label: string;
  rows: readonly Item[];
  /** Must be stable: a new one re-renders every row. */
  actions: Actions;
  view: ListView;
};

const letterSteps: Record<string, number> = { j: 1, k: -1 };

const headHeightPx = 40;
const overscanRows = 5;
/** An upper bound on rendered rows, however tall the screen. */
const drawnRowsMax = 60;

/**
 * A staff list's virtual table. Arrow keys, Page Up/Down, Home and End move between rows, Enter opens a row's details,
 * Tab reaches its buttons.
 */
export function ListTable<Item extends { id: number }, Actions>(props: Props<Item, Actions>) {
  const { label, rows, actions, view, keys, rowHeightPx = 40 } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useFittingColumns(scroller, props.columns);
  const template = columns.map(({ size }) => track(size)).join(' ');
  const { activeIndex, activate, walk } = useActiveRow(rows, view.open, keys !== undefined);

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    getItemKey: useCallback((index: number) => rows[index]?.id ?? index, [rows]),
    overscan: overscanRows,
    scrollMargin: headHeightPx,
    scrollPaddingStart: headHeightPx,
    rangeExtractor: useCallback((range: Range) => drawnIndexes(range, activeIndex), [activeIndex]),
  });

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const { currentTarget, target, ctrlKey, metaKey, altKey } = event;
    const isOnRow = target instanceof Element && target.matches('[data-row-id]');
    const letter = event.key.toLowerCase();
    const item = rows[activeIndex];
    if (
      item &&
      isOnRow &&
      letter.length === 1 &&
      keys?.letters.includes(letter) &&
      !(ctrlKey || metaKey || altKey)
    ) {
      event.preventDefault();
      keys.press(letter, item, actions);
      return;
    }
    const { clientHeight } = currentTarget;
    const inSight = Math.max(1, Math.floor((clientHeight - headHeightPx) / rowHeightPx) - 1);
    const next = walk(event, inSight);
    if (next === undefined) return;
    event.preventDefault();
    virtual.scrollToIndex(next.index);
    focusListRow(next.id);
    // Open details follow the letters, so that one reads the next application without another key.
    if (view.open !== undefined && letterSteps[letter]) view.show({ open: next.id });
  }

  return (
    <DataTable
      ref={scroller}
      {...{ label, columns, template, onKeyDown }}
      sortingOf={({ id, sortValue }) =>
        sortValue && { order: orderOf(view.sort, id), onPress: () => view.sortBy(id) }
      }
      rowCount={rows.length}
      className="relative max-h-full"
    >
      <div role="rowgroup" className="relative" style={{ height: rows.length * rowHeightPx }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const item = rows[index];
          return (
            item && (
              <ListRow
                key={key}
                {...{ item, index, columns, template, actions }}
                topPx={start - headHeightPx}
                heightPx={rowHeightPx}
                active={index === activeIndex}
                open={item.id === view.open}
                keyNames={keys && keyNamesOf(keys.letters)}
                onActivate={activate}
                show={view.show}
              />
            )
          );
        })}
      </div>
    </DataTable>
  );
}

const keyNamesOf = (letters: string) => [...letters, 'j', 'k'].join(' ').toUpperCase();

const track = ({ widthPx, grow }: ColumnSize) =>
  grow === undefined ? `${widthPx}px` : `minmax(${widthPx}px, ${grow}fr)`;

function orderOf(text: string, column: string): 'ascending' | 'descending' | 'none' {
  const sort = sortOf(text);
  if (sort?.by !== column) return 'none';
  return sort.descending ? 'descending' : 'ascending';
}

/** The visible rows plus the active one, wherever it is: unmounting it would lose the focus. */
function drawnIndexes(range: Range, activeIndex: number): number[] {
  const indexes = defaultRangeExtractor(range).slice(0, drawnRowsMax - 1);
  if (activeIndex < range.count && !indexes.includes(activeIndex)) indexes.push(activeIndex);
  return indexes.sort((a, b) => a - b);
}

type RowProps<Item, Actions> = Pick<Props<Item, Actions>, 'columns' | 'actions'> & {
  item: Item;
  index: number;
  topPx: number;
  heightPx: number;
  template: string;
  active: boolean;
  open: boolean;
  keyNames: string | undefined;
  onActivate: (id: number) => void;
  show: ListView['show'];
};

function PlainListRow<Item extends { id: number }, Actions>(props: RowProps<Item, Actions>) {
  const {
    item,
    index,
    topPx,
    heightPx,
    columns,
    template,
    actions,
    active,
    open,
    keyNames,
    onActivate,
    show,
  } = props;
  return (
    <TableRow
      template={template}
      rowIndex={index + 2}
      selected={open}
      data-row-id={item.id}
      tabIndex={active ? 0 : -1}
      aria-keyshortcuts={keyNames}
      className="group/row absolute inset-x-0 top-0 cursor-pointer bg-card focus-visible:z-1 focus-visible:outline-3 focus-visible:-outline-offset-3 focus-visible:outline-focus"
      style={{ transform: `translateY(${topPx}px)`, height: heightPx, minHeight: heightPx }}
      onFocus={() => onActivate(item.id)}
      onClick={(event) => {
        const pressed = event.target instanceof Element && event.target.closest('button, a, input, select');
        // Selecting a phone number to copy it does not open the row.
        if (!pressed && !getSelection()?.toString()) show({ open: item.id });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget) show({ open: item.id });
      }}
    >
      <ActiveRowContext value={active}>
        {columns.map(({ id, numeric, sortValue, cell = sortValue }) => (
          <TableCell key={id} numeric={numeric}>
            {cell?.(item, actions)}
          </TableCell>
        ))}
      </ActiveRowContext>
    </TableRow>
  );
}

const ListRow = memo(PlainListRow) as typeof PlainListRow;

const ActiveRowContext = createContext(true);

/** True in the active row: only its buttons are tab stops (roving tabindex). */
export const useIsActiveRow = (): boolean => useContext(ActiveRowContext);

export function focusListRow(id: number): void {
  document.querySelector<HTMLElement>(`[data-row-id="${id}"]`)?.focus();
}

/** Leads from the search into the list: to the topmost row in sight. */
export function focusFirstRow(): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row-id]')];
  const top = (row: HTMLElement) => row.getBoundingClientRect().top;
  const head =
    document.querySelector('[role="table"] [role="columnheader"]')?.getBoundingClientRect().bottom ?? 0;
  rows
    .filter((row) => top(row) >= head - 1)
    .sort((one, other) => top(one) - top(other))[0]
    ?.focus();
}

/**
 * Two seconds' worth of frames for a list to render without a row. Frames rather than time, since none pass during a
 * stall.
 */
const framesToDraw = 120;

/**
 * Focuses the row replacing one that is going away, as soon as nothing else has the focus: the dialog, details and
 * buttons of the old row disappear each in its own time.
 */
export function keepFocusInList(framesLeft = framesToDraw): void {
  requestAnimationFrame(() => {
    const isGone = document.activeElement === document.body && !document.querySelector('dialog[open]');
    if (isGone) document.querySelector<HTMLElement>('[data-row-id][tabindex="0"]')?.focus();
    else if (framesLeft > 1) keepFocusInList(framesLeft - 1);
  });
}

/** The active row by id, so that it stays the same row when the list is re-sorted. */
function useActiveRow<Item extends { id: number }>(
  rows: readonly Item[],
  openId: number | undefined,
  byLetters: boolean,
) {
  const [activeId, activate] = useState<number | undefined>(openId);
  const found = useMemo(() => rows.findIndex(({ id }) => id === activeId), [rows, activeId]);
  // If its row is gone, the one that took its place.
  const lastIndex = useRef(0);
  const activeIndex = found >= 0 ? found : Math.max(0, Math.min(lastIndex.current, rows.length - 1));
  useEffect(() => {
    if (found >= 0) lastIndex.current = found;
  }, [found]);

  /** Returns the row a key leads to; undefined for keys the list does not handle. */
  function walk({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent, rowsInSight: number) {
    if (altKey || ctrlKey || metaKey || !(target instanceof Element) || !target.closest('[data-row-id]'))
      return;
    const steps: Record<string, number> = {
      ArrowDown: activeIndex + 1,
      ArrowUp: activeIndex - 1,
      PageDown: activeIndex + rowsInSight,
      PageUp: activeIndex - rowsInSight,
      Home: 0,
      End: rows.length - 1,
    };
    const letter = byLetters ? letterSteps[key.toLowerCase()] : undefined;
    const step = letter === undefined ? steps[key] : activeIndex + letter;
    if (step === undefined) return;
    const next = Math.min(Math.max(step, 0), rows.length - 1);
    const item = rows[next];
    if (!item) return;
    // An active row is drawn wherever it is: now it can take the focus.
    flushSync(() => activate(item.id));
    return { index: next, id: item.id };
  }

  return { activeIndex, activate, walk };
}

/**
 * The columns that fit at their wanted width: while they do not, the one with the highest rank is dropped. Columns
 * without a rank always stay. All of them while the width is unknown.
 */
export function fittingColumns<Sized extends { size: ColumnSize }>(
  columns: readonly Sized[],
  widthPx: number | undefined,
): readonly Sized[] {
  if (widthPx === undefined) return columns;
  let fitting = columns;
  const wantedPx = () => fitting.reduce((sum, { size }) => sum + (size.wantPx ?? size.widthPx), 0);
  const ranked = columns.filter(({ size }) => size.rank !== undefined);
  for (const worst of ranked.sort((a, b) => (b.size.rank ?? 0) - (a.size.rank ?? 0))) {
    if (wantedPx() <= widthPx) break;
    fitting = fitting.filter((column) => column !== worst);
  }
  return fitting;
}

function useFittingColumns<Sized extends { size: ColumnSize }>(
  scroller: { current: HTMLElement | null },
  columns: readonly Sized[],
): readonly Sized[] {
  const [widthPx, setWidthPx] = useState<number>();
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => setWidthPx(element.clientWidth);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return useMemo(() => fittingColumns(columns, widthPx), [columns, widthPx]);
}
