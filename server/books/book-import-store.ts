import { sql } from 'drizzle-orm';
import type { MemberStatus } from '#domain/member.ts';
import type { Reader } from '#server/platform/database/database.ts';

type Asked = Record<'phones' | 'members' | 'loans' | 'references', readonly string[]>;

/** What of a book is here already: who has these phones, and which numbers and references are in use. */
export async function readKnown(reader: Reader, asked: Asked) {
  const read = async <Found>(what: keyof Asked, from: string, key: string, found: string) => {
    const { rows } = await reader.execute<{ key: string; found: Found }>(sql`
      select ${sql.raw(key)} as key, ${sql.raw(found)} as found from ${sql.raw(from)}
       where ${sql.raw(key)} = any(${sql.param([...asked[what]])}::text[])`);
    return new Map(rows.map((row) => [row.key, row.found]));
  };
  type Holder = { id: number; status: MemberStatus };
  // What a borrower only says does not count (`payments_reference_unique`).
  const counting = `(select channel || ' ' || reference_key as reference, loan_number
    from payments join loans on loans.id = loan_id
   where payments.status = 'confirmed' or payments.status = 'submitted' and recorded_by <> payments.account_id)`;
  return {
    phones: await read<Holder>(
      'phones',
      'accounts',
      'phone_key',
      `json_build_object('id', id, 'status', status)`,
    ),
    members: await read('members', 'accounts', 'old_number', 'id'),
    loans: await read('loans', 'loans', 'old_number', 'id'),
    /** By channel, a space and the reference as compared. */
    references: await read<string>('references', `${counting} counting`, 'reference', 'loan_number'),
  };
}
export type Known = Awaited<ReturnType<typeof readKnown>>;

/** When a book with this fingerprint was taken over; undefined if it was not. */
export async function readTakenOver(reader: Reader, book: string): Promise<Date | undefined> {
  const { rows } = await reader.execute<{ at: string }>(sql`
    select created_at::text as at from audit_entries where action = 'book_taken_over' and after ->> 'book' = ${book}`);
  return rows[0] && new Date(rows[0].at);
}
