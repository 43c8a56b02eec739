import { sql } from 'drizzle-orm';
import type { ReplicaLag } from '#server/platform/metrics.ts';
import type { Reader } from './database.ts';

/**
 * Reads how far each standby is behind. PostgreSQL shows positions to a role that has `pg_read_all_stats` only; without it
 * there are none.
 */
export async function readReplicaLags(reader: Reader): Promise<ReplicaLag[]> {
  const { rows } = await reader.execute<{ replica: string; bytes: string; seconds: number }>(sql`
    select application_name as replica, pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) as bytes,
           coalesce(extract(epoch from replay_lag), 0)::float8 as seconds
      from pg_stat_replication
     where replay_lsn is not null`);
  return rows.map(({ replica, bytes, seconds }) => ({ replica, bytes: Number(bytes), seconds }));
}
