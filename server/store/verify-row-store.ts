import { inArray, sql } from 'drizzle-orm';
import type { Reader } from '#server/platform/database/database.ts';
import { auditSeals } from './schema.ts';

/** The tables that may only grow: the migrations give each of them two triggers. */
export const appendOnlyTables = [
  ...['ledger_entries', 'audit_entries', 'loan_terms', 'audit_seals', 'consents', 'loan_acceptances'],
  ...['row_seals', 'book_keys'],
];

const appendOnly = (table: string) => ({
  [`${table}_append_only`]: `CREATE TRIGGER ${table}_append_only BEFORE DELETE OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  [`${table}_no_truncate`]: `CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
});

/** What makes the function refuse: anything else in its place lets changes through. */
const refusal =
  /^BEGIN RAISE EXCEPTION 'table % is append-only', TG_TABLE_NAME USING ERRCODE = '\w+', CONSTRAINT = TG_TABLE_NAME \|\| '_append_only'; END$/;

export type TriggerFinding = { name: string; fault: 'missing' | 'disabled' | 'changed' };

/** The triggers that the migrations made and that no longer do what they were made for. */
export async function checkTriggers(reader: Reader): Promise<TriggerFinding[]> {
  const { rows } = await reader.execute<{ name: string; text: string; is_on: boolean; source: string }>(sql`
    select tgname as name, pg_get_triggerdef(pg_trigger.oid, true) as text, tgenabled in ('O', 'A') as is_on,
           prosrc as source
      from pg_trigger join pg_proc on pg_proc.oid = tgfoid
     where not tgisinternal`);
  const expected = Object.entries(Object.assign({}, ...appendOnlyTables.map(appendOnly)));
  return expected.flatMap(([name, text]): TriggerFinding[] => {
    const found = rows.find((row) => row.name === name);
    if (!found) return [{ name, fault: 'missing' }];
    if (!found.is_on) return [{ name, fault: 'disabled' }];
    const isAsMade = found.text === text && refusal.test(found.source.replace(/\s+/g, ' ').trim());
    return isAsMade ? [] : [{ name, fault: 'changed' }];
  });
}

/** The hashes of these seals, of those that there are. */
export async function readSealHashes(
  reader: Reader,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  const rows = await reader.execute<{ number: number; hash: string }>(
    sql`select number, hash from ${auditSeals} where ${inArray(auditSeals.number, [...numbers])}`,
  );
  return new Map(rows.rows.map(({ number, hash }) => [number, hash]));
}
