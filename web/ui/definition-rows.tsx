import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface DefinitionRow {
  id: string;
  term: ReactNode;
  value: ReactNode;
  strong?: boolean;
}

/**
 * Label … amount, one per line. A long value moves below its label instead of breaking mid-value, and several lines are
 * left-aligned.
 */
export function DefinitionRows({
  rows,
  ruled = false,
  size = 16,
}: {
  rows: readonly DefinitionRow[];
  ruled?: boolean;
  size?: 14 | 16;
}) {
  return (
    <dl
      className={classNames(
        'flex flex-col',
        size === 14 ? 'text-14' : 'text-16',
        ruled ? 'divide-y divide-line' : 'gap-2',
      )}
    >
      {rows.map((row) => (
        <div
          key={row.id}
          className={classNames(
            'flex flex-wrap items-baseline justify-between gap-x-4',
            ruled && 'break-inside-avoid py-2.5 print:py-1',
          )}
        >
          <dt className="text-ink-soft">{row.term}</dt>
          <dd
            className={classNames(
              'ml-auto min-w-0 tabular-nums wrap-anywhere',
              row.strong ? 'font-heading text-20 font-bold' : 'font-semibold',
            )}
          >
            {row.value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
