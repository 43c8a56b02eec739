import { sql } from 'drizzle-orm';
import type { Reader } from '#server/platform/database/database.ts';
import { entryLines, sealHash } from './audit-seal-store.ts';

export type SealFault = 'seal_before_missing' | 'previous_hash' | 'hash';

/** A seal as it was read again. `written` and `found` are its entries' lines, given only when they differ. */
export type CheckedSeal = {
  number: number;
  entryCount: number;
  fault: SealFault | null;
  written: string | null;
  found: string | null;
};

type SealRow = {
  number: number;
  entry_count: number;
  fault: SealFault | null;
  written: string | null;
  found: string | null;
};

/**
 * The seals after this number, in their order: fewer than `limit`, because the one of this number is looked back at. A
 * seal speaks for every entry after the last one of the seal before, so an entry that was slipped in
 * between shows too.
 */
export async function checkSeals(
  reader: Reader,
  { fromNumber, limit }: { fromNumber: number; limit: number },
): Promise<CheckedSeal[]> {
  const { rows } = await reader.execute<SealRow>(sql`
    select number, entry_count, fault,
           case when is_different then entry_hashes end as written,
           case when is_different then entries end as found
      from (
        select number, entry_count, entry_hashes, entries, entries is distinct from entry_hashes as is_different,
               case
                 when number <> coalesce(last_number, 0) + 1 then 'seal_before_missing'
                 when previous_hash <> coalesce(last_hash, '') then 'previous_hash'
                 when hash <> ${sealHash} then 'hash'
               end as fault
          from (
            select *, lag(number) over (order by number) as last_number, lag(hash) over (order by number) as last_hash,
                   lag(last_id) over (order by number) as covered_id
              from audit_seals
             where number >= ${fromNumber}::int
             order by number
             limit ${limit}::int
          ) seals
          left join lateral (
            select ${entryLines} as entries
              from audit_entries
             where id > case when number = 1 then 0 when last_number = number - 1 then covered_id else first_id - 1 end
               and id <= last_id
          ) covered on true
         where number > ${fromNumber}::int
      ) judged
     order by number`);
  return rows.map(({ entry_count: entryCount, ...seal }) => ({ ...seal, entryCount }));
}
