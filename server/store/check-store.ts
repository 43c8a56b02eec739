import { and, desc, eq } from 'drizzle-orm';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { bookChecks } from './schema.ts';
import { insertSealed, updateSealed } from './sealed-rows.ts';

export type BookCheck = typeof bookChecks.$inferSelect;
export type NewBookCheck = typeof bookChecks.$inferInsert;

/** Writes a check, or what has become of the one with this id. Returns its id. */
export async function writeCheck(tx: Tx, id: number | undefined, check: NewBookCheck): Promise<number> {
  const written =
    id === undefined ? insertSealed(tx, bookChecks, check) : updateSealed(tx, bookChecks, id, check);
  return (await written).id;
}

/** The newest check of a kind, or of any. */
export async function findNewestCheck(
  reader: Reader,
  { kind, status }: Partial<Pick<BookCheck, 'kind' | 'status'>>,
): Promise<BookCheck | undefined> {
  const isIt = and(kind && eq(bookChecks.kind, kind), status && eq(bookChecks.status, status));
  const newest = reader.select().from(bookChecks).where(isIt).orderBy(desc(bookChecks.id)).limit(1);
  return (await newest)[0];
}

/** Where the books are another's, or sealed anew, no check before proves anything. */
export const forgetChecks = (tx: Tx) => tx.delete(bookChecks);
