import type { FastifyRequest } from 'fastify';
import { en } from '#contract/wording/en.ts';
import { limits } from '#domain/limits.ts';
import { fail } from '#server/failure.ts';

/** What a form adds around its one file. */
const formOverheadBytes = 16 * 1024;

/**
 * The one file of a `multipart/form-data` body, from its part named `file` (contract section 3). Fails with `too_large`
 * beyond the limit, and with `validation_failed` when there is no such part.
 */
export async function readUpload(request: FastifyRequest): Promise<Buffer> {
  const announcedBytes = Number(request.headers['content-length'] ?? 0);
  // Told before it is sent: most clients then do not send it at all.
  if (announcedBytes > limits.documentMaxBytes + formOverheadBytes) fail('too_large');
  const file = await readForm(request);
  if (!file || file.length === 0) {
    const message = en.errors.not_an_image;
    fail('validation_failed', { message, fields: { file: message } });
  }
  return file;
}

async function readForm(request: FastifyRequest): Promise<Buffer | undefined> {
  let file: Buffer | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue;
      // A part that is not read would keep the ones after it from arriving.
      const content = await part.toBuffer();
      if (part.fieldname === 'file') file = content;
    }
  } catch (error) {
    if (hasFastifyCode(error)) throw error;
    // Cut off, or no form at all: the parser says so in plain errors without a code.
    fail('malformed');
  }
  return file;
}

const hasFastifyCode = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('FST_');
