import { readDeletionRequest } from '#contract/borrower-endpoints.ts';
import type { Reply } from '#contract/endpoint.ts';
import { queryClient, readKey } from '#web/lib/query.tsx';

/** Shows what a reply said of the request, without reading it again. */
export function keepRequest(request: Reply<typeof readDeletionRequest>): void {
  queryClient.setQueryData(readKey(readDeletionRequest), request);
}
