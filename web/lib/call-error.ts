import type { ErrorBody, ErrorCode } from '#contract/errors.ts';
import { core } from '#contract/wording/en-core.ts';

/** What is known of an error body; a reply from elsewhere (a proxy) may have none of it. */
export type ErrorData = Partial<ErrorBody>;

/** The server answered, and the answer is a refusal (spec section 8). */
export class CallError extends Error {
  readonly status: number;
  /** The body as JSON; undefined when it was none. */
  readonly data: ErrorData | undefined;
  /** The contract's code, by which the web app decides; undefined when the reply is not the contract's. */
  readonly code: ErrorCode | undefined;
  /** How long to wait before another try, where the reply says so in seconds. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, data?: ErrorData, retryAfter?: string | null) {
    super(message);
    this.name = 'CallError';
    this.status = status;
    this.data = data;
    this.code = data?.code !== undefined && Object.hasOwn(core.errors, data.code) ? data.code : undefined;
    this.retryAfterSeconds = Number(retryAfter) || undefined;
  }
}

/** There is no usable answer: no connection, a lost one, or something between us and the server spoke in its place. */
export class NetworkError extends Error {
  constructor(cause: unknown) {
    super(core.shell.noConnection, { cause });
    this.name = 'NetworkError';
  }
}

/** Whether a call was given up on purpose, which is nothing to tell anybody. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/**
 * Reads an error body as spec section 8 says: the JSON's `message`, else the status text; where the body is not JSON,
 * the status code and the text of the reply; where there is no text either, the status code and the status text.
 */
export function callErrorOf(
  status: number,
  statusText: string,
  text: string | undefined,
  retryAfter?: string | null,
): CallError {
  const plain = statusText || core.shell.requestFailed;
  const make = (message: string, data?: ErrorData) => new CallError(status, message, data, retryAfter);
  if (text === undefined || text === '') return make(`${status}: ${plain}`);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return make(`${status}: ${text}`);
  }
  if (typeof data !== 'object' || data === null) return make(plain);
  const body: ErrorData = data;
  return make(typeof body.message === 'string' && body.message ? body.message : plain, body);
}
