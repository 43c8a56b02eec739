import type { ReactNode } from 'react';
import { panel } from '#contract/wording/panel.ts';
import { manilaTime } from '#domain/calendar.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState, ErrorState } from '#web/ui/empty-state.tsx';
import { RefreshIcon } from '#web/ui/icons.tsx';
import { Loading, SkeletonRow } from '#web/ui/skeleton.tsx';
import { NoResultsPicture } from '#web/ui/state-illustrations.tsx';
import { showCount } from './show-count.ts';
import type { StaffRows } from './staff-rows.ts';
import type { TableState } from './table-state.ts';

type BodyProps = {
  list: StaffRows<unknown>;
  shownCount: number;
  /** The server's current row count, if it differs from the list's. */
  total?: number | undefined;
  more?: ReactNode;
  children: ReactNode;
};

/** A list's states: skeleton, error, stale or partial, and content with its footer. */
export function ListBody({ list, shownCount, total, more, children }: BodyProps) {
  const { shell } = useCoreWords();
  if (!list.rows) return list.error ? <ListBroken list={list} /> : <ListShape rows={8} />;
  const retry = (
    <Button look="secondary" size="small" busy={list.isReading} onClick={list.readAgain}>
      {shell.retry}
    </Button>
  );
  return (
    <>
      {list.error !== null && list.error !== undefined && (
        <div
          role="alert"
          className="mb-3 flex items-center justify-between gap-3 rounded-control bg-warn-tint px-4 py-2 text-14 text-warn"
        >
          <span>{panel.list.notWhole}</span>
          {retry}
        </div>
      )}
      <div className="min-h-72 flex-1">{children}</div>
      <ListFoot list={list} shownCount={shownCount} total={total} more={more} />
    </>
  );
}

const card = 'rounded-card border border-transparent bg-card shadow-soft dark:border-line';

export function ListShape({ rows }: { rows: number }) {
  const { shell } = useCoreWords();
  return (
    <Loading label={shell.loading} className={`${card} px-4 py-2`}>
      {shapes(rows)}
    </Loading>
  );
}

/** Stands in for the rows until it is known whether any match; the footer says so. */
export const ListSearching = () => (
  <div aria-hidden="true" className="px-4 py-2">
    {shapes(3)}
  </div>
);

const shapes = (count: number) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity
  Array.from({ length: count }, (_, index) => <SkeletonRow key={index} />);

export function ListBroken({
  list,
}: {
  list: Pick<StaffRows<unknown>, 'error' | 'isReading' | 'readAgain'>;
}) {
  const { shell } = useCoreWords();
  const errorText = useErrorText();
  return (
    <div className={`${card} py-6`}>
      <ErrorState
        title={panel.list.failed}
        action={
          <Button look="secondary" size="small" busy={list.isReading} onClick={list.readAgain}>
            {shell.retry}
          </Button>
        }
      >
        {errorText(list.error)}
      </ErrorState>
    </div>
  );
}

function ListFoot({ list, shownCount, total, more }: Omit<BodyProps, 'children'>) {
  const words = panel.list;
  const count = list.rows?.length ?? 0;
  const text = () => {
    if (list.isAsking && shownCount === 0) return words.searching;
    if (list.isReading && list.isPartial) return words.reading(showCount(count));
    if (more && shownCount === count) return words.soFar(showCount(count));
    return shownCount === count
      ? words.all(showCount(count))
      : words.shown(showCount(shownCount), showCount(count));
  };
  return (
    <div className="flex min-h-11 items-center gap-3 whitespace-nowrap pt-2 text-12 text-ink-soft">
      <p role="status">
        {text()}
        {total !== undefined && ` · ${words.byNow(showCount(total))}`}
      </p>
      {list.isAsking && shownCount > 0 && <span aria-hidden="true">{words.searching}</span>}
      {more}
      <p className="ml-auto">{list.readAt && words.readAt(manilaTime(list.readAt))}</p>
      <Button
        look="quiet"
        size="small"
        busy={list.isReading}
        icon={<RefreshIcon className="size-4" />}
        onClick={list.readAgain}
      >
        {words.refresh}
      </Button>
    </div>
  );
}

type EmptyProps = {
  state: TableState & { show: (change: Partial<TableState>) => void };
  title: string;
  text: string;
  picture: ReactNode;
  action?: ReactNode;
};

export function ListEmpty({ state, title, text, picture, action }: EmptyProps) {
  const isNarrowed = state.search !== '' || state.status !== '';
  return (
    <div role="status">
      <EmptyState
        illustration={isNarrowed ? <NoResultsPicture /> : picture}
        title={title}
        className="py-12"
        action={
          isNarrowed ? (
            <Button look="secondary" size="small" onClick={() => state.show({ search: '', status: '' })}>
              {panel.list.clearFilters}
            </Button>
          ) : (
            action
          )
        }
      >
        {isNarrowed ? panel.list.noMatchText : text}
      </EmptyState>
    </div>
  );
}
