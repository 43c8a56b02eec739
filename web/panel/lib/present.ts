import { CallError, type ErrorData } from '#web/lib/call-error.ts';

/** Current fields of a record, in wire format. */
export type Present = NonNullable<ErrorData['present']>;

/** On a conflict, the record's current fields. Undefined for every other error. */
export const presentOf = (error: unknown): Present | undefined =>
  error instanceof CallError && error.status === 409 ? error.data?.present : undefined;

export const isGone = (error: unknown): boolean => error instanceof CallError && error.code === 'not_found';
