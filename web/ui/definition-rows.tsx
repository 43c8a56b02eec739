import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface DefinitionRow {
  term: string;
  /** A row without one is left out. */
  value: ReactNode;
  strong?: boolean;
  /** Tells apart rows with the same term. */
  id?: string;
}

type Props = { rows: readonly DefinitionRow[]; ruled?: boolean; size?: 14 | 16 };

/**
 * Label … amount, one per line. A long value moves below its label instead of breaking mid-value, and several lines are
 * left-aligned.
 */
export function DefinitionRows({ rows, ruled = false, size = 16 }: Props) {
  const list = ruled ? 'divide-y divide-line' : 'gap-2';
  const given = rows.filter(({ value }) => Boolean(value) || value === 0);
  return (
    <dl className={classNames('flex flex-col', size === 14 ? 'text-14' : 'text-16', list)}>
      {given.map(({ term, value, strong, id = term }) => (
        <div
          key={id}
          className={classNames(
            'flex flex-wrap items-baseline justify-between gap-x-4',
            ruled && 'break-inside-avoid py-2.5 print:py-1',
          )}
        >
          <dt className="min-w-0 wrap-anywhere text-ink-soft">{term}</dt>
          <dd
            className={classNames(
              'ml-auto min-w-0 tabular-nums wrap-anywhere',
              strong ? 'font-heading text-20 font-bold' : 'font-semibold',
            )}
          >
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
