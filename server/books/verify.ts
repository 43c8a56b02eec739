import type { Deps } from '#server/deps.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { withoutSecrets } from '#server/platform/secret-box.ts';
import { countEntriesAfter, readSealHashes } from '#server/store/audit-store.ts';
import { sealedTables } from '#server/store/row-seal-store.ts';
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
  checkRowSealRanges,
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

type Part = { faults: Fault[]; check: (read: ReadPage) => Promise<void> };

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
  let unsealedEntries = 0;
  let newestSeal: Awaited<ReturnType<typeof findNewestSeal>>;

  /** Reads page after page until one is empty, or there are enough faults. `checked` names what its rows are. */
  function part<Place>(
    start: Place,
    check: (reader: Reader, place: Place, limit: number) => Promise<CheckedPage<Place>>,
    checked?: Checked,
  ): Part {
    const faults: Fault[] = [];
    async function checkAll(read: ReadPage): Promise<void> {
      let place: Place | undefined = start;
      while (place !== undefined && faults.length < faultsMax) {
        const from: Place = place;
        const page: CheckedPage<Place> = await read((reader) => check(reader, from, limit));
        faults.push(...page.faults);
        if (checked) {
          counts[checked] += page.rows;
          progress(checked, counts[checked]);
        }
        place = page.rows > 0 ? page.next : undefined;
      }
    }
    return { faults, check: checkAll };
  }

  const glance = (look: (reader: Reader) => Promise<Fault[]>): Part =>
    part(null, async (reader) => ({ rows: 0, next: undefined, faults: await look(reader) }));

  async function lookAtTheEnd(reader: Reader): Promise<Fault[]> {
    newestSeal = await findNewestSeal(reader);
    unsealedEntries = await countEntriesAfter(reader, newestSeal?.lastId ?? 0);
    return [];
  }

  const parts: Part[] = [
    part<EntryPlace | null>(null, checkEntries, 'ledger entries'),
    part(lowestId, checkHeads, 'accounts'),
    part(lowestId, checkWithdrawals, 'withdrawals'),
    part(
      { loanId: lowestId, version: 0 },
      (reader, after) => checkTerms(reader, after, termsPageRows),
      'loan terms',
    ),
    part(0, (reader, from) => checkSeals(reader, from, sealsPageRows), 'audit entries'),
    part(lowestId, checkLoansHaveTerms),
    part(lowestId, (reader, after) => checkDisbursedLoans(reader, after, loansPageRows)),
    glance(checkLoanBooks),
    ...sealedTables.flatMap((name) =>
      isKeyRight
        ? [part(lowestId, (reader, after, rows) => checkSealedRows(reader, secrets, name, after, rows))]
        : [],
    ),
    part(0, (reader, after) => checkRowSealRanges(reader, after, sealsPageRows)),
    ...[checkLostRows, checkTriggers, checkSequences].map(glance),
    glance((reader) => checkNoted(reader, noted)),
    glance(lookAtTheEnd),
  ];
  // A statement per table, so that none takes long.
  const countings = keptTables.map((table) => glance((reader) => checkCount(reader, table)));

  async function checkParts(read: ReadPage): Promise<void> {
    for (const one of [...parts, ...countings]) await one.check(read);
  }
  if (database.hasOneSession) await checkParts((work) => database.snapshot(work));
  else await inSnapshot(database, (reader) => checkParts((work) => work(reader)));

  // The first fault of each row says most.
  const first = new Map<string, Fault>();
  for (const one of parts.flatMap(({ faults }) => faults)) {
    const key = `${one.table} ${one.id}`;
    if (!first.has(key)) first.set(key, one);
  }
  const faults = [...first.values()];
  // Missing rows of a table are no news if its rows are named already.
  const named = new Set(faults.map(({ table }) => table));
  faults.push(...countings.flatMap((one) => one.faults).filter(({ table }) => !named.has(table)));
  const [newest] = keys;
  if (newest && isKeyHere && !isKeyRight) {
    faults.push(
      fault('book_keys', newest.id, 'the key here is another one than these books are sealed with'),
    );
  } else if (!newest && (await database.read(wereEverSealed))) {
    faults.push(fault('book_keys', 1, 'the record of the key is gone'));
  }
  return { faults: faults.slice(0, faultsMax), counts, unsealedEntries, newestSeal, keys, isKeyHere };
}

async function checkNoted(reader: Reader, noted: readonly NotedSeal[]): Promise<Fault[]> {
  if (noted.length === 0) return [];
  const numbers = noted.map(({ number }) => number);
  const hashes = await readSealHashes(reader, numbers);
  return noted
    .filter(({ number, hash }) => hashes.get(number) !== hash)
    .map(({ number }) => {
      const what = hashes.has(number)
        ? 'it is not the one that was noted'
        : 'it was noted and is missing: these are the books of an earlier moment';
      return fault('audit_seals', number, what);
    });
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
