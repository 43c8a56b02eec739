import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ZodMiniType } from 'zod/mini';
import type { Endpoint } from '#contract/endpoint.ts';

/** A list that is read page by page, so that memory stays flat however long it is. */
export type Pages<Item> = AsyncIterable<readonly Item[]>;

const linesType = 'application/x-ndjson';

/** Whether the reader asked for one row a line (§long-lists). */
export function wantsLines(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').split(',').some((type) => type.trim().split(';')[0] === linesType);
}

/**
 * Sends a list as one JSON array or one row a line, writing each page as it is read. The first page is read before
 * anything is sent, so that a failure to read still has its status.
 */
export async function sendPages(reply: FastifyReply, row: Endpoint, pages: Pages<unknown>, asLines: boolean) {
  const item = itemSchema(row);
  const iterator = pages[Symbol.asyncIterator]();
  const first = await iterator.next();
  const write = (rows: readonly unknown[]) => rows.map((value) => JSON.stringify(item.parse(value)));

  async function* text() {
    let isFirst = true;
    try {
      if (!asLines) yield '[';
      for (let page = first; !page.done; page = await iterator.next()) {
        if (page.value.length === 0) continue;
        const rows = write(page.value);
        yield asLines ? `${rows.join('\n')}\n` : `${isFirst ? '' : ','}${rows.join(',')}`;
        isFirst = false;
        // Let other requests through between two pages: writing a long list must not hold them up.
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (!asLines) yield ']';
    } finally {
      await iterator.return?.();
    }
  }

  const type = asLines ? `${linesType}; charset=utf-8` : 'application/json; charset=utf-8';
  return reply.type(type).send(Readable.from(text(), { objectMode: false }));
}

function itemSchema(row: Endpoint): ZodMiniType {
  const list = row.reply as { element?: ZodMiniType; _zod: { def: { element?: ZodMiniType } } } | undefined;
  const element = list?._zod.def.element;
  if (!element) throw new Error(`${row.path} answers in lines but its reply is no list`);
  return element;
}
