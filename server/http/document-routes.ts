import * as api from '#contract/api.ts';
import { limits } from '#domain/limits.ts';
import { createBoundedQueue } from '#server/platform/bounded-queue.ts';
import { ImagesBusy } from '#server/platform/images.ts';
import { openDocument, requireRoom, storeDocument } from '#server/services/document-service.ts';
import type { Bind } from './route.ts';
import { readUpload } from './upload.ts';

/** An uploaded image shows what is in it and does nothing else, whatever its bytes may turn out to be. */
const imageHeaders = {
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** Identity documents (contract section 3). */
export function bindDocumentRoutes(route: Bind): void {
  // Each upload is held in memory while it arrives, so only so many may arrive at once.
  const uploads = createBoundedQueue({
    maxRunning: limits.uploadsAtOnce,
    maxWaiting: limits.uploadsWaiting,
    full: () => new ImagesBusy(),
  });

  route(api.uploadDocument, async ({ deps, caller, request, address }) => {
    await requireRoom(deps);
    return uploads.run(async () => storeDocument(deps, caller, await readUpload(request), address));
  });

  route(api.readFile, async ({ deps, caller, params }) => {
    const { bytes, contentType, sizeBytes } = await openDocument(deps, caller, params.id);
    return { contentType, body: bytes, headers: { ...imageHeaders, 'content-length': String(sizeBytes) } };
  });
}
