import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { codeOf } from '#web/lib/call-error.ts';
import { QueryStates } from '#web/lib/query-states.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';

type Props<Data> = {
  query: UseQueryResult<Data>;
  noneTitle: string;
  noneText: string;
  failedTitle: string;
  children: (data: Data) => ReactNode;
};

/** A paper's query states. If there is none (for a loan taken over from other books), there is nothing to retry. */
export function PaperStates<Data>({ query, noneTitle, noneText, failedTitle, children }: Props<Data>) {
  if (codeOf(query.error) === 'not_found') {
    return <EmptyState title={noneTitle}>{noneText}</EmptyState>;
  }
  return (
    <QueryStates query={query} skeleton={<SkeletonText lines={15} />} failedTitle={failedTitle}>
      {children}
    </QueryStates>
  );
}
