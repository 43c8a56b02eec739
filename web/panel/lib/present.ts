import { CallError, type ErrorData } from '#web/lib/call-error.ts';

/** Fields of a record as they are now, in their wire form. */
export type Present = NonNullable<ErrorData['present']>;

/** What the refusal of a change tells of the record: somebody else was there first. Undefined for every other failure. */
export const presentOf = (error: unknown): Present | undefined =>
  error instanceof CallError && error.status === 409 ? error.data?.present : undefined;

/** Whether what was to be changed is no longer there. */
export const isGone = (error: unknown): boolean => error instanceof CallError && error.code === 'not_found';
