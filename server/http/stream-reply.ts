import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { ZodMiniArray, ZodMiniType } from 'zod/mini';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Deps } from '#server/deps.ts';
import { tableWriter } from './table-reply.ts';

/** A list that is read page by page, so that memory stays flat. */
export type Pages<Item> = AsyncIterable<readonly Item[]>;

/** True for pages. A handler whose answer may take minutes yields empty pages while it works, and the answer last. */
export const isPages = (result: unknown): result is Pages<unknown> =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/** Asks for each piece in the account's turn: costly reads of other accounts come between two pieces. */
export async function* inTurn<Piece>(
  deps: Deps,
  lane: string,
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await deps.costly.run(() => iterator.next(), lane);
      if (done) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}

export const jsonType = 'application/json';

export const linesType = 'application/x-ndjson';

export const csvType = 'text/csv';

/**
 * A way to write pages. `blank` stands for an empty page, so that no proxy takes the silence
 * for a broken connection.
 */
type StreamFormat = {
  type: string;
  head?: string;
  blank?: string;
  tail?: string;
  write(rows: readonly unknown[], isFirst: boolean): string;
};

export function listFormat(row: Endpoint, asTable: boolean, asLines: boolean): StreamFormat {
  // `zod/mini` tells the schema of an array's elements nowhere else.
  const item = (row.reply as ZodMiniArray<ZodMiniType>)._zod.def.element;
  if (asTable) {
    const { head, rows: write } = tableWriter(row);
    return { type: csvType, head, write: (rows) => write(rows.map((value) => item.parse(value))) };
  }
  const textsOf = (rows: readonly unknown[]) => rows.map((value) => JSON.stringify(item.parse(value)));
  if (asLines) return { type: linesType, blank: ' ', write: (rows) => `${textsOf(rows).join('\n')}\n` };
  const write: StreamFormat['write'] = (rows, isFirst) => `${isFirst ? '' : ','}${textsOf(rows).join(',')}`;
  return { type: jsonType, head: '[', blank: ' ', tail: ']', write };
}

/**
 * Sends each page as it is read. The first is read before anything is sent, so that a failure still has its
 * status.
 */
export async function sendPages(
  reply: FastifyReply,
  pages: Pages<unknown>,
  { type, head = '', blank = '', tail = '', write }: StreamFormat,
  noteFile: () => Promise<void>,
) {
  const iterator = pages[Symbol.asyncIterator]();
  const first = await iterator.next();
  await noteFile();

  async function* text() {
    let isFirst = true;
    try {
      yield head;
      for (let page = first; !page.done; page = await iterator.next()) {
        if (page.value.length > 0) yield write(page.value, isFirst);
        // The head has just been sent in place of an empty first page.
        else if (page !== first) yield blank;
        isFirst &&= page.value.length === 0;
        // Lets other requests through between two pages.
        await new Promise((resolve) => setImmediate(resolve));
      }
      yield tail;
    } finally {
      await iterator.return?.();
    }
  }

  return reply.type(`${type}; charset=utf-8`).send(Readable.from(text(), { objectMode: false }));
}
