import { QueryClient, QueryClientProvider, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { Endpoint, Reply, Sent } from '#contract/endpoint.ts';
import { paths } from '#contract/routes.ts';
import { addDays, startOfManilaDay } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { addressOf, answerFailed, type CallArguments, type CallOptions, call, readPath } from './call.ts';
import { firstReads } from './first-requests.ts';
import { now, today } from './lender.ts';
import { sessionEnded } from './token.ts';

/**
 * Read cache. Its defaults are the rule's (§reads), whether or not a screen needs them. `networkMode: 'always'` because
 * by default the library would hold a request while offline and send it later, which nobody wants of a withdrawal.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      queryFn: ({ queryKey, signal }) => readPath(queryKey.join('/'), signal),
      refetchInterval: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: limits.cacheMinutes * 60_000,
      retry: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

sessionEnded.listen(() => {
  void queryClient.cancelQueries();
  queryClient.clear();
});

answerFailed.listen(() => void queryClient.invalidateQueries());

export function QueryProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}

export type ReadOptions<Row extends Endpoint> = Pick<CallOptions<Row>, 'params' | 'query'> & {
  enabled?: boolean;
  /** Reads again whenever it is opened, and at midnight: it depends on what others do and on the day (§reads). */
  anew?: boolean;
};

type ReadArguments<Row extends Endpoint> =
  Record<never, never> extends ReadOptions<Row> ? [options?: ReadOptions<Row>] : [options: ReadOptions<Row>];

/** The cache key of a read: its address, which the default query function would fetch. */
export function readKey<Row extends Endpoint>(
  row: Row,
  { params, query }: { params?: CallOptions<Row>['params']; query?: Sent<Row, 'query'> } = {},
): readonly [string] {
  return [addressOf(row.path, params as Parameters<typeof addressOf>[1], query as object)];
}

let isOpening = true;

/**
 * True on the first page since the app was loaded: its reads have just been made, so they are neither repeated nor retried
 * (§reads).
 */
export function useIsFirst(): boolean {
  const [isFirst] = useState(() => isOpening);
  useEffect(() => {
    isOpening = false;
  }, []);
  return isFirst;
}

export function useRead<Row extends Endpoint>(
  row: Row,
  ...[options]: ReadArguments<Row>
): UseQueryResult<Reply<Row>> {
  const { enabled, anew, params, query } = (options ?? {}) as ReadOptions<Row>;
  const isFirst = useIsFirst();
  const read = useQuery({
    queryKey: readKey(row, { params, query }),
    queryFn: ({ signal }) => call(row, ...([{ params, query, signal }] as unknown as CallArguments<Row>)),
    enabled,
    ...(isFirst ? { retryOnMount: false } : anew && { staleTime: 0 }),
  });
  useMidnight(anew && enabled !== false ? read.refetch : undefined);
  return read;
}

/** Calls `act` after each midnight in Manila: a page may stay open for days. It must be stable. */
export function useMidnight(act: (() => unknown) | undefined): void {
  useEffect(() => {
    if (!act) return;
    let timeout: ReturnType<typeof setTimeout>;
    const wait = () => {
      const leftMs = startOfManilaDay(addDays(today(), 1)).getTime() - now().getTime();
      timeout = setTimeout(() => {
        act();
        wait();
      }, leftMs + 1_000);
    };
    wait();
    return () => clearTimeout(timeout);
  }, [act]);
}

/** Reads what the page at a path has nothing to show without, so that it is drawn once. My loan reads it anew anyway. */
export const readFirst = (path: string): Promise<unknown> =>
  Promise.all(
    (path === paths.myLoan ? [] : (firstReads[path] ?? [])).map((row) =>
      queryClient.prefetchQuery({ queryKey: readKey(row) }),
    ),
  );

/**
 * Refetches mounted reads of an endpoint, whatever their parameters, and invalidates the rest. Resolves to whether all those
 * on the screen were read.
 */
export async function refreshReads(row: Endpoint): Promise<boolean> {
  const pattern = new RegExp(`^${row.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`);
  const predicate = ({ queryKey: [address] }: { queryKey: readonly unknown[] }) =>
    typeof address === 'string' && pattern.test(address);
  await queryClient.invalidateQueries({ predicate });
  const shown = queryClient.getQueryCache().findAll({ predicate, type: 'active' });
  return shown.every(({ state }) => state.status !== 'error');
}
