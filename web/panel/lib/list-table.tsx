// biome-ignore-all lint/a11y/useSemanticElements: a virtual list positions the rows, which table tags do not allow
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, type ReactNode, useCallback, useRef } from 'react';
import { panel } from '#contract/wording/panel.ts';
import { DataTable, HeaderCell, TableCell, TableRow } from '#web/ui/data-table.tsx';
import { ActiveRowContext, useActiveRow } from './active-row.ts';
import { useFittingColumns } from './fitting-columns.ts';
import type { Sort } from './table-state.ts';

export type Column<Item> = {
  id: string;
  head: string;
  /** Minimum width; `grow` shares the rest. */
  widthPx: number;
  /** The width it needs before a ranked column may be shown beside it. */
  wantPx?: number;
  grow?: number;
  /** When space is short, the highest rank is hidden first. Without a rank it always stays. */
  rank?: number;
  numeric?: boolean;
  sorts?: boolean;
  cell: (item: Item) => ReactNode;
};

export type ListTableProps<Item> = {
  label: string;
  rows: readonly Item[];
  /** Must be a stable array: a new one re-renders every row. */
  columns: readonly Column<Item>[];
  sort: Sort | undefined;
  onSort: (column: string) => void;
  openId?: number | undefined;
  onOpen: (item: Item) => void;
  empty: ReactNode;
};

const rowHeightPx = 52;
const headHeightPx = 40;
const overscanRows = 5;
/** An upper bound on rendered rows, however tall the screen. */
const drawnRowsMax = 60;

/**
 * A staff list's virtual table. Arrow keys, Page Up/Down, Home and End move between rows, Enter opens a row's details,
 * Tab reaches its buttons.
 */
export function ListTable<Item extends { id: number }>({ empty, ...rest }: ListTableProps<Item>) {
  if (rest.rows.length > 0) return <FilledTable {...rest} />;
  return (
    <div className="rounded-card border border-transparent bg-card shadow-soft dark:border-line">{empty}</div>
  );
}

function FilledTable<Item extends { id: number }>(props: Omit<ListTableProps<Item>, 'empty'>) {
  const { label, rows, sort, onSort, openId, onOpen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useFittingColumns(scroller, props.columns);
  const template = columns.map(({ widthPx, grow = 0 }) => track(widthPx, grow)).join(' ');
  const { activeIndex, activate, walk } = useActiveRow(rows, openId);

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

  function onKeyDown(event: KeyboardEvent) {
    const inSight = Math.max(
      1,
      Math.floor(((scroller.current?.clientHeight ?? 0) - headHeightPx) / rowHeightPx) - 1,
    );
    const next = walk(event, inSight);
    if (next === undefined) return;
    event.preventDefault();
    virtual.scrollToIndex(next);
  }

  return (
    <DataTable
      ref={scroller}
      label={label}
      rowCount={rows.length}
      className="relative max-h-full"
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" className="sticky top-0 z-10">
        <TableRow header columns={template} rowIndex={1}>
          {columns.map(({ id, head, numeric, sorts }) => (
            <HeaderCell
              key={id}
              align={numeric ? 'right' : 'left'}
              {...(sorts && { sort: orderOf(sort, id), onSort: () => onSort(id) })}
            >
              {head}
            </HeaderCell>
          ))}
        </TableRow>
      </div>
      <div role="rowgroup" className="relative" style={{ height: rows.length * rowHeightPx }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const item = rows[index];
          return (
            item && (
              <ListRow
                key={key}
                item={item}
                index={index}
                topPx={start - headHeightPx}
                columns={columns}
                template={template}
                active={index === activeIndex}
                open={item.id === openId}
                onActivate={activate}
                onOpen={onOpen}
              />
            )
          );
        })}
      </div>
    </DataTable>
  );
}

const track = (widthPx: number, grow: number) =>
  grow > 0 ? `minmax(${widthPx}px, ${grow}fr)` : `${widthPx}px`;

function orderOf(sort: Sort | undefined, column: string): 'ascending' | 'descending' | 'none' {
  if (sort?.by !== column) return 'none';
  return sort.descending ? 'descending' : 'ascending';
}

/** The visible rows plus the active one, wherever it is: unmounting it would lose the focus. */
function drawnIndexes(range: Range, activeIndex: number): number[] {
  const indexes = defaultRangeExtractor(range).slice(0, drawnRowsMax - 1);
  if (activeIndex < range.count && !indexes.includes(activeIndex)) indexes.push(activeIndex);
  return indexes.sort((a, b) => a - b);
}

type ListRowProps<Item> = {
  item: Item;
  index: number;
  topPx: number;
  columns: readonly Column<Item>[];
  template: string;
  active: boolean;
  open: boolean;
  onActivate: (id: number) => void;
  onOpen: (item: Item) => void;
};

function PlainListRow<Item extends { id: number }>(props: ListRowProps<Item>) {
  const { item, index, topPx, columns, template, active, open, onActivate, onOpen } = props;
  return (
    <TableRow
      columns={template}
      rowIndex={index + 2}
      selected={open}
      data-row-id={item.id}
      tabIndex={active ? 0 : -1}
      className="absolute inset-x-0 top-0 h-13 cursor-pointer bg-card focus-visible:z-1 focus-visible:outline-3 focus-visible:-outline-offset-3 focus-visible:outline-focus"
      style={{ transform: `translateY(${topPx}px)` }}
      onFocus={() => onActivate(item.id)}
      onClick={(event) => {
        const pressed = event.target instanceof Element && event.target.closest('button, a, input, select');
        // Selecting a phone number to copy it does not open the row.
        if (!pressed && !getSelection()?.toString()) onOpen(item);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget) onOpen(item);
      }}
    >
      <ActiveRowContext value={active}>
        {columns.map(({ id, numeric, cell }) => (
          <TableCell key={id} numeric={numeric}>
            {cell(item)}
          </TableCell>
        ))}
      </ActiveRowContext>
    </TableRow>
  );
}

const ListRow = memo(PlainListRow) as typeof PlainListRow;

export const actionsHead = panel.list.actions;
