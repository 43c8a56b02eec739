import { useIsFetching } from '@tanstack/react-query';
import { DownloadIcon, RefreshCwIcon, SearchIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { noteExport, readStats } from '#contract/api.ts';
import { type CsvColumn, csvPieces } from '#contract/csv.ts';
import type { Sent } from '#contract/endpoint.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { useAction } from '#web/lib/action.ts';
import { call } from '#web/lib/call.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { readKey } from '#web/lib/query.tsx';
import { QueryStates, type ReadState, Retry } from '#web/lib/query-states.tsx';
import { ReadTime } from '#web/lib/read-time.tsx';
import { saveFile } from '#web/lib/save-file.ts';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { type Figure as Counter, Figures } from '#web/ui/data-table.tsx';
import { EmptyLoom } from '#web/ui/empty-loom.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SelectField, type SelectOption } from '#web/ui/select-field.tsx';
import { SkeletonRow } from '#web/ui/skeleton.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { RowDetails } from './details.tsx';
import { focusFirstRow, focusListRow, ListTable } from './list-table.tsx';
import { type ListDefinition, type ListView, useShownRows } from './list-view.ts';
import { PanelTitle } from './panel-title.tsx';
import type { StaffRows } from './staff-rows.ts';
import { createYielder } from './yielder.ts';

type RowNouns = { one: string; many: string };

type Props<Item, Actions, Figure extends string = string> = {
  words: {
    title: string;
    search: string;
    none: string;
    noneText: string;
    rows: RowNouns;
    figures?: Readonly<Record<Figure, string>>;
  };
  /** The fields of its filters are the children. */
  view: ListView;
  list: ListDefinition<Item, Actions>;
  read: StaffRows<Item>;
  /** The work of a row's buttons. Must be stable: a new one re-renders every row. */
  actions: Actions;
  /**
   * The figures above the list, one for each of their words; undefined until read. Pressed, each filters by the status of
   * its name.
   */
  counts?: Readonly<Record<NoInfer<Figure>, number>> | undefined;
  /** Shown instead of those figures. */
  counters?: readonly Counter[];
  /** The choices, if they are not the list's. */
  choices?: readonly SelectOption[];
  statusWords?: { label: string; all: string };
  children?: ReactNode;
  /** `name` has no extension. */
  csv: { name: Sent<typeof noteExport, 'body'>['list']; columns: readonly CsvColumn<Item>[] };
  /** The open row's `SidePanel`. `close` returns the focus to the row. */
  details?: (item: Item, close: () => void) => ReactNode;
  button?: ReactNode;
  note?: ReactNode;
  more?: ReactNode;
};

const words = panel.list;
export const showCount = (count: number): string => count.toLocaleString('en');

export function StaffList<Item extends { id: number }, Actions, Figure extends string = never>(
  props: Props<Item, Actions, Figure>,
) {
  const { view, list, read, actions, details, button, note } = props;
  const { title, none, noneText } = props.words;
  const counts: Readonly<Record<string, number>> | undefined = props.counts;
  usePageTitle(title);
  const rows = useShownRows(read, list, view);
  const isComing = Boolean(read.isAsking || (read.isFetching && read.isPartial));
  useFocusOnOpened(view.open, rows);
  return (
    <>
      <div className="@container flex items-start justify-between gap-4">
        <PanelTitle>{title}</PanelTitle>
        <div className="flex flex-wrap justify-end gap-x-3 gap-y-2 whitespace-nowrap">
          <ExportButton {...props} {...{ rows, isComing }} />
          {button}
        </div>
      </div>
      <div className={props.words.figures || props.counters ? 'mb-4 mt-3 min-h-12' : 'mb-4'}>
        <Figures
          figures={
            props.counters ??
            Object.entries<string>(props.words.figures ?? {}).map(([id, label]) => {
              const count = counts?.[id];
              const status = id === 'total' ? '' : id;
              return {
                label,
                value: count === undefined ? words.dash : showCount(count),
                filter: {
                  isOn: view.status === status,
                  onPress: () => view.show({ status, open: undefined }),
                },
              };
            })
          }
        />
      </div>
      <SearchAndFilter {...props} />
      {note}
      <ListBody {...props} {...{ rows, isComing }}>
        {rows.length > 0 ? (
          <ListTable label={title} {...list} {...{ rows, actions, view }} />
        ) : isComing ? (
          // This stands here until it is known whether any row matches; the footer says so.
          <div aria-hidden="true">
            <SkeletonCard rows={3} />
          </div>
        ) : (
          <Card padding="none">
            <EmptyState
              role="status"
              picture={<EmptyLoom />}
              title={none}
              className="py-12"
              action={
                view.isFiltered ? (
                  <Button look="secondary" onClick={view.showAll}>
                    {words.clearFilters}
                  </Button>
                ) : undefined
              }
            >
              {view.isFiltered ? words.noMatchText : noneText}
            </EmptyState>
          </Card>
        )}
      </ListBody>
      {details && <RowDetails {...{ view, details }} rows={read.data} />}
    </>
  );
}

/** Leads to a row that a link opened: its buttons are then the next Tab, and the arrow keys walk on from it. */
function useFocusOnOpened(openId: number | undefined, rows: readonly { id: number }[]): void {
  const focusedId = useRef<number>(undefined);
  const isThere = openId !== undefined && rows.some(({ id }) => id === openId);
  useEffect(() => {
    if (!isThere || focusedId.current === openId) return;
    focusedId.current = openId;
    if (!document.activeElement?.closest('[data-row-id], [role=complementary], aside')) focusListRow(openId);
  }, [isThere, openId]);
}

type PartProps<Item, Actions> = Props<Item, Actions> & { rows: readonly Item[]; isComing: boolean };

/** Exports the rows shown once all have loaded: a file that silently lacks rows would pass for complete. */
function ExportButton<Item, Actions>({ csv, read, rows, isComing, more }: PartProps<Item, Actions>) {
  const [isAsked, setAsked] = useState(false);
  const [busy, run] = useAction();
  useEffect(() => {
    if (!isAsked || isComing) return;
    setAsked(false);
    if (read.isPartial) {
      toast({ tone: 'bad', title: words.exportFailed, description: words.exportFailedText });
      return;
    }
    void run(words.exportFailed, async () => {
      // Exports are logged: no log entry, no file.
      await call(noteExport, { body: { list: csv.name, rows: rows.length } });
      const yieldNow = createYielder();
      const pieces: Blob[] = [];
      for (const piece of csvPieces(csv.columns, rows)) {
        // Encoded per chunk: encoding everything at the end would block the page.
        pieces.push(new Blob([piece]));
        await yieldNow();
      }
      saveFile(new Blob(pieces, { type: 'text/csv;charset=utf-8' }), `${csv.name}.csv`);
      if (!more) return;
      const readCount = showCount(read.data?.length ?? 0);
      toast({ title: words.exported, description: words.exportedSoFar(showCount(rows.length), readCount) });
    });
  }, [isAsked, isComing, csv, read, rows, more, run]);
  return (
    <Button
      look="secondary"
      icon={<DownloadIcon className="size-4 @max-[30rem]:hidden" />}
      busy={isAsked || busy}
      busyLabel={isAsked && isComing ? words.exportWaits : undefined}
      title={words.exportHelp}
      aria-description={words.exportHelp}
      // A list that broke off has a notice below with a retry.
      disabled={!isComing && (rows.length === 0 || read.isPartial)}
      onClick={() => setAsked(true)}
    >
      {words.export}
    </Button>
  );
}

/**
 * The figures' total, if it differs from the list's because somebody else added or removed rows. On opening, the page
 * then refetches; later that is up to the user, since rows would move under their hands.
 */
function useTotalElsewhere(
  read: StaffRows<unknown>,
  counts: Readonly<Record<string, number>> | undefined,
): number | undefined {
  const isCounting = useIsFetching({ queryKey: readKey(readStats) }) > 0;
  const isAtRest = !isCounting && !read.isFetching && !read.isAsking && !read.isPartial;
  const elsewhere = isAtRest && read.data && counts?.total !== read.data.length ? counts?.total : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page opens
  useEffect(() => {
    if (elsewhere !== undefined) read.refetch();
  }, []);
  return elsewhere;
}

function SearchAndFilter<Item, Actions>(props: Props<Item, Actions>) {
  const { view, list, statusWords = { label: words.status, all: words.allStatuses } } = props;
  const { search, status, type, show } = view;
  const choices = props.choices ?? list.choices ?? [];
  const label = props.words.search;
  const input = useRef<HTMLInputElement>(null);
  // '/' focuses the search, unless somebody is typing or a dialog is open.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      const { activeElement } = document;
      if (activeElement?.closest('input, textarea, select, [contenteditable], dialog')) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  const isKnown = status === '' || choices.some(({ value }) => value === status);
  return (
    <div className={classNames('mb-3 flex gap-2.5', Boolean(props.children) && 'flex-wrap')}>
      <TextField
        ref={input}
        type="search"
        label={label}
        labelHidden
        placeholder={label}
        fieldClassName={props.children ? 'min-w-56 flex-1' : 'min-w-0 flex-1'}
        prefix={<SearchIcon />}
        trailing={
          <span
            aria-hidden="true"
            className="mr-2 rounded-small border border-line px-2 font-sans text-12 text-ink-soft"
          >
            /
          </span>
        }
        spellCheck={false}
        value={search}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            focusFirstRow();
          }
          if (event.key !== 'Escape' || search === '') return;
          event.preventDefault();
          type('');
        }}
      />
      <SelectField
        label={statusWords.label}
        labelHidden
        fieldClassName="w-40 shrink-0"
        value={status}
        onChange={(event) => show({ status: event.currentTarget.value })}
        options={[
          { value: '', label: statusWords.all },
          ...choices,
          ...(isKnown ? [] : [{ value: status, label: status }]),
        ]}
      />
      {props.children}
    </div>
  );
}

function ListBody<Item, Actions>(props: PartProps<Item, Actions> & { children: ReactNode }) {
  const { read, rows, counts, more, children } = props;
  const total = useTotalElsewhere(read, counts);
  if (!read.data) return <UnreadList read={read} rows={8} />;
  return (
    <>
      {read.error && (
        <div
          role="alert"
          className="mb-3 flex items-center justify-between gap-3 rounded-control bg-warn-tint px-4 py-2 text-14 text-warn"
        >
          <span>{words.notWhole}</span>
          <Retry query={read} />
        </div>
      )}
      <div className="min-h-72 flex-1">{children}</div>
      <div className="flex min-h-11 items-center gap-3 whitespace-nowrap pt-2 text-12 text-ink-soft">
        <p role="status">
          {countText(read, rows.length, props.words.rows, Boolean(more))}
          {total !== undefined && ` · ${words.byNow(showCount(total))}`}
        </p>
        {read.isAsking && rows.length > 0 && <span aria-hidden="true">{words.searching}</span>}
        {more}
        <span className="ml-auto">
          <ReadTime at={read.dataUpdatedAt} />
        </span>
        <Button
          look="quiet"
          busy={read.isFetching}
          icon={<RefreshCwIcon className="size-4" />}
          onClick={() => void read.refetch()}
        >
          {words.refresh}
        </Button>
      </div>
    </>
  );
}

function countText(
  { data: rows = [], isAsking, isFetching, isPartial }: StaffRows<unknown>,
  shownCount: number,
  nouns: RowNouns,
  hasOlder: boolean,
): string {
  const count = showCount(rows.length);
  const noun = rows.length === 1 ? nouns.one : nouns.many;
  if (isAsking && shownCount === 0) return words.searching;
  if (isFetching && isPartial) return words.reading(count);
  if (shownCount !== rows.length) return words.shown(showCount(shownCount), count, noun);
  return hasOlder ? words.soFar(count, noun) : words.all(count, noun);
}

type ScopeProps = { text: ReactNode; showAll: string; onShowAll: () => void };

/** Above a list that a link has filtered: which part is shown, and a button that shows all. */
export const ScopeBar = ({ text, showAll, onShowAll }: ScopeProps) =>
  text && (
    <p className="mb-3 flex items-center gap-3 rounded-control bg-leaf-tint py-1 pl-4 pr-1 text-14">
      <span className="min-w-0 flex-1">{text}</span>
      <Button look="quiet" onClick={onShowAll}>
        {showAll}
      </Button>
    </p>
  );

export const SkeletonCard = ({ rows, children }: { rows: number; children?: ReactNode }) => (
  <Card padding="none" className="px-4 py-2">
    {children}
    {Array.from({ length: rows }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity
      <SkeletonRow key={index} />
    ))}
  </Card>
);

/** Stands for a list without rows yet: a skeleton, or why reading it failed. */
export const UnreadList = ({ read, rows }: { read: ReadState<unknown>; rows: number }) => (
  <QueryStates query={read} framed failedTitle={words.failed} skeleton={<SkeletonCard rows={rows} />}>
    {() => null}
  </QueryStates>
);
