import type { input as ZodInput, ZodMiniType, infer as ZodOutput } from 'zod/mini';
import type { ErrorCode } from './errors.ts';

/**
 * Who may call an endpoint. Required on every row, so that none is born open.
 * `anyone` needs no token, `signedIn` any valid one, `borrower` a member's, `admin` staff's, `mainAdmin` the main admin's.
 */
export type Access = 'anyone' | 'signedIn' | 'borrower' | 'admin' | 'mainAdmin';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What an endpoint answers with when it is not the JSON of its `reply` schema. */
export type Produces = 'json' | 'jsonOrLines' | FileKind;

/** What is sent as it is, past any schema. */
export type FileKind = 'image' | 'pdf' | 'html' | 'calendar' | 'csv' | 'zip' | 'jsonFile';

export type Endpoint = {
  method: Method;
  /** The path as a reader writes it, parameters in braces: `/api/loans/{id}/schedule`. */
  path: `/api/${string}`;
  access: Access;
  /** One line for the API document. */
  summary: string;
  params?: ZodMiniType;
  query?: ZodMiniType;
  body?: ZodMiniType;
  reply?: ZodMiniType;
  /** 201 for what creates, 202 for what waits for staff, 200 otherwise. */
  status?: 200 | 201 | 202;
  /** Honours `Idempotency-Key` (contract section 1, row Retries). */
  idempotent?: true;
  /** Staff may call it from an address that is not allowed, too (contract section 6, Guard). */
  fromAnyAddress?: true;
  /**
   * Its answer holds an account's issued password and code, or only what `Prefer: secrets=none`, `otpCode` or
   * `plainPassword` asks for (contract section 6, Secrets in answers). The web app asks for none unless told otherwise.
   */
  carriesSecrets?: true;
  /** The body is `multipart/form-data` with one part named `file`. */
  takesFile?: true;
  produces?: Produces;
  /** Takes many rows, or the processor, for long: a few are made at a time, and accounts take turns. */
  isCostly?: true;
  /** The browser is told to throw away what it kept of this origin. */
  clearsCache?: true;
  /** Failures that a caller should expect beside those every endpoint of this access shares. */
  fails?: readonly ErrorCode[];
};

/**
 * Declares one row of the endpoint table. The row is the only place where method, path, access and schemas stand;
 * the server binds it, the web app calls it, the API document prints it.
 */
// @__NO_SIDE_EFFECTS__
export function endpoint<const Row extends Endpoint>(row: Row): Row {
  return row;
}

type SchemaOf<Row extends Endpoint, Part extends keyof Endpoint> =
  Row extends Record<Part, infer Schema> ? Schema : undefined;

/** What a caller sends, before the server's schema has read it. */
export type Sent<Row extends Endpoint, Part extends 'params' | 'query' | 'body'> =
  SchemaOf<Row, Part> extends ZodMiniType ? ZodInput<SchemaOf<Row, Part>> : undefined;

/** What the handler gets, after the schema has read it. */
export type Received<Row extends Endpoint, Part extends 'params' | 'query' | 'body'> =
  SchemaOf<Row, Part> extends ZodMiniType ? ZodOutput<SchemaOf<Row, Part>> : undefined;

/** What the handler returns: domain values (centavos, dates), which the reply schema writes as wire text. */
export type Returned<Row extends Endpoint> =
  SchemaOf<Row, 'reply'> extends ZodMiniType ? ZodInput<SchemaOf<Row, 'reply'>> : undefined;

/** What the caller reads off the wire. */
export type Reply<Row extends Endpoint> =
  SchemaOf<Row, 'reply'> extends ZodMiniType ? ZodOutput<SchemaOf<Row, 'reply'>> : undefined;
