import type { Endpoint, Reply } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import { type CallArguments, type CallOptions, fetchReply } from '#web/lib/call.ts';
import { NetworkError } from '#web/lib/call-error.ts';
import { createYielder } from './yielder.ts';

/** Replies with a list, as one row per line on request (§long-lists). */
export type ListEndpoint = Endpoint & { produces: 'jsonOrLines' };

/** The type of a list's rows. An unnamed list only promises that its rows have an id. */
export type RowOf<List extends ListEndpoint> =
  Reply<List> extends readonly (infer Row)[] ? Row : { id: number };

/**
 * The first rows are delivered at once, later ones in batches, so that a long list does not re-render for every packet.
 */
const batchMs = 120;

/**
 * Streams a list, some rows at a time. Throws `CallError` if the server refuses, `NetworkError` if the list breaks off,
 * or the signal's AbortError.
 */
export async function* streamRows<List extends ListEndpoint>(
  list: List,
  { query, signal }: Pick<CallOptions<List>, 'query' | 'signal'>,
): AsyncGenerator<RowOf<List>[], void, void> {
  const headers = { Accept: 'application/x-ndjson' };
  const given = [{ query, signal, headers }] as unknown as CallArguments<List>;
  const response = await fetchReply(list, ...given);
  if (!response.body) throw new NetworkError(undefined);

  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const yieldNow = createYielder();
  let waiting: RowOf<List>[] = [];
  let handedOverAt = Number.NEGATIVE_INFINITY;
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read());
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        waiting.push(JSON.parse(line));
        await yieldNow();
      }
      if (waiting.length > 0 && performance.now() - handedOverAt >= batchMs) {
        yield waiting;
        waiting = [];
        handedOverAt = performance.now();
      }
    }
    // While nothing is ready, the server sends blanks.
    if (rest.trim() !== '') throw new SyntaxError('the last line has no end');
    if (waiting.length > 0) yield waiting;
  } catch (error) {
    signal?.throwIfAborted();
    if (waiting.length > 0) yield waiting;
    throw new NetworkError(error);
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** The call's own timeout ends with the headers; without this, a list that stalls midway would be awaited forever. */
async function withinTime<Value>(read: Promise<Value>): Promise<Value> {
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timeout = setTimeout(() => reject(new Error('the list stopped coming')), limits.callTimeoutMs);
  });
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timeout);
  }
}
