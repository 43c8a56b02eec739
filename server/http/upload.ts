import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type * as api from '#contract/api.ts';
import { en } from '#contract/wording/en.ts';
import { limits } from '#domain/limits.ts';
import { Failure, fail } from '#server/failure.ts';
import { createKeyedLimiter } from '#server/platform/bounded-queue.ts';
import { codeOf } from '#server/platform/file-system.ts';
import { networkOf } from '#server/platform/ip-address.ts';
import { openDocument, requireRoom, storeDocument } from '#server/services/document-service.ts';
import { requireShareOfToday } from '#server/services/tries-service.ts';
import type { Handlers } from './route.ts';

/** An uploaded image is only ever displayed, whatever its bytes are. */
const imageHeaders = {
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

const tooManyUploads = () => new Failure('too_many_uploads', { retryAfterSeconds: 5 });

export function documentRoutes(): Handlers<Pick<typeof api, 'uploadDocument' | 'readFile'>> {
  const sending = createKeyedLimiter({
    maxRunning: limits.uploadsPerAccount,
    maxWaiting: limits.uploadsWaitingPerAccount,
    maxWaitMs: limits.uploadWaitMaxMs,
    full: tooManyUploads,
  });
  // After the upload has arrived, so that a slow network occupies no decoder; one account never gets both decoders.
  const decoding = createKeyedLimiter({
    maxRunning: 1,
    maxWaiting: limits.uploadsPerAccount,
    restFactor: limits.restFactor,
    full: tooManyUploads,
  });
  const holding = createHeldBytes();

  return {
    async uploadDocument({ deps, caller, request }) {
      refuseAnnouncedTooLarge(request);
      requireShareOfToday(deps, 'upload', caller.id);
      await requireRoom(deps);
      const account = String(caller.id);
      return sending.take(account, () =>
        holding(networkOf(caller.address) ?? caller.address, async (hold) => {
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

const formOverheadBytes = 16 * 1024;

/** Most clients do not send a body that is refused up front. */
function refuseAnnouncedTooLarge(request: FastifyRequest): void {
  const announcedBytes = Number(request.headers['content-length'] ?? 0);
  if (announcedBytes > limits.documentMaxBytes + formOverheadBytes) fail('too_large');
}

/** Called before each chunk is kept; throws if there is no room for it. */
type Hold = (bytes: number) => void;

/** The part named `file` of a `multipart/form-data` body (§uploading). */
async function readUpload(request: FastifyRequest, hold: Hold): Promise<Buffer> {
  // The client left while it waited, so the form will never end.
  if (request.raw.destroyed) fail('malformed');
  const pace = watchPace(request);
  const file = await Promise.race([readForm(request, hold), pace.tooSlow]).finally(pace.stop);
  const message = en.errors.not_an_image;
  return file?.length ? file : fail('validation_failed', { message, fields: { file: message } });
}

async function readForm(request: FastifyRequest, hold: Hold): Promise<Buffer | undefined> {
  let file: Buffer | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue;
      // An unread part would block the parts after it.
      const content = await readPart(part, hold);
      if (part.fieldname === 'file') file = content;
    }
  } catch (error) {
    if (error instanceof Failure || String(codeOf(error)).startsWith('FST_')) throw error;
    // Cut off, or not a form: the parser throws plain errors without a code.
    fail('malformed');
  }
  return file;
}

async function readPart({ file }: MultipartFile, hold: Hold): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of file) {
    hold(piece.length);
    pieces.push(piece);
  }
  if (file.truncated) fail('too_large');
  return Buffer.concat(pieces);
}

/** Rejects if the last seconds brought less than the slowest network would. */
function watchPace({ socket }: FastifyRequest) {
  const seconds = limits.uploadSlowSeconds;
  const received = [socket.bytesRead];
  let timer: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      received.push(socket.bytesRead);
      if (received.length <= seconds) return;
      const bytes = socket.bytesRead - (received.shift() ?? 0);
      if (bytes < limits.uploadMinBytesPerSecond * seconds) reject(new Failure('upload_too_slow'));
    }, 1_000);
  });
  return { tooSlow, stop: () => clearInterval(timer) };
}

function createHeldBytes() {
  const ofNetworks = new Map<string, number>();
  let all = 0;

  function add(network: string, bytes: number): void {
    all += bytes;
    const own = (ofNetworks.get(network) ?? 0) + bytes;
    if (own > 0) ofNetworks.set(network, own);
    else ofNetworks.delete(network);
    const isTooMuch = own > limits.uploadsHeldPerNetworkMaxBytes || all > limits.uploadsHeldMaxBytes;
    if (isTooMuch && bytes > 0) fail('overloaded', { retryAfterSeconds: 2 });
  }

  /** Counts the bytes that an upload holds in memory until its work is over. Fails with `overloaded`. */
  return async <Result>(network: string, work: (hold: Hold) => Promise<Result>): Promise<Result> => {
    let heldBytes = 0;
    let isOver = false;
    const hold = (bytes: number) => {
      if (isOver) fail('malformed');
      heldBytes += bytes;
      add(network, bytes);
    };
    try {
      hold(limits.uploadFormHeldBytes);
      return await work(hold);
    } finally {
      isOver = true;
      add(network, -heldBytes);
    }
  };
}

/** Node would read the rest of a refused body at full speed, and a flood of photos would keep the server busy. */
export function discardRefusedBodies(app: FastifyInstance): void {
  let discarding = 0;
  app.addHook('onSend', async ({ raw: body }) => {
    if (!body.complete && body.readableFlowing === null) void discard(body);
  });

  async function discard(body: IncomingMessage): Promise<void> {
    discarding += 1;
    try {
      for await (const { length } of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
        await pause((discarding * length * 1000) / limits.discardedBytesPerSecond);
    } catch {
      // The client has hung up.
    } finally {
      discarding -= 1;
    }
  }
}
