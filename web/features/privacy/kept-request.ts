import { readDeletionRequest } from '#contract/borrower-endpoints.ts';
import type { Reply } from '#contract/endpoint.ts';
import { queryClient, readKey } from '#web/lib/query.tsx';

/** Caches the request from a reply without refetching. */
export function keepRequest(request: Reply<typeof readDeletionRequest>): void {
  queryClient.setQueryData(readKey(readDeletionRequest), request);
}
