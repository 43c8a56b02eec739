import { sql } from 'drizzle-orm';
import { openDatabase } from '#server/platform/database/database.ts';
import { silentLog } from '#tests/setup/test-database.ts';

/** Writes rows one transaction each and prints the number of each committed one, until it is killed. */
const database = await openDatabase({ dataDir: process.argv[2] ?? '', log: silentLog });
await database.transaction((tx) =>
  tx.execute(sql`create table if not exists acknowledged (n int primary key)`),
);
const { rows } = await database.read((reader) =>
  reader.execute(sql`select coalesce(max(n), 0) as n from acknowledged`),
);
for (let n = Number(rows[0]?.n) + 1; ; n += 1) {
  await database.transaction((tx) => tx.execute(sql`insert into acknowledged values (${n})`));
  process.stdout.write(`${n}\n`);
  await new Promise((resolve) => setImmediate(resolve));
}
