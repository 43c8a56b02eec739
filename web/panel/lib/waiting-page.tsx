import type { ReactNode } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import * as panel from '#contract/wording/panel.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { QueryStates, type ReadState } from '#web/lib/query-states.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyLoom } from '#web/ui/empty-loom.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { ReadAt } from './read-at.tsx';
import { SkeletonCard } from './staff-list.tsx';

type Props<Item, Waiting extends string> = {
  words: Record<'title' | 'text' | 'failed' | 'none' | 'noneEver' | 'noneText' | 'all' | Waiting, string>;
  /** The status of what waits; the other choice is `all`. */
  waiting: Waiting;
  status: Waiting | 'all';
  onStatus: (status: Waiting | 'all') => void;
  query: ReadState<readonly Item[]> & { dataUpdatedAt: number };
  reads: readonly Endpoint[];
  /** What else than the query read, with the line that reads more. */
  older?: { rows: readonly Item[]; more: ReactNode };
  children: (item: Item, index: number) => ReactNode;
};

/** A page of cards that wait for staff: its title, when it was read, and whether to show what is done too. */
export function WaitingPage<Item extends { id: number }, Waiting extends string>(
  props: Props<Item, Waiting>,
) {
  const { words, waiting, status, onStatus, query, reads, older, children } = props;
  usePageTitle(words.title);
  return (
    <div className="max-w-360">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="font-heading text-32 font-bold tracking-[-0.01em]">{words.title}</h1>
          <p className="text-14 text-ink-soft">{words.text}</p>
        </div>
        <div className="flex items-center gap-4">
          <ReadAt query={query} reads={reads} />
          <SelectField
            label={panel.list.show}
            labelHidden
            value={status}
            onChange={(event) => onStatus(event.currentTarget.value === 'all' ? 'all' : waiting)}
            options={[waiting, 'all' as const].map((value) => ({ value, label: words[value] }))}
          />
        </div>
      </div>
      <QueryStates query={query} framed failedTitle={words.failed} skeleton={<SkeletonCard rows={3} />}>
        {(items) =>
          items.length > 0 ? (
            <>
              <ul className="flex flex-col gap-4">
                {(older?.rows ?? items).map((item, index) => (
                  <li key={item.id}>{children(item, index)}</li>
                ))}
              </ul>
              {older?.more}
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
