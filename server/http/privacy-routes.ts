import { Readable } from 'node:stream';
import * as api from '#contract/api.ts';
import { en } from '#contract/wording/en.ts';
import { limits } from '#domain/limits.ts';
import { fail } from '#server/failure.ts';
import {
  readDeletionRequest,
  requestDeletion,
  withdrawDeletion,
} from '#server/services/deletion-request-service.ts';
import { downloadOwnArchive, downloadOwnData } from '#server/services/own-archive-service.ts';
import type { Bind } from './route.ts';

/** One's own data, and the request to have it deleted (RA 10173). */
export function bindPrivacyRoutes(route: Bind): void {
  const downloads = createDownloads();

  route(api.downloadOwnData, ({ deps, caller, address }) =>
    downloads.start(caller.account.id, 'application/json; charset=utf-8', () =>
      downloadOwnData(deps, caller, address),
    ),
  );

  route(api.downloadOwnArchive, ({ deps, caller, query, address }) =>
    downloads.start(caller.account.id, 'application/zip', () =>
      downloadOwnArchive(deps, caller, address, query.lang ?? 'en'),
    ),
  );

  route(api.readDeletionRequest, async ({ caller }) => readDeletionRequest(caller));

  route(api.requestDeletion, ({ deps, caller, address }) => requestDeletion(deps, caller, address));

  route(api.withdrawDeletion, async ({ deps, caller, address }) => {
    await withdrawDeletion(deps, caller, address);
    return { message: en.done.requestTakenBack };
  });
}

type Download = { pieces: AsyncIterable<string | Buffer>; fileName: string };

const retryAfterSeconds = 10;

/**
 * One download of a person's data at a time, and few of all: each holds a picture in memory for as long as its reader
 * takes, and reads through the person's books.
 */
function createDownloads() {
  /** By whose data it is. */
  const running = new Map<number, object>();
  return {
    async start(accountId: number, contentType: string, begin: () => Promise<Download>) {
      if (running.has(accountId)) fail('too_many_tries', { retryAfterSeconds });
      if (running.size >= limits.dataDownloadsAtOnce) fail('overloaded', { retryAfterSeconds });
      const download = {};
      running.set(accountId, download);
      /** Also when it is said twice, it never ends the download that has begun after this one. */
      function end() {
        if (running.get(accountId) === download) running.delete(accountId);
      }
      try {
        const { pieces, fileName } = await begin();
        // At the last piece, so that who has it all may ask again at once …
        const body = Readable.from(endingWith(pieces, end), { objectMode: false });
        // … and when the reader gives up, perhaps before the first one.
        body.once('close', end);
        const headers = { 'content-disposition': `attachment; filename="${fileName}"` };
        return { contentType, body, headers };
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

async function* endingWith(pieces: Download['pieces'], end: () => void): Download['pieces'] {
  try {
    yield* pieces;
  } finally {
    end();
  }
}
