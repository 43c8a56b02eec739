import { booksEdition } from './books-edition.ts';

/**
 * A database, a role or the cluster may set any of these otherwise, and our SQL, the driver and the books rely on them
 * (§database-session). A setting that this PostgreSQL does not have is left out.
 */
const editionSetting = 'hiram.edition';

const reliedOn: Record<string, string> = {
  // How values are written
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  client_encoding: 'UTF8',
  extra_float_digits: '1',
  lc_monetary: 'C',
  lc_numeric: 'C',
  lc_time: 'C',
  quote_all_identifiers: 'off',
  // How a statement is understood
  array_nulls: 'on',
  backslash_quote: 'safe_encoding',
  'plpgsql.extra_errors': 'none',
  search_path: 'public, pg_temp',
  standard_conforming_strings: 'on',
  timezone_abbreviations: 'Default',
  transform_null_equals: 'off',
  // Which rows it sees: an error instead of rows that a policy hides
  row_security: 'off',
  gin_fuzzy_search_limit: '0',
  // Transactions
  default_transaction_deferrable: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  // Where tables are made
  default_table_access_method: 'heap',
  // When a session ends by itself
  exit_on_error: 'off',
  idle_session_timeout: '0',
  transaction_timeout: '0',
  // Parameters are personal data
  log_parameter_max_length_on_error: '0',
  // Compiling a plan takes longer than any of our statements runs, and parallel workers take the processors from other
  // requests.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  plan_cache_mode: 'auto',
  // Triggers refuse writes to the books by a session of another edition.
  [editionSetting]: String(booksEdition),
};

/** Only a superuser may set these. */
const required: Record<string, readonly string[]> = {
  // Otherwise the triggers that guard the books are off.
  session_replication_role: ['origin', 'local'],
  ignore_checksum_failure: ['off'],
  zero_damaged_pages: ['off'],
};

export type TimeLimits = Record<
  'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout',
  number
>;

/** The value in the form that `current_setting` answers. */
function timeText(ms: number): string {
  if (ms === 0) return '0';
  if (ms % 60_000 === 0) return `${ms / 60_000}min`;
  return ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Makes every setting what we rely on, for the session or, if `isLocal`, for the running transaction. `condition` may
 * leave it all undone.
 */
export function settingText(limits: TimeLimits | undefined, isLocal: boolean, condition = 'true'): string {
  const times = Object.entries(limits ?? {}).map(([name, ms]) => [name, timeText(ms)]);
  const rows = [...Object.entries(reliedOn), ...times].map(
    ([name = '', value = '']) => `(${quoted(name)}, ${quoted(value)})`,
  );
  // A commit that was answered outlives a crash, and waits for as many servers as the cluster says. What waits for more stays.
  rows.push(
    `('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end)`,
  );
  return `select count(set_config(name, value, ${isLocal})) as set
            from (values ${rows.join(', ')}) as relied_on (name, value)
           where ${condition} and current_setting(name, true) is distinct from value
             and (current_setting(name, true) is not null or name = '${editionSetting}')`;
}

/** A JSON object of what only a superuser may set. */
export const requiredText = `json_build_object(${Object.keys(required)
  .map((name) => `${quoted(name)}, current_setting(${quoted(name)})`)
  .join(', ')})`;

type Found = { role: string; database: string; required: Record<string, string> };

/** A sentence that names a setting with which the books are not safe; undefined if there is none. */
export function findWrongSetting({ role, database, required: found }: Found): string | undefined {
  for (const [name, right] of Object.entries(required)) {
    const value = found[name] ?? '';
    if (right.includes(value)) continue;
    return (
      `${name} is "${value}" for the role ${role} in the database ${database}, and must be "${right[0]}". ` +
      'Only a superuser can change it: look for it with \\drds in psql, and reset it there.'
    );
  }
  return undefined;
}
