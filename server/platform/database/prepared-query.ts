import type { Reader, Tx } from './transactions.ts';

/**
 * A query that is built once for each handle and from then on only filled in: `build` ends in Drizzle's
 * `.prepare(name)`. Names are unique across the house, because PostgreSQL keeps one statement a name.
 *
 * const accountById = preparedQuery((handle: Reader) =>
 *   handle.select().from(accounts).where(eq(accounts.id, sql.placeholder('id'))).prepare('account_by_id'));
 * const rows = await accountById(reader).execute({ id });
 */
export function preparedQuery<Handle extends Reader | Tx, Query>(
  build: (handle: Handle) => Query,
): (handle: Handle) => Query {
  const built = new WeakMap<Handle, Query>();
  return (handle) => {
    const known = built.get(handle);
    if (known) return known;
    const query = build(handle);
    built.set(handle, query);
    return query;
  };
}
