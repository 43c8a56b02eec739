// biome-ignore-all lint/a11y/useSemanticElements: a virtual list positions the rows, which table tags do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the interactive parts are buttons inside

import { ArrowDownIcon, ArrowUpIcon } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

// The staff panel's dense table. ARIA roles instead of table tags: rows placed by a virtual list get their columns from
// a grid template, and screen readers still see a table.

type Sorting = {
  /** The order by this column at present. */
  order: 'ascending' | 'descending' | 'none';
  onPress: () => void;
};

interface ColumnHead {
  id: string;
  head: ReactNode;
  numeric?: boolean;
}

interface DataTableProps<Column> extends ComponentProps<'div'> {
  label: string;
  columns: readonly Column[];
  /** A CSS grid template shared by the head and all rows. */
  template: string;
  /** Undefined for a column that cannot be sorted by. */
  sortingOf?: (column: Column) => Sorting | undefined;
  /** All rows, not only those rendered. */
  rowCount: number;
}

/** The head, under which `children` are the rows. */
export function DataTable<Column extends ColumnHead>(props: DataTableProps<Column>) {
  const { label, columns, template, sortingOf, rowCount, className, children, ...rest } = props;
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
    >
      <div role="rowgroup" className="sticky top-0 z-10">
        <div
          role="row"
          aria-rowindex={1}
          style={{ gridTemplateColumns: template }}
          className="grid min-h-10 items-center border-b border-line bg-sunken text-14"
        >
          {columns.map((column) => (
            <HeaderCell key={column.id} {...column} sorting={sortingOf?.(column)} />
          ))}
        </div>
      </div>
      {children}
    </div>
  );
}

function HeaderCell({ head, numeric, sorting }: ColumnHead & { sorting: Sorting | undefined }) {
  const Arrow = sorting?.order === 'descending' ? ArrowDownIcon : ArrowUpIcon;
  return (
    <div
      role="columnheader"
      aria-sort={sorting?.order}
      className={classNames('px-2 text-12 font-semibold text-ink-soft', numeric && 'text-right')}
    >
      {sorting ? (
        <button
          type="button"
          onClick={sorting.onPress}
          className={classNames(
            'group -mx-1 inline-flex min-h-7 items-center gap-1 rounded-small px-1 hover:text-ink',
            numeric && 'flex-row-reverse',
          )}
        >
          {head}
          <Arrow
            className={classNames(
              'size-3.5',
              sorting.order === 'none' && 'opacity-0 group-hover:opacity-50 group-focus-visible:opacity-50',
            )}
          />
        </button>
      ) : (
        head
      )}
    </div>
  );
}

interface TableRowProps extends ComponentProps<'div'> {
  template: string;
  /** 1-based, the head being 1. */
  rowIndex: number;
  selected?: boolean;
}

export function TableRow({ template, rowIndex, selected, className, style, ...rest }: TableRowProps) {
  return (
    <div
      {...rest}
      role="row"
      aria-rowindex={rowIndex}
      aria-current={selected || undefined}
      style={{ ...style, gridTemplateColumns: template }}
      className={classNames(
        'grid items-center border-b border-line text-14',
        // A bar and no tint, on which chips would be lost.
        'min-h-13 hover:bg-leaf-tint/50 aria-[current]:bg-sunken aria-[current]:shadow-[inset_4px_0_0_var(--color-leaf)]',
        className,
      )}
    />
  );
}

export const TableCell = ({ numeric, children }: { numeric: boolean | undefined; children: ReactNode }) => (
  <div
    role="cell"
    className={classNames('min-w-0 whitespace-nowrap px-2', numeric && 'text-right tabular-nums')}
  >
    {children}
  </div>
);

export interface ShortTableColumn<Item> extends ColumnHead {
  /** A track of the CSS grid. */
  width: string;
  cell: (item: Item) => ReactNode;
}

type ShortTableProps<Item> = {
  label: string;
  columns: readonly ShortTableColumn<Item>[];
  rows: readonly Item[];
};

/** A table short enough to render whole. Rows that are changed or removed have an id. */
export function ShortTable<Item extends object>({ label, columns, rows }: ShortTableProps<Item>) {
  const template = columns.map(({ width }) => width).join(' ');
  return (
    <DataTable {...{ label, columns, template }} rowCount={rows.length}>
      <div role="rowgroup">
        {rows.map((row, index) => (
          <TableRow key={'id' in row ? Number(row.id) : index} template={template} rowIndex={index + 2}>
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

/** A figure without a value is left out. Figures that filter are cards to press; their value describes them. */
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
