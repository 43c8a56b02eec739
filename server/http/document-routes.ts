import type * as api from '#contract/api.ts';
import { limits } from '#domain/limits.ts';
import { Failure } from '#server/failure.ts';
import { createKeyedLimiter } from '#server/platform/bounded-queue.ts';
import { networkOf } from '#server/platform/ip-address.ts';
import { openDocument, requireRoom, storeDocument } from '#server/services/document-service.ts';
import { requireShareOfToday } from '#server/services/tries-service.ts';
import type { Handlers } from './route.ts';
import { createHeldBytes, readUpload, refuseAnnouncedTooLarge } from './upload.ts';

/** An uploaded image shows what is in it and does nothing else, whatever its bytes may turn out to be. */
const imageHeaders = {
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

const tooManyUploads = () => new Failure('too_many_uploads', { retryAfterSeconds: 5 });

/** Identity documents (§photos). */
export function documentRoutes(): Handlers<Pick<typeof api, 'uploadDocument' | 'readFile'>> {
  const sending = createKeyedLimiter({
    maxRunning: limits.uploadsPerAccount,
    maxWaiting: limits.uploadsWaitingPerAccount,
    maxWaitMs: limits.uploadWaitMaxMs,
    full: tooManyUploads,
  });
  // Once it has come, so that nobody's slow network keeps a decoder; and never both decoders for one account.
  const decoding = createKeyedLimiter({
    maxRunning: 1,
    maxWaiting: limits.uploadsPerAccount,
    restFactor: limits.restFactor,
    full: tooManyUploads,
  });
  const held = createHeldBytes();

  return {
    async uploadDocument({ deps, caller, request }) {
      refuseAnnouncedTooLarge(request);
      requireShareOfToday(deps, 'upload', caller.id);
      await requireRoom(deps);
      const account = String(caller.id);
      return sending.take(account, () =>
        held.during(networkOf(caller.address) ?? caller.address, async (hold) => {
          const upload = await readUpload(request, hold);
          return decoding.take(account, () => storeDocument(deps, caller, upload));
        }),
      );
    },

    async readFile({ deps, caller, params }) {
      const { bytes, contentType, sizeBytes } = await openDocument(deps, caller, params.id);
      return { contentType, body: bytes, headers: { ...imageHeaders, 'content-length': String(sizeBytes) } };
    },
  };
}
