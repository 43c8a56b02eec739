import { sql } from 'drizzle-orm';
import type { Reader } from '#server/platform/database/database.ts';
import { accounts, loans, withdrawals } from './schema.ts';

type Counts = {
  members: { total: number; active: number; pending: number; suspended: number };
  loans: { total: number; pending: number; approved: number; active: number };
  withdrawals: { total: number; processed: number; pending: number };
};

/** Counts what the staff's lists show, in one statement, so that the numbers are of one moment (§counts). */
export async function readCounts(reader: Reader): Promise<Counts> {
  const { rows } = await reader.execute<Counts>(sql`
    select
      (select json_build_object(
        'total', count(*),
        'active', count(*) filter (where ${accounts.status} = 'active'),
        'pending', count(*) filter (where ${accounts.status} = 'pending'),
        'suspended', count(*) filter (where ${accounts.status} = 'suspended'))
      from ${accounts} where not ${accounts.isAdmin} and ${accounts.deletedAt} is null) as members,
      (select json_build_object(
        'total', count(*),
        'pending', count(*) filter (where ${loans.status} = 'pending'),
        'approved', count(*) filter (where ${loans.status} = 'approved'),
        'active', count(*) filter (where ${loans.status} = 'active'))
      from ${loans} where ${loans.deletedAt} is null) as loans,
      (select json_build_object(
        'total', count(*),
        'processed', count(*) filter (where ${withdrawals.status} = 'completed'),
        'pending', count(*) filter (where ${withdrawals.status} in ('pending', 'approved')))
      from ${withdrawals}) as withdrawals`);
  const [counts] = rows;
  if (!counts) throw new Error('counting gave no row');
  return counts;
}
