import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorBody, ErrorCode } from '#contract/errors.ts';
import { en } from '#contract/wording/en.ts';
import { records } from '#contract/wording/server-words.ts';
import { limits } from '#domain/limits.ts';
import { Failure } from '#server/failure.ts';
import { Overloaded } from '#server/platform/bounded-queue.ts';
import { constraintOf, isDatabaseUnavailable, refusalIn } from '#server/platform/database/database-errors.ts';
import { NoRoom } from '#server/platform/disk-room.ts';
import { FilesUnavailable } from '#server/platform/file-store.ts';
import { NotAnImage, PictureTooLarge } from '#server/platform/images.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the refusal that is sent, for the log. */
    failureCode?: ErrorCode;
  }
}

/** When trying again makes sense. */
const soon = { retryAfterSeconds: 2 };

export function errorBody({ code, details }: Failure): ErrorBody {
  return {
    message: details.message ?? en.errors[code],
    code,
    ...(details.fields && Object.keys(details.fields).length > 0 ? { errors: details.fields } : {}),
    ...(details.present ? { present: details.present } : {}),
    ...(code === 'account_suspended' ? { accountStatus: 'suspended' as const } : {}),
  };
}

const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_REQ_FILE_TOO_LARGE: 'too_large',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported_media_type',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

/** A violated constraint that is not listed is our bug, and is answered as one. */
const constraintCodes: Record<string, ErrorCode> = {
  accounts_phone_unique: 'phone_taken',
  accounts_admin_email_unique: 'email_taken',
  accounts_balance_not_negative: 'insufficient_funds',
  accounts_main_admin: 'main_admin_protected',
  allowed_ips_address_unique: 'ip_already_listed',
  payments_reference_unique: 'payment_known',
};

const refusals: [kind: abstract new (...given: never[]) => Error, code: ErrorCode][] = [
  [NotAnImage, 'not_an_image'],
  [PictureTooLarge, 'picture_too_large'],
  [FilesUnavailable, 'documents_unavailable'],
  [NoRoom, 'storage_full'],
];

/** Undefined for an unforeseen error. */
export function failureOf(
  error: unknown,
  bodyMaxBytes: number = limits.jsonBodyMaxBytes,
): Failure | undefined {
  if (error instanceof Failure) return error;
  const refused = refusals.find(([kind]) => error instanceof kind)?.[1];
  if (refused) return new Failure(refused);
  if (error instanceof Overloaded) return new Failure('overloaded', soon);
  if (isDatabaseUnavailable(error)) return new Failure('database_unavailable', soon);
  const violated = constraintCodes[constraintOf(error) ?? ''];
  if (violated) return new Failure(violated);
  const { code = '', statusCode = 500 } = error as FastifyError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Failure('too_large', { message: records.bodyTooLarge(bodyMaxBytes) });
  }
  const known = fastifyCodes[code];
  if (known) return new Failure(known);
  return statusCode >= 400 && statusCode < 500 ? new Failure('malformed') : undefined;
}

const reasonOf = (error: unknown) => refusalIn(error)?.message;

/** Never sends a stack trace, SQL or a file path. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const failure = failureOf(error, request.routeOptions?.bodyLimit);
  if (!failure) request.log.error({ err: error }, 'an unforeseen error');
  // Logged nowhere else, and somebody has to free space or repair the bucket or the database.
  if (error instanceof FilesUnavailable || error instanceof NoRoom)
    request.log.error({ err: error }, 'documents cannot be stored or read');
  if (isDatabaseUnavailable(error))
    request.log.warn({ reason: reasonOf(error) }, 'the database cannot be used');
  const told = failure ?? new Failure(request.hasCommitted ? 'answer_failed' : 'internal');
  request.failureCode = told.code;
  const { status } = told;
  const { retryAfterSeconds } = told.details;
  // Do not wait for the rest of a slow body.
  if (status === 408) reply.header('connection', 'close');
  if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfterSeconds)));
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send({ ...errorBody(told), ...(status === 500 ? { requestId: request.id } : {}) });
}
