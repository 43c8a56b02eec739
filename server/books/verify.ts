import { gt } from 'drizzle-orm';
import type { Deps } from '#server/deps.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { withoutSecrets } from '#server/platform/secret-box.ts';
import { sealedTables } from '#server/store/row-seal-store.ts';
import { auditEntries } from '#server/store/schema.ts';
import { findNewestSeal, keptTables, type NotedSeal } from './audit-seals.ts';
import { inSnapshot } from './backup-rows.ts';
import { keyFingerprint, readBookKeys, wereEverSealed } from './book-key.ts';
import { counted, createProgress, type Say, secondsSince } from './console-text.ts';
import {
  type CheckedPage,
  checkCount,
  checkDisbursedLoans,
  checkEntries,
  checkHeads,
  checkLoanBooks,
  checkLoansHaveTerms,
  checkLostRows,
  checkNoted,
  checkSealedRows,
  checkSeals,
  checkSequences,
  checkTerms,
  checkTriggers,
  checkWithdrawals,
  type EntryPlace,
  type Fault,
  fault,
  lowestId,
} from './verify-store.ts';

type Verified = Awaited<ReturnType<typeof verifyBooks>>;

type Checked = 'ledger entries' | 'accounts' | 'withdrawals' | 'loan terms' | 'audit entries';

type Progress = (checked: Checked, count: number) => void;

type ReadPage = <T>(work: (reader: Reader) => Promise<T>) => Promise<T>;

/** One tampered row can break many, so checking stops after this many. */
const faultsMax = 20;
/** One page blocks the embedded engine for some ten milliseconds. */
const pageRows = { embedded: 500, postgres: 2_000 };
const termsPageRows = 100;
const sealsPageRows = 4;
const loansPageRows = 20;

/**
 * Rereads all of the books and returns every wrong row, up to a bound. `noted` seals were kept outside the database. On
 * PostgreSQL it reads one snapshot. On the embedded engine, whose only session must not be held for long, each page is a
 * snapshot of its own, and its checks hold at any moment (`verify-store.ts`).
 */
export async function verifyBooks(
  { database, secrets }: Pick<Deps, 'database' | 'secrets'>,
  progress: Progress,
  noted: readonly NotedSeal[] = [],
) {
  /** The keys that sealed the books, newest first. */
  const keys = await database.read((reader) => readBookKeys(reader));
  const isKeyHere = secrets !== withoutSecrets;
  const isKeyRight = isKeyHere && keys[0]?.fingerprint === keyFingerprint(secrets);
  const limit = database.hasOneSession ? pageRows.embedded : pageRows.postgres;
  const counts = { 'ledger entries': 0, accounts: 0, withdrawals: 0, 'loan terms': 0, 'audit entries': 0 };

  /** Reads page after page until one is empty, or there are enough faults. `checked` names what its rows are. */
  const inPages =
    <Place>(
      start: Place,
      check: (reader: Reader, place: Place, limit: number) => Promise<CheckedPage<Place>>,
      checked?: Checked,
    ) =>
    async (read: ReadPage): Promise<Fault[]> => {
      const faults: Fault[] = [];
      for (let place: Place | undefined = start; place !== undefined && faults.length < faultsMax; ) {
        const from: Place = place;
        const page: CheckedPage<Place> = await read((reader) => check(reader, from, limit));
        faults.push(...page.faults);
        if (checked) {
          counts[checked] += page.rows;
          progress(checked, counts[checked]);
        }
        place = page.rows > 0 ? page.next : undefined;
      }
      return faults;
    };
  const atOnce = (check: (reader: Reader) => Promise<Fault[]>) => (read: ReadPage) => read(check);

  const checks = [
    inPages<EntryPlace | null>(null, checkEntries, 'ledger entries'),
    inPages(lowestId, checkHeads, 'accounts'),
    inPages(lowestId, checkWithdrawals, 'withdrawals'),
    inPages(
      { loanId: lowestId, version: 0 },
      (reader, after) => checkTerms(reader, after, termsPageRows),
      'loan terms',
    ),
    inPages(0, (reader, after) => checkSeals(reader, after, sealsPageRows), 'audit entries'),
    inPages(lowestId, checkLoansHaveTerms),
    inPages(lowestId, (reader, after) => checkDisbursedLoans(reader, after, loansPageRows)),
    atOnce(checkLoanBooks),
    ...(isKeyRight ? sealedTables : []).map((name) =>
      inPages(lowestId, (reader, after, rows) => checkSealedRows(reader, secrets, name, after, rows)),
    ),
    ...[checkLostRows, checkTriggers, checkSequences].map(atOnce),
    atOnce((reader) => checkNoted(reader, noted)),
  ];

  async function checkAll(read: ReadPage) {
    const wrong: Fault[] = [];
    for (const check of checks) wrong.push(...(await check(read)));
    const uncounted: Fault[] = [];
    // A statement per table, so that none takes long.
    for (const table of keptTables) uncounted.push(...(await read((reader) => checkCount(reader, table))));
    const end = await read(async (reader) => {
      const newestSeal = await findNewestSeal(reader);
      const isLater = gt(auditEntries.id, newestSeal?.lastId ?? 0);
      return { newestSeal, unsealedEntries: await reader.$count(auditEntries, isLater) };
    });
    return { wrong, uncounted, end };
  }
  const { wrong, uncounted, end } = database.hasOneSession
    ? await checkAll((work) => database.snapshot(work))
    : await inSnapshot(database, (reader) => checkAll((work) => work(reader)));

  // The first fault of each row says most.
  const keyOf = ({ table, id }: Fault) => `${table} ${id}`;
  const firstOfRow = new Map(wrong.toReversed().map((one) => [keyOf(one), one]));
  const faults = wrong.filter((one) => firstOfRow.get(keyOf(one)) === one);
  // Missing rows of a table are no news if its rows are named already.
  const named = new Set(faults.map(({ table }) => table));
  faults.push(...uncounted.filter(({ table }) => !named.has(table)));
  const [newest] = keys;
  if (newest && isKeyHere && !isKeyRight) {
    faults.push(
      fault('book_keys', newest.id, 'the key here is another one than these books are sealed with'),
    );
  } else if (!newest && (await database.read(wereEverSealed))) {
    faults.push(fault('book_keys', 1, 'the record of the key is gone'));
  }
  return { faults: faults.slice(0, faultsMax), counts, ...end, keys, isKeyHere };
}

/** Names every wrong row, and returns whether there is none. */
export async function verifyAndTell(
  deps: Pick<Deps, 'database' | 'secrets'>,
  say: Say,
  noted: readonly NotedSeal[] = [],
): Promise<boolean> {
  const startMs = performance.now();
  const progress = createProgress(say);
  const verified = await verifyBooks(
    deps,
    (checked, count) => progress(`${count.toLocaleString('en')} ${checked} checked …`),
    noted,
  );
  for (const fault of verified.faults) say(faultLine(fault));
  say(`${summaryOf(verified)} (${secondsSince(startMs)})`);
  return verified.faults.length === 0;
}

function faultLine({ table, id, accountId, what }: Fault): string {
  const account = accountId === null || table === 'accounts' ? '' : `, account ${accountId}`;
  return `Wrong: ${table} ${id}${account}: ${what}.`;
}

function summaryOf(verified: Verified): string {
  const { faults, counts, unsealedEntries, newestSeal } = verified;
  if (faults.length > 0)
    return `The books are not sound: ${counted(faults.length, 'row is', 'rows are')} wrong. ${keyWords(verified)}`;
  const checked = [
    counted(counts['ledger entries'], 'ledger entry', 'ledger entries'),
    counted(counts.accounts, 'account'),
    counted(counts.withdrawals, 'withdrawal'),
    counted(counts['loan terms'], 'version of loan terms', 'versions of loan terms'),
    counted(counts['audit entries'], 'sealed audit entry', 'sealed audit entries'),
  ].join(', ');
  const seal = newestSeal ? ` Seal ${newestSeal.number} is ${newestSeal.hash}.` : '';
  return `The books are sound: ${checked}; ${unsealedEntries} not sealed yet.${seal} ${keyWords(verified)}`;
}

/** Row seals say nothing about forgeries before that day. */
function keyWords({ keys: [newest, ...older], isKeyHere }: Verified): string {
  if (!newest) return 'No row is sealed with a key yet: the next start does it.';
  const since = newest.sealedAt.toISOString();
  const sealed =
    older.length > 0 ? `Sealed anew on ${since}.` : `Rows are sealed with the key since ${since}.`;
  return isKeyHere ? sealed : `${sealed} The key is not here: these seals were not looked at.`;
}
