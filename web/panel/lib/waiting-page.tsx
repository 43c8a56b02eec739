import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type * as api from '#contract/api.ts';
import type { Endpoint, Reply } from '#contract/endpoint.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { useOlderRows } from '#web/lib/older-rows.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyLoom } from '#web/ui/empty-loom.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { ReadAt } from './read-at.tsx';
import { SkeletonCard } from './staff-list.tsx';

type WaitingList = typeof api.listApprovals | typeof api.listComplaints;
type Item<List extends WaitingList> = Extract<Reply<WaitingList>, Reply<List>>[number];

type Props<List extends WaitingList, Waiting extends string> = {
  list: List;
  words: Record<'title' | 'text' | 'failed' | 'none' | 'noneEver' | 'noneText' | 'all' | Waiting, string>;
  /** The status of what waits; the other choice is `all`. */
  waiting: Waiting;
  besides?: readonly Endpoint[];
  /** Items that wait for somebody else come after the rest, under a heading of their own. */
  others?: { title: string; isFor(item: Item<List>): boolean };
  children: (item: Item<List>, index: number) => ReactNode;
};

/** A page of cards that wait for staff: its title, when it was read, and whether to show what is done too. */
export function WaitingPage<List extends WaitingList, Waiting extends string>(props: Props<List, Waiting>) {
  const { list, words, waiting, besides = [], others, children } = props;
  const [status, setStatus] = useState<Waiting | 'all'>(waiting);
  const query = useRead<Endpoint>(list, { query: { status } as never, anew: true }) as UseQueryResult<
    Item<List>[]
  >;
  const { rows, more } = useOlderRows<Item<List>>(list, query.data ?? [], { status });
  const othersId = useId();
  usePageTitle(words.title);
  return (
    <div className="max-w-360">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="font-heading text-32 font-bold tracking-[-0.01em]">{words.title}</h1>
          <p className="text-14 text-ink-soft">{words.text}</p>
        </div>
        <div className="flex items-center gap-4">
          <ReadAt query={query} reads={[list, ...besides]} />
          <SelectField
            label={panel.list.show}
            labelHidden
            value={status}
            onChange={(event) => setStatus(event.currentTarget.value === 'all' ? 'all' : waiting)}
            options={[waiting, 'all' as const].map((value) => ({ value, label: words[value] }))}
          />
        </div>
      </div>
      <QueryStates query={query} framed failedTitle={words.failed} skeleton={<SkeletonCard rows={3} />}>
        {(items) =>
          items.length > 0 ? (
            <>
              <Items rows={rows.filter((item) => !others?.isFor(item))}>{children}</Items>
              {others && rows.some(others.isFor) && (
                <section aria-labelledby={othersId}>
                  <h2 id={othersId} className="pb-3 pt-6 font-heading text-20 font-bold">
                    {others.title}
                  </h2>
                  <Items rows={rows.filter(others.isFor)}>{children}</Items>
                </section>
              )}
              {'pageRows' in list && more}
            </>
          ) : (
            <Card>
              <EmptyState
                role="status"
                picture={<EmptyLoom />}
                title={status === 'all' ? words.noneEver : words.none}
              >
                {words.noneText}
              </EmptyState>
            </Card>
          )
        }
      </QueryStates>
    </div>
  );
}

type ItemsProps<Row> = { rows: readonly Row[]; children: (item: Row, index: number) => ReactNode };

const Items = <Row extends { id: number }>({ rows, children }: ItemsProps<Row>) => (
  <ul className="flex flex-col gap-4">
    {rows.map((item, index) => (
      <li key={item.id}>{children(item, index)}</li>
    ))}
  </ul>
);
