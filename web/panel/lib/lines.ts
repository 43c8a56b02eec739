import type { Endpoint, Reply } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import { type CallArguments, type CallOptions, fetchReply } from '#web/lib/call.ts';
import { NetworkError } from '#web/lib/call-error.ts';
import { createYielder } from './yielder.ts';

/** An endpoint that answers with a list, one row a line if asked (contract section 1, row Large lists). */
export type LinesEndpoint = Endpoint & { produces: 'jsonOrLines' };

/** One row of such a list. */
export type LineOf<Row extends LinesEndpoint> = Reply<Row> extends readonly (infer Item)[] ? Item : never;

/** The first rows are handed over at once, the others in batches, so that a long list is not drawn for every packet. */
const batchMs = 120;

type Options<Row extends LinesEndpoint> = {
  query?: CallOptions<Row>['query'];
  signal?: AbortSignal;
  /** Takes rows as they come; what answers false has enough, and the rest is not read. */
  onRows: (rows: LineOf<Row>[]) => boolean | undefined;
};

/**
 * Reads a list row by row while it arrives. Resolves when it has come to its end; throws `CallError` when the server
 * refuses, `NetworkError` when the list breaks off, and the signal's AbortError when given up.
 */
export async function readLines<Row extends LinesEndpoint>(
  row: Row,
  { query, signal, onRows }: Options<Row>,
): Promise<void> {
  const headers = { Accept: 'application/x-ndjson' };
  const given = [{ query, signal, headers }] as unknown as CallArguments<Row>;
  const response = await fetchReply(row, ...given);
  if (!response.body) throw new NetworkError(undefined);

  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const yieldNow = createYielder();
  let waiting: LineOf<Row>[] = [];
  let handedOverAt = Number.NEGATIVE_INFINITY;
  let isEnough = false;
  const handOver = () => {
    if (waiting.length === 0) return;
    isEnough = onRows(waiting) === false;
    waiting = [];
    handedOverAt = performance.now();
  };
  try {
    let rest = '';
    while (!isEnough) {
      const { done, value } = await withinTime(reader.read());
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        waiting.push(JSON.parse(line));
        await yieldNow();
      }
      if (performance.now() - handedOverAt >= batchMs) handOver();
    }
    if (rest !== '' && !isEnough) throw new SyntaxError('the last line has no end');
    handOver();
  } catch (error) {
    signal?.throwIfAborted();
    handOver();
    throw new NetworkError(error);
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** The call's own time limit ends with its headers: a list that stops in the middle would be waited for without end. */
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
