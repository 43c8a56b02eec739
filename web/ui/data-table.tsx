// biome-ignore-all lint/a11y/useSemanticElements: a virtual list positions the rows, which table tags do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the interactive parts are buttons inside

import { ArrowDownIcon, ArrowUpIcon } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

// The staff panel's dense table. ARIA roles instead of table tags: rows placed by a virtual list get their columns from
// a grid template, and screen readers still see a table.

export interface DataTableProps extends ComponentProps<'div'> {
  label: string;
  /** All rows, not only those rendered. */
  rowCount: number;
}

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
  /** A CSS grid template shared by the header and all rows. */
  columns: string;
  /** 1-based, the header being 1. */
  rowIndex: number;
  selected?: boolean;
  header?: boolean;
}

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
          : // A bar and no tint, on which chips would be lost.
            'min-h-13 hover:bg-leaf-tint/50 aria-[current]:bg-sunken aria-[current]:shadow-[inset_4px_0_0_var(--color-leaf)]',
        className,
      )}
    />
  );
}

type HeaderCellProps = {
  children: ReactNode;
  numeric?: boolean | undefined;
  /** Current order by this column; `none` if sortable but unsorted, undefined if not sortable. */
  sort?: 'ascending' | 'descending' | 'none';
  onSort?: () => void;
};

export function HeaderCell({ children, numeric, sort, onSort }: HeaderCellProps) {
  const Arrow = sort === 'descending' ? ArrowDownIcon : ArrowUpIcon;
  return (
    <div
      role="columnheader"
      aria-sort={sort}
      className={classNames('px-2 text-12 font-semibold text-ink-soft', numeric && 'text-right')}
    >
      {onSort ? (
        <button
          type="button"
          onClick={onSort}
          className={classNames(
            'group -mx-1 inline-flex min-h-7 items-center gap-1 rounded-small px-1 hover:text-ink',
            numeric && 'flex-row-reverse',
          )}
        >
          {children}
          <Arrow
            className={classNames(
              'size-3.5',
              sort === 'none' && 'opacity-0 group-hover:opacity-50 group-focus-visible:opacity-50',
            )}
          />
        </button>
      ) : (
        children
      )}
    </div>
  );
}

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

export interface ShortTableColumn<Item> {
  id: string;
  head: ReactNode;
  /** A track of the CSS grid. */
  width: string;
  numeric?: boolean;
  cell: (item: Item) => ReactNode;
}

type ShortTableProps<Item> = {
  label: string;
  columns: readonly ShortTableColumn<Item>[];
  rows: readonly Item[];
};

/** A table short enough to render whole. */
export function ShortTable<Item extends { id: number }>({ label, columns, rows }: ShortTableProps<Item>) {
  const template = columns.map(({ width }) => width).join(' ');
  return (
    <DataTable label={label} rowCount={rows.length}>
      <div role="rowgroup">
        <TableRow header columns={template} rowIndex={1}>
          {columns.map(({ id, head, numeric }) => (
            <HeaderCell key={id} numeric={numeric}>
              {head}
            </HeaderCell>
          ))}
        </TableRow>
      </div>
      <div role="rowgroup">
        {rows.map((row, index) => (
          <TableRow key={row.id} columns={template} rowIndex={index + 2}>
            {columns.map(({ id, numeric, cell }) => (
              <TableCell key={id} numeric={numeric}>
                {cell(row)}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </div>
    </DataTable>
  );
}

export function CellLines({ main, note }: { main: ReactNode; note?: ReactNode }) {
  return (
    <>
      <span className="block truncate font-semibold">{main}</span>
      {note !== undefined && <span className="block truncate text-12 text-ink-soft">{note}</span>}
    </>
  );
}

export type Figure = {
  label: string;
  value: ReactNode;
  /** Makes it a filter, with whether it is in force. */
  filter?: { isOn: boolean; onPress: () => void };
  isBad?: boolean;
};

/** A figure without a value is left out. Those that filter are cards to press; their value describes them. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  const id = useId();
  return (
    <dl
      className={
        figures[0]?.filter
          ? 'grid grid-flow-col auto-cols-[minmax(0,14rem)] gap-3'
          : 'flex flex-wrap gap-x-7 gap-y-2'
      }
    >
      {figures.map(
        ({ label, value, filter, isBad }, index) =>
          value && (
            <div
              key={label}
              className={classNames(
                'flex flex-col-reverse',
                filter && 'relative rounded-card border bg-card px-4 py-2.5 has-[button:hover]:bg-leaf-tint',
                filter && (filter.isOn ? 'border-leaf bg-leaf-tint ring-1 ring-leaf' : 'border-line'),
              )}
            >
              <dt className="text-12 text-ink-soft">
                {filter ? (
                  <button
                    type="button"
                    aria-pressed={filter.isOn}
                    aria-describedby={`${id}-${index}`}
                    className="rounded-card text-left after:absolute after:inset-0"
                    onClick={filter.onPress}
                  >
                    {label}
                  </button>
                ) : (
                  label
                )}
              </dt>
              <dd
                id={`${id}-${index}`}
                className={classNames('font-heading text-24 font-bold tabular-nums', isBad && 'text-bad')}
              >
                {value}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
