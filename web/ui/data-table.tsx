// biome-ignore-all lint/a11y/useSemanticElements: rows are placed by a virtual list, which table tags do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: what is interactive in a row is a button inside it
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { ArrowDownIcon, ArrowUpIcon } from './icons.tsx';

// The staff panel's dense table, in roles rather than table tags: rows that are placed by a virtual list keep their
// columns through the grid template, and screen readers still meet a table of rows and cells.

export interface DataTableProps extends ComponentProps<'div'> {
  label: string;
  /** All rows there are, not only those drawn. */
  rowCount: number;
}

/** The table's card; it scrolls inside, under a header that stays. */
export function DataTable({ label, rowCount, className, ...rest }: DataTableProps) {
  return (
    <div
      {...rest}
      role="table"
      aria-label={label}
      aria-rowcount={rowCount + 1}
      className={classNames(
        'overflow-auto rounded-card border border-transparent bg-card shadow-soft dark:border-line',
        className,
      )}
    />
  );
}

export interface TableRowProps extends ComponentProps<'div'> {
  /** A CSS grid template, the same for the header and every row. */
  columns: string;
  /** Counts from 1, the header being 1. */
  rowIndex: number;
  /** The row whose details are open. */
  selected?: boolean;
  header?: boolean;
}

/** A row. The header one sticks to the top. */
export function TableRow({ columns, rowIndex, selected, header, className, style, ...rest }: TableRowProps) {
  return (
    <div
      {...rest}
      role="row"
      aria-rowindex={rowIndex}
      aria-current={selected || undefined}
      style={{ ...style, gridTemplateColumns: columns }}
      className={classNames(
        'grid items-center border-b border-line text-14',
        header
          ? 'sticky top-0 z-10 min-h-10 bg-sunken'
          : 'min-h-13 hover:bg-leaf-tint/50 aria-[current]:bg-leaf-tint',
        className,
      )}
    />
  );
}

export interface HeaderCellProps {
  children: ReactNode;
  align?: 'left' | 'right';
  /** The present order by this column; `none` when it can be sorted but is not. Absent: a plain header. */
  sort?: 'ascending' | 'descending' | 'none';
  onSort?: () => void;
}

/** A column's head; with `onSort` its words are the button that sorts. */
export function HeaderCell({ children, align = 'left', sort, onSort }: HeaderCellProps) {
  const Arrow = sort === 'descending' ? ArrowDownIcon : ArrowUpIcon;
  return (
    <div
      role="columnheader"
      aria-sort={sort}
      className={classNames('px-2 text-12 font-semibold text-ink-soft', align === 'right' && 'text-right')}
    >
      {onSort ? (
        <button
          type="button"
          onClick={onSort}
          className={classNames(
            'group -mx-1 inline-flex min-h-7 items-center gap-1 rounded-small px-1 hover:text-ink',
            align === 'right' && 'flex-row-reverse',
          )}
        >
          {children}
          <Arrow
            className={classNames(
              'size-3.5',
              (sort === undefined || sort === 'none') &&
                'opacity-0 group-hover:opacity-50 group-focus-visible:opacity-50',
            )}
          />
        </button>
      ) : (
        children
      )}
    </div>
  );
}

/** A cell; `numeric` lines figures up on the right. */
export function TableCell({ numeric, className, ...rest }: ComponentProps<'div'> & { numeric?: boolean }) {
  return (
    <div
      {...rest}
      role="cell"
      className={classNames(
        'min-w-0 whitespace-nowrap px-2',
        numeric && 'text-right tabular-nums',
        className,
      )}
    />
  );
}

/** Two lines in a cell: the name, and something quiet about it. Long ones end in an ellipsis. */
export function CellLines({ main, note }: { main: ReactNode; note?: ReactNode }) {
  return (
    <>
      <span className="block truncate font-semibold">{main}</span>
      {note !== undefined && <span className="block truncate text-12 text-ink-soft">{note}</span>}
    </>
  );
}

/** The figures on top of a list: number over its word. */
export function Figures({
  figures,
}: {
  figures: readonly { id: string; value: ReactNode; label: ReactNode }[];
}) {
  return (
    <dl className="flex flex-wrap gap-x-7 gap-y-2">
      {figures.map((figure) => (
        <div key={figure.id} className="flex flex-col-reverse">
          <dt className="text-12 text-ink-soft">{figure.label}</dt>
          <dd className="font-heading text-24 font-bold tabular-nums">{figure.value}</dd>
        </div>
      ))}
    </dl>
  );
}
