import { useIsFetching } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { noteExport, readStats } from '#contract/api.ts';
import type { CsvColumn } from '#contract/csv.ts';
import type { Sent } from '#contract/endpoint.ts';
import { panel } from '#contract/wording/panel.ts';
import { call } from '#web/lib/call.ts';
import { useErrorText } from '#web/lib/error-text.ts';
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
  rows: readonly Item[];
  /** Must be stable: see `ListTableProps`. */
  columns: readonly Column<Item>[];
  /** Must be stable. */
  onOpen: (item: Item) => void;
  figures?: readonly Figure[];
  statuses: readonly Choice[];
  statusWords?: { label: string; all: string };
  /** `name` has no extension. */
  csv: { name: Sent<typeof noteExport, 'body'>['list']; columns: readonly CsvColumn<Item>[] };
  picture: ReactNode;
  isUnsorted?: boolean;
  action?: ReactNode;
  note?: ReactNode;
  more?: ReactNode;
};

const anyStatus = { label: panel.list.status, all: panel.list.allStatuses };

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
        // A list that broke off has a notice below with a retry.
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
  isComing: boolean;
  hasOlder: boolean;
};

/** Exports the rows shown once all have loaded: a file that silently lacks rows would pass for complete. */
function useExport<Item>({ csv, list, rows, isComing, hasOlder }: ExportProps<Item>) {
  const [step, setStep] = useState<'none' | 'waiting' | 'making'>('none');
  const errorText = useErrorText();
  useEffect(() => {
    if (step !== 'waiting' || isComing) return;
    const words = panel.list;
    if (list.isPartial) {
      setStep('none');
      toast({ tone: 'bad', title: words.exportFailed, description: words.exportFailedText });
      return;
    }
    setStep('making');
    // Whoever saves a list is in the log; a file that cannot be noted is not made.
    void call(noteExport, { body: { list: csv.name, rows: rows.length } })
      .then(() => downloadCsv(csv.name, csv.columns, rows))
      .then(() => {
        if (!hasOlder) return;
        const readCount = showCount(list.rows?.length ?? 0);
        toast({ title: words.exported, description: words.exportedSoFar(showCount(rows.length), readCount) });
      })
      .catch((error) => toast({ tone: 'bad', title: words.exportFailed, description: errorText(error) }))
      .finally(() => setStep('none'));
  }, [step, isComing, csv, list, rows, hasOlder, errorText]);
  const exporting = step === 'waiting' && isComing ? 'waiting' : step === 'none' ? undefined : 'making';
  return { exporting, startExport: () => setStep('waiting') } as const;
}

/**
 * The figures' total, if it differs from the list's because somebody else added or removed rows. On opening, the page
 * then refetches; later that is up to the user, since rows would move under their hands.
 */
function useTotalElsewhere<Item>(list: StaffRows<Item>, figures: readonly Figure[]): number | undefined {
  const isCounting = useIsFetching({ queryKey: readKey(readStats) }) > 0;
  const total = figures.find(({ id }) => id === 'total')?.value;
  const isAtRest = !isCounting && !list.isReading && !list.isAsking && !list.isPartial;
  const elsewhere = isAtRest && list.rows && total !== list.rows.length ? total : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page opens
  useEffect(() => {
    if (elsewhere !== undefined) list.readAgain();
  }, []);
  return elsewhere;
}
