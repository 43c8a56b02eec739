import { sql } from 'drizzle-orm';
import type { MemberStatus } from '#domain/member.ts';
import type { Reader } from '#server/platform/database/database.ts';

type Asked = Record<'phones' | 'members' | 'loans' | 'references', readonly string[]>;
type Holder = { id: number; status: MemberStatus };

/** What of a book is here already: who has these phones, and which numbers and references are in use. */
export async function readKnown(reader: Reader, asked: Asked) {
  const list = (texts: readonly string[]) => sql`any(${sql.param([...texts])}::text[])`;
  const read = async <Found>(key: string, found: string, rest: ReturnType<typeof sql>) => {
    const { rows } = await reader.execute<{ key: string; found: Found }>(
      sql`select ${sql.raw(key)} as key, ${sql.raw(found)} as found from ${rest}`,
    );
    return new Map(rows.map((row) => [row.key, row.found]));
  };
  const holder = `json_build_object('id', id, 'status', status)`;
  const live = sql`payments join loans on loans.id = loan_id
    where reference_key is not null and payments.status in ('submitted', 'confirmed') and recorded_by <> payments.account_id`;
  return {
    phones: await read<Holder>('phone_key', holder, sql`accounts where phone_key = ${list(asked.phones)}`),
    members: await read<number>('old_number', 'id', sql`accounts where old_number = ${list(asked.members)}`),
    loans: await read<string>(
      'old_number',
      'loan_number',
      sql`loans where old_number = ${list(asked.loans)}`,
    ),
    /** By channel, a space and the reference as compared. */
    references: await read<string>(
      `channel || ' ' || reference_key`,
      'loan_number',
      sql`${live} and channel || ' ' || reference_key = ${list(asked.references)}`,
    ),
  };
}
export type Known = Awaited<ReturnType<typeof readKnown>>;

/** When a book with this fingerprint was taken over; undefined if it was not. */
export async function readTakenOver(reader: Reader, book: string): Promise<Date | undefined> {
  const { rows } = await reader.execute<{ at: string }>(sql`
    select created_at::text as at from audit_entries where action = 'book_taken_over' and after ->> 'book' = ${book}`);
  return rows[0] && new Date(rows[0].at);
}
