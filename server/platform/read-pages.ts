/** Reads a table page by page: each goes on after the key of the last row, until one is not full. */
export async function* readPages<Row, Key>(
  read: (after: Key | undefined) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
  limit: number,
): AsyncGenerator<Row[], void> {
  for (let after: Key | undefined; ; ) {
    const rows = await read(after);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    after = keyOf(last);
  }
}
