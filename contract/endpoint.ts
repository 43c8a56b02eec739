import type { input as ZodInput, ZodMiniType, infer as ZodOutput } from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { IdParams } from './fields.ts';

/**
 * The callers that an endpoint admits. Every row declares one of them, so no endpoint is public by
 * accident. `anyone` needs no token, `signedIn` any valid one, `borrower` a member's, `admin` staff's,
 * `mainAdmin` the main admin's.
 */
export type Access = 'anyone' | 'signedIn' | 'borrower' | 'admin' | 'mainAdmin';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type FileKind = 'image' | 'pdf' | 'html' | 'calendar' | 'csv' | 'zip' | 'jsonFile';

export type Endpoint = {
  method: Method;
  path: `/api/${string}`;
  access: Access;
  summary: string;
  /** The path's parameters. A lone `{id}` needs no schema: it is a positive integer, anything else a 404. */
  params?: ZodMiniType;
  query?: ZodMiniType;
  body?: ZodMiniType;
  reply?: ZodMiniType;
  /** 201 for creation, 202 for what awaits staff, 200 otherwise. */
  status?: 201 | 202;
  /** Honours `Idempotency-Key` (§idempotency). */
  idempotent?: true;
  /** Staff may call it before they have the second step that the setting asks for (§second-step). */
  withoutSecondStep?: true;
  /** Staff may call it from an address that is not on the allow-list (§panel-guard). */
  fromAnyAddress?: true;
  /**
   * The reply includes an account's issued password and code, or only what `Prefer: secrets=none`, `otpCode` or
   * `plainPassword` asks for (§secrets-in-answers). The web app asks for none by default.
   */
  carriesSecrets?: true;
  /** The most that its body may have, where the usual limit is too little. */
  bodyMaxBytes?: number;
  /** The body is `multipart/form-data` with one part named `file`. */
  takesFile?: true;
  produces?: 'json' | 'jsonOrLines' | FileKind;
  /**
   * The list comes as CSV too, with `Accept: text/csv`. A record maps the heads of columns that differ
   * from the reply's fields.
   */
  csv?: true | Readonly<Record<string, string>>;
  /** A list that ends after so many rows: a `Link` header then leads on, by `before` (§long-lists). */
  pageRows?: number;
  /** Expensive in rows or CPU: only a few run at a time, and accounts take turns. */
  isCostly?: true;
  clearsCache?: true;
  /** Errors a caller should expect beyond those common to every endpoint of this access. */
  fails?: readonly ErrorCode[];
  /** Errors that are a 409 here and have another status elsewhere. */
  conflicts?: readonly ErrorCode[];
  /** Errors that are a 401 here and have another status elsewhere. */
  unauthorised?: readonly ErrorCode[];
};

/**
 * Declares rows of the endpoint table for one kind of caller. A row is the single definition of method, path and schemas: the
 * server binds it, the web app calls it, the API document prints it. Path parameters are in braces.
 */
export function rowsFor<Who extends Access>(access: Who) {
  return <
    const Path extends Endpoint['path'],
    const Row extends Omit<Endpoint, 'method' | 'path' | 'access'>,
  >(
    route: `${Method} ${Path}`,
    row: Row,
  ) => {
    const [method, path] = route.split(' ') as [Method, Path];
    return { method, path, access, ...row };
  };
}

export const anyone = rowsFor('anyone');
export const signedIn = rowsFor('signedIn');
export const borrower = rowsFor('borrower');
export const admin = rowsFor('admin');
export const mainAdmin = rowsFor('mainAdmin');

export const isStaffRow = ({ access }: Endpoint) => access === 'admin' || access === 'mainAdmin';

/** The row's own `fails` and the errors of every endpoint with its access, without `conflicts` and `unauthorised`. */
export function failureCodes(row: Endpoint): ErrorCode[] {
  const { access, body, takesFile } = row;
  const isForAnyone = access === 'anyone';
  const isForBorrowers = access === 'borrower';
  const when = (applies: unknown, ...codes: ErrorCode[]) => (applies ? codes : []);
  return [
    'not_signed_in',
    'session_idle',
    'account_suspended',
    ...when(isStaffRow(row) || isForBorrowers, 'forbidden'),
    ...when(!isForBorrowers && !row.fromAnyAddress, 'ip_not_allowed'),
    ...when(!isForAnyone && !isForBorrowers && !row.withoutSecondStep, 'second_step_required'),
    ...when(access === 'mainAdmin', 'main_admin_only'),
    ...when(body || row.query, 'validation_failed'),
    ...when(body || takesFile, 'malformed', 'too_large', 'unsupported_media_type'),
    ...when(row.idempotent, 'invalid_idempotency_key', 'idempotency_key_reused'),
    ...when(row.path.includes('{'), 'not_found'),
    ...when(!isForAnyone, 'too_many_requests'),
    ...(row.fails ?? []),
    'database_unavailable',
  ];
}

type SchemaOf<Row extends Endpoint, Part extends keyof Endpoint> =
  Row extends Record<Part, infer Schema>
    ? Schema
    : [Part, Row] extends ['params', { path: `${string}{id}${string}` }]
      ? typeof IdParams
      : undefined;

/** A part of a call before parsing, as the caller sends it. */
export type Sent<Row extends Endpoint, Part extends 'params' | 'query' | 'body'> =
  SchemaOf<Row, Part> extends ZodMiniType ? ZodInput<SchemaOf<Row, Part>> : undefined;

/** A part of a call after parsing, as the handler receives it. */
export type Received<Row extends Endpoint, Part extends 'params' | 'query' | 'body'> =
  SchemaOf<Row, Part> extends ZodMiniType ? ZodOutput<SchemaOf<Row, Part>> : undefined;

/** The handler's result: domain values (centavos, dates), which the reply schema encodes. */
export type Returned<Row extends Endpoint> =
  SchemaOf<Row, 'reply'> extends ZodMiniType ? ZodInput<SchemaOf<Row, 'reply'>> : undefined;

export type Reply<Row extends Endpoint> =
  SchemaOf<Row, 'reply'> extends ZodMiniType ? ZodOutput<SchemaOf<Row, 'reply'>> : undefined;
