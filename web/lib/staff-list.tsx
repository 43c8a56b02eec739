import type { ReactNode } from 'react';
import type { CsvColumn } from '#contract/csv.ts';
import { panel } from '#contract/wording/panel.ts';
import { downloadCsv } from './csv.ts';
import { type Choice, type Figure, ListBar, ListHead } from './list-page.tsx';
import { ListBody, ListEmpty } from './list-states.tsx';
import { type Column, ListTable } from './list-table.tsx';
import type { StaffRows } from './staff-rows.ts';
import type { useTableState } from './table-state.ts';

type Props<Item> = {
  words: { title: string; search: string; none: string; noneText: string };
  state: ReturnType<typeof useTableState>;
  list: StaffRows<Item>;
  /** Those of the list that are shown, in their order. */
  rows: readonly Item[];
  /** Give the same array every time: see `ListTableProps`. */
  columns: readonly Column<Item>[];
  /** Give the same function every time. */
  onOpen: (item: Item) => void;
  figures?: readonly Figure[];
  /** What the list is narrowed to beside the search, and what that is called. */
  statuses: readonly Choice[];
  statusWords?: { label: string; all: string };
  /** The file's name, without its ending, and what stands in it. */
  csv: { name: string; columns: readonly CsvColumn<Item>[] };
  /** Where there is nothing to show. */
  picture: ReactNode;
  /** A list that has one order only. */
  isUnsorted?: boolean;
  /** The page's own step, such as adding. */
  action?: ReactNode;
  /** Between the search and the list. */
  note?: ReactNode;
  /** Reads what is older, where a list comes in parts. */
  more?: ReactNode;
};

const anyStatus = { label: panel.list.status, all: panel.list.allStatuses };

/** A page of the panel that is a list: its head and figures, search and status, and the table in all its manners. */
export function StaffList<Item extends { id: number }>({
  words,
  state,
  list,
  rows,
  columns,
  onOpen,
  figures = [],
  statuses,
  statusWords = anyStatus,
  csv,
  picture,
  isUnsorted = false,
  action,
  note,
  more,
}: Props<Item>) {
  return (
    <>
      <ListHead
        title={words.title}
        figures={figures}
        exportDisabled={rows.length === 0}
        onExport={() => downloadCsv(csv.name, csv.columns, rows)}
      >
        {action}
      </ListHead>
      <ListBar
        state={state}
        searchLabel={words.search}
        statusLabel={statusWords.label}
        allLabel={statusWords.all}
        statuses={statuses}
      />
      {note}
      <ListBody list={list} shownCount={rows.length} more={more}>
        <ListTable
          label={words.title}
          rows={rows}
          columns={columns}
          sort={isUnsorted ? undefined : state.sort}
          onSort={state.sortBy}
          openId={state.open}
          onOpen={onOpen}
          empty={<ListEmpty state={state} title={words.none} text={words.noneText} picture={picture} />}
        />
      </ListBody>
    </>
  );
}
