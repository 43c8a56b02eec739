import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorState } from '#web/ui/empty-state.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { useWords } from './home-words.ts';

export type ReadState<Data = unknown> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching'> & {
  refetch: () => unknown;
};

type QueryStatesProps<Data> = {
  query: ReadState<Data>;
  skeleton: ReactNode;
  failedTitle: string;
  /** True if a failure needs a card of its own, because the content brings one. */
  framed?: boolean;
  /** True if the warning goes above the content, because that is long. */
  staleFirst?: boolean;
  children: (data: Data) => ReactNode;
};

/**
 * A query's four states: skeleton while loading, error with Retry, data, and data with a warning that it may be stale
 * because refetching failed.
 */
export function QueryStates<Data>({ query, skeleton, failedTitle, ...rest }: QueryStatesProps<Data>) {
  const { framed, staleFirst, children } = rest;
  const { data, error } = query;
  const { dashboard, shell, errorText } = useWords();
  if (data === undefined && !error) return <Loading label={shell.loading}>{skeleton}</Loading>;
  if (data === undefined) {
    const failure = <ReadFailed query={query} title={failedTitle} />;
    return framed ? <Card padding="none">{failure}</Card> : failure;
  }
  const stale = error && (
    <Banner
      tone="warn"
      role="alert"
      title={dashboard.loanNotRefreshed}
      action={<Retry query={query} />}
      className={staleFirst ? undefined : 'mt-2'}
    >
      {errorText(error)}
    </Banner>
  );
  return (
    <>
      {staleFirst && stale}
      {children(data)}
      {!staleFirst && stale}
    </>
  );
}

export function ReadFailed({ query, title }: { query: ReadState; title: string }) {
  const { errorText } = useWords();
  return (
    <ErrorState title={title} action={<Retry query={query} />}>
      {errorText(query.error)}
    </ErrorState>
  );
}

export function Retry({ query: { isFetching, refetch } }: { query: ReadState }) {
  const { shell } = useWords();
  return (
    <Button look="secondary" size="compact" busy={isFetching} onClick={() => void refetch()}>
      {shell.retry}
    </Button>
  );
}
