import { useIsFetching } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { readStats } from '#contract/api.ts';
import type { CsvColumn } from '#contract/csv.ts';
import { panel } from '#contract/wording/panel.ts';
import { readKey } from '#web/lib/query.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { downloadCsv } from './csv.ts';
import { type Choice, type Figure, ListBar, ListHead } from './list-page.tsx';
import { ListBody, ListEmpty, ListSearching } from './list-states.tsx';
import { type Column, ListTable } from './list-table.tsx';
import { showCount } from './show-count.ts';
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
  const isComing = list.isAsking || (list.isReading && list.isPartial);
  const { exporting, startExport } = useExport({ csv, list, rows, isComing, hasOlder: Boolean(more) });
  const total = useTotalElsewhere(list, figures);
  return (
    <>
      <ListHead
        title={words.title}
        figures={figures}
        exporting={exporting}
        // Of a list that broke off there is a notice below, which offers to read it again.
        exportDisabled={!isComing && (rows.length === 0 || list.isPartial)}
        onExport={startExport}
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
      <ListBody list={list} shownCount={rows.length} total={total} more={more}>
        <ListTable
          label={words.title}
          rows={rows}
          columns={columns}
          sort={isUnsorted ? undefined : state.sort}
          onSort={state.sortBy}
          openId={state.open}
          onOpen={onOpen}
          empty={
            isComing ? (
              <ListSearching />
            ) : (
              <ListEmpty state={state} title={words.none} text={words.noneText} picture={picture} />
            )
          }
        />
      </ListBody>
    </>
  );
}

type ExportProps<Item> = Pick<Props<Item>, 'csv' | 'list' | 'rows'> & {
  /** More rows are on their way. */
  isComing: boolean;
  hasOlder: boolean;
};

/** Exports what is shown, once all of it is here: a file that silently lacks rows would be taken for the whole. */
function useExport<Item>({ csv, list, rows, isComing, hasOlder }: ExportProps<Item>) {
  const [step, setStep] = useState<'none' | 'waiting' | 'making'>('none');
  useEffect(() => {
    if (step !== 'waiting' || isComing) return;
    const words = panel.list;
    if (list.isPartial) {
      setStep('none');
      toast({ tone: 'bad', title: words.exportFailed, description: words.exportFailedText });
      return;
    }
    setStep('making');
    void downloadCsv(csv.name, csv.columns, rows)
      .then(() => {
        if (!hasOlder) return;
        const readCount = showCount(list.rows?.length ?? 0);
        toast({ title: words.exported, description: words.exportedSoFar(showCount(rows.length), readCount) });
      })
      .finally(() => setStep('none'));
  }, [step, isComing, csv, list, rows, hasOlder]);
  const exporting = step === 'waiting' && isComing ? 'waiting' : step === 'none' ? undefined : 'making';
  return { exporting, startExport: () => setStep('waiting') } as const;
}

/**
 * How many rows the figures count, where the list is known to have another number: somebody else added or removed some.
 * On opening, the page reads its list again; later that is left to staff, since rows would move under their hands.
 */
function useTotalElsewhere<Item>(list: StaffRows<Item>, figures: readonly Figure[]): number | undefined {
  const isCounting = useIsFetching({ queryKey: readKey(readStats) }) > 0;
  const total = figures.find(({ id }) => id === 'total')?.value;
  const isAtRest = !isCounting && !list.isReading && !list.isAsking && !list.isPartial;
  const elsewhere = isAtRest && list.rows && total !== list.rows.length ? total : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only as the page is opened
  useEffect(() => {
    if (elsewhere !== undefined) list.readAgain();
  }, []);
  return elsewhere;
}
