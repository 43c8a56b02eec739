import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { ErrorState } from '#web/ui/empty-state.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { useErrorText } from './error-text.ts';
import { useWords } from './words.ts';

type ReadingProps<Data> = {
  read: UseQueryResult<Data>;
  shape: ReactNode;
  failedTitle: string;
  children: (data: Data) => ReactNode;
};

/**
 * A query's four states: skeleton while loading, error with Retry, data, and data with a warning that it may be stale
 * because refetching failed.
 */
export function Reading<Data>({ read, shape, failedTitle, children }: ReadingProps<Data>) {
  const { dashboard, shell } = useWords();
  const errorText = useErrorText();
  if (read.data === undefined && !read.isError) return <Loading label={shell.loading}>{shape}</Loading>;

  const retry = (
    <Button
      look="secondary"
      size="compact"
      className="my-2"
      busy={read.isFetching}
      onClick={() => void read.refetch()}
    >
      {shell.retry}
    </Button>
  );
  if (read.data === undefined) {
    return (
      <ErrorState title={failedTitle} action={retry}>
        {errorText(read.error)}
      </ErrorState>
    );
  }
  return (
    <>
      {children(read.data)}
      {read.isError && (
        <p role="alert" className="mt-2 flex flex-wrap items-center gap-x-2 text-14 text-warn">
          {dashboard.loanNotRefreshed}
          {retry}
        </p>
      )}
    </>
  );
}
