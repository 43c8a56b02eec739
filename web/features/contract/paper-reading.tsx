import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CallError } from '#web/lib/call-error.ts';
import { QueryStates } from '#web/lib/query-states.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Skeleton, SkeletonText } from '#web/ui/skeleton.tsx';

type Props<Data> = {
  read: UseQueryResult<Data>;
  /** Says that there is none. */
  noneTitle: string;
  noneText: string;
  /** Says that it could not be read. */
  failedTitle: string;
  children: (data: Data) => ReactNode;
};

/** A paper as it is read. One that the books do not hold (a loan taken over from elsewhere) is no failure to retry. */
export function PaperReading<Data>({ read, noneTitle, noneText, failedTitle, children }: Props<Data>) {
  if (read.error instanceof CallError && read.error.code === 'not_found') {
    return <EmptyState title={noneTitle}>{noneText}</EmptyState>;
  }
  return (
    <QueryStates query={read} skeleton={<PaperShape />} failedTitle={failedTitle}>
      {children}
    </QueryStates>
  );
}

function PaperShape() {
  return (
    <span className="flex flex-col gap-5">
      <Skeleton className="h-24 w-full rounded-control" />
      <SkeletonText lines={5} />
      <SkeletonText lines={4} />
    </span>
  );
}
