import { DrizzleQueryError } from 'drizzle-orm/errors';
import pg from 'pg';

/** Unreachable, starting, out of connections or too slow: 503 (§status-codes). `lost`: the connection is lost too. */
export class DatabaseUnavailable extends Error {
  readonly lost: boolean;

  constructor(reason: string, options: { lost: boolean; cause?: unknown }) {
    super(`the database is unavailable: ${reason}`, { cause: options.cause });
    this.name = 'DatabaseUnavailable';
    this.lost = options.lost;
  }
}

/** The books are of another edition: only another version of the server can write them. */
export class OtherEdition extends DatabaseUnavailable {
  readonly reason: string;

  constructor(refusal: pg.DatabaseError) {
    super(refusal.message, { lost: false, cause: refusal });
    this.reason = refusal.message;
  }
}

/** The database is set so that the books would not be safe in it: a person has to change that. */
export class WrongSetting extends Error {}

/** Safe to log: Drizzle's own error prints every parameter, and PostgreSQL's `detail` quotes the row. */
export class QueryFailed extends Error {
  /** SQLSTATE, such as `23505`. */
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  /** The statement with its placeholders. */
  readonly query: string | undefined;

  constructor(refusal: pg.DatabaseError, query?: string) {
    super(refusal.message);
    this.name = 'QueryFailed';
    this.code = refusal.code;
    this.constraint = refusal.constraint;
    this.query = query;
  }
}

export const isDatabaseUnavailable = (error: unknown): error is DatabaseUnavailable =>
  refusalIn(error) instanceof DatabaseUnavailable;

function refusedStatement(error: unknown): QueryFailed | undefined {
  const refusal = refusalIn(error);
  return refusal instanceof QueryFailed ? refusal : undefined;
}

/** The violated constraint's name, read through every wrapper; undefined for other errors. */
export const constraintOf = (error: unknown): string | undefined => refusedStatement(error)?.constraint;

/** A serialisation failure or a deadlock: nothing was done, and a retry may succeed. */
export const isWorthRetrying = (error: unknown): boolean =>
  ['40001', '40P01'].includes(refusedStatement(error)?.code ?? '');

/** An earlier statement of the transaction failed. */
export const isRefusedForAnother = (error: unknown): boolean => refusedStatement(error)?.code === '25P02';

/** Takes off Drizzle's wrapper, which prints parameters. */
export const withoutValues = (error: unknown): unknown =>
  error instanceof DrizzleQueryError ? error.cause : error;

/** A driver's error: `DatabaseUnavailable` unless the statement itself is to blame. */
export function asOurs(error: unknown, query?: string): unknown {
  if (error instanceof pg.DatabaseError) {
    if (error.constraint === 'books_edition') return new OtherEdition(error);
    const lost = isLostState(error.code);
    if (!lost && !isBusyState(error.code)) return new QueryFailed(error, query);
    return new DatabaseUnavailable(error.message, { lost, cause: error });
  }
  if (error instanceof Error && isConnectionFailure(error)) {
    return new DatabaseUnavailable(error.message, { lost: true, cause: error });
  }
  return error;
}

export function refusalIn(error: unknown): DatabaseUnavailable | QueryFailed | undefined {
  const inner = withoutValues(error);
  return inner instanceof DatabaseUnavailable || inner instanceof QueryFailed ? inner : undefined;
}

/**
 * Connection errors, shutdown and start-up, an idle transaction that timed out, and a server that became read-only.
 */
const isLostState = (code = '') => /^(?:08|57P|25P03$|25006$)/.test(code);

/** Out of resources, cancelled by the statement timeout, or a lock timeout. */
const isBusyState = (code = '') => /^(?:53|57014$|55P03$)/.test(code);

/** `pg` has no error class for a dead connection: it is a system error or one of these sentences. */
const connectionFailure =
  /^(Connection terminated|Client (has encountered|was closed)|Query read timeout|timeout e|Cannot use a pool)/;

const isConnectionFailure = (error: Error) =>
  'syscall' in error || error instanceof AggregateError || connectionFailure.test(error.message);
