import { Readable } from 'node:stream';
import * as api from '#contract/api.ts';
import { en } from '#contract/wording/en.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import { createBoundedQueue } from '#server/platform/bounded-queue.ts';
import { createTurns } from '#server/platform/turns.ts';
import {
  readDeletionRequest,
  requestDeletion,
  withdrawDeletion,
} from '#server/services/deletion-request-service.ts';
import { downloadOwnArchive, downloadOwnData } from '#server/services/own-archive-service.ts';
import type { Bind, RawAnswer } from './route.ts';

/** One's own data, and the request to have it deleted (RA 10173). */
export function bindPrivacyRoutes(route: Bind): void {
  const downloads = createDownloads();

  route(api.downloadOwnData, ({ deps, caller, address }) =>
    downloads.start(deps, caller.account.id, 'application/json; charset=utf-8', () =>
      downloadOwnData(deps, caller, address),
    ),
  );

  route(api.downloadOwnArchive, ({ deps, caller, query, address }) =>
    downloads.start(deps, caller.account.id, 'application/zip', () =>
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
 * One download of a person's data at a time, and not too many of all: the next one waits for a while. Each piece is made in
 * a turn of its own, so that a reader who takes their time keeps nobody else from reading.
 */
function createDownloads() {
  const waiting = { maxWaiting: limits.dataDownloadsWaiting, maxWaitMs: limits.callWaitMaxMs };
  const ofOne = createTurns({
    ...waiting,
    maxRunning: 1,
    restFactor: limits.restFactor,
    full: () => new Failure('too_many_tries', { retryAfterSeconds }),
  });
  const ofAll = createBoundedQueue({
    ...waiting,
    maxRunning: limits.dataDownloadsAtOnce,
    maxWaiting: limits.dataDownloadsAtOnce,
    full: () => new Failure('overloaded', { retryAfterSeconds }),
  });
  return {
    start(deps: Deps, accountId: number, contentType: string, begin: () => Promise<Download>) {
      const lane = String(accountId);
      return new Promise<RawAnswer>((answer, refuse) => {
        const download = async () => {
          const { pieces, fileName } = await begin();
          const body = Readable.from(inTurn(deps, lane, pieces), { objectMode: false });
          const ended = new Promise((end) => body.once('close', end));
          const headers = { 'content-disposition': `attachment; filename="${fileName}"` };
          answer({ contentType, body, headers });
          await ended;
        };
        ofOne.take(lane, () => ofAll.run(download, lane)).catch(refuse);
      });
    },
  };
}

async function* inTurn(deps: Deps, lane: string, pieces: Download['pieces']): Download['pieces'] {
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
