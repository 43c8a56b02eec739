import type { Deps } from '#server/deps.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { withoutSecrets } from '#server/platform/secret-box.ts';
import {
  checkCount,
  checkRowSealRanges,
  checkSequences,
  countEntriesAfter,
  findNewestSeal,
  keptTables,
} from '#server/store/audit-seal-store.ts';
import { type BookKey, readBookKeys, wereEverSealed } from '#server/store/book-key-store.ts';
import { inSameSnapshot } from '#server/store/long-transaction.ts';
import { checkRowSeals, readLostRows, sealedTables } from '#server/store/row-seal-store.ts';
import { checkTriggers, readSealHashes } from '#server/store/verify-row-store.ts';
import { checkSeals } from '#server/store/verify-seal-store.ts';
import {
  type AccountRange,
  type CheckedPage,
  checkEntries,
  checkHeads,
  checkWithdrawals,
  type EntryPlace,
  lowestId,
  readAccountRanges,
} from '#server/store/verify-store.ts';
import { readLoansWithoutTerms, readTermsInBooks } from '#server/store/verify-terms-store.ts';
import { keyFingerprint } from './book-key-service.ts';
import {
  type Fault,
  faultOfCount,
  faultOfEntry,
  faultOfHead,
  faultOfNoted,
  faultOfRange,
  faultOfRow,
  faultOfTrigger,
  faultOfWithdrawal,
  faultsOfSeal,
  faultsOfTerms,
  keyFaults,
  loanWithoutTerms,
  lostRow,
  type NotedSeal,
  sequenceSetBack,
} from './verify-faults.ts';

/** What was looked at, and what is wrong with it: ledger, accounts, withdrawals, terms, audit log, seals of rows. */
export type Verified = {
  faults: Fault[];
  counts: Record<Checked, number>;
  unsealedEntries: number;
  newestSeal: NotedSeal | undefined;
  /** The keys that the books were sealed with, the newest first, and whether that one is here to check the seals. */
  keys: BookKey[];
  isKeyHere: boolean;
};

export type Checked = 'ledger entries' | 'accounts' | 'withdrawals' | 'loan terms' | 'audit entries';

type Progress = (checked: Checked, count: number) => void;

/** One tampered row can break many; after so many the rest is not looked for. */
const faultsMax = 20;
/** One page keeps the embedded engine for some ten milliseconds, in which nobody else is served. */
const pageRows = { embedded: 500, postgres: 2_000 };
const termsPageRows = 100;
const sealsPageRows = 4;
const ledgerRanges = 4;

/**
 * Reads all of the books again and answers every row that is wrong, up to a bound: each account's chain of ledger
 * entries, its balance, the entries of each withdrawal, the hashes of loan terms, the seals of the audit log, and with
 * the key the seals of rows. `noted` seals were written down outside of the database. Nothing is written.
 *
 * On PostgreSQL all of it is the books of one moment, read on two connections. On the embedded engine, whose only
 * session must not be kept for long, each page is one statement, and what is checked in it holds at any moment by
 * itself (`verify-store.ts`).
 *
 * `progress` hears after each page how far it is.
 */
export async function verifyBooks(
  { database, secrets }: Pick<Deps, 'database' | 'secrets'>,
  progress: Progress,
  noted: readonly NotedSeal[] = [],
): Promise<Verified> {
  const keys = await database.read((reader) => readBookKeys(reader));
  const isKeyHere = secrets !== withoutSecrets;
  const isKeyRight = isKeyHere && keys[0]?.fingerprint === keyFingerprint(secrets);
  const ranges = await database.read((reader) => readAccountRanges(reader, ledgerRanges));
  const limit = database.hasOneSession ? pageRows.embedded : pageRows.postgres;
  const books = createBooks({ ranges, limit, progress, secrets: isKeyRight ? secrets : undefined, noted });
  if (database.hasOneSession) {
    await books.check((work) => database.read(work));
  } else {
    const check = (reader: Reader) => books.check((work) => work(reader));
    await inSameSnapshot(database, check, check);
  }
  const { faults, ...result } = books.result();
  const keyFault = await faultOfKey(database, keys[0], { isKeyHere, isKeyRight });
  return { ...result, faults: [...faults, ...keyFault].slice(0, faultsMax), keys, isKeyHere };
}

async function faultOfKey(
  database: Deps['database'],
  newest: BookKey | undefined,
  { isKeyHere, isKeyRight }: { isKeyHere: boolean; isKeyRight: boolean },
): Promise<Fault[]> {
  const fault = (what: string) => [
    { table: 'book_keys', id: String(newest?.id ?? 1), accountId: null, what },
  ];
  if (!newest) return (await database.read(wereEverSealed)) ? fault(keyFaults.lost) : [];
  return isKeyHere && !isKeyRight ? fault(keyFaults.another) : [];
}

/** Runs one page's reads. */
type ReadPage = <T>(work: (reader: Reader) => Promise<T>) => Promise<T>;

/** A part of the books, checked from its start to its end, and what is wrong there. */
type Part = { faults: Fault[]; check: (read: ReadPage) => Promise<void> };

type Work = {
  ranges: readonly AccountRange[];
  limit: number;
  progress: Progress;
  /** Undefined where the key is not, or another one: the seals of rows cannot be checked. */
  secrets: Deps['secrets'] | undefined;
  noted: readonly NotedSeal[];
};

function createBooks({ ranges, limit, progress, secrets, noted }: Work) {
  const counts = { 'ledger entries': 0, accounts: 0, withdrawals: 0, 'loan terms': 0, 'audit entries': 0 };
  let unsealedEntries = 0;
  let newestSeal: Awaited<ReturnType<typeof findNewestSeal>>;

  /** Page after page until one is empty, or there are faults enough. */
  function part<Place, Finding>(
    checked: Checked,
    start: Place,
    check: (reader: Reader, place: Place, limit: number) => Promise<CheckedPage<Place, Finding>>,
    faultsOf: (finding: Finding) => Fault | Fault[],
  ): Part {
    const faults: Fault[] = [];
    async function checkAll(read: ReadPage): Promise<void> {
      let place: Place | undefined = start;
      while (place !== undefined && faults.length < faultsMax) {
        const from: Place = place;
        const page: CheckedPage<Place, Finding> = await read((reader) => check(reader, from, limit));
        counts[checked] += page.rows;
        faults.push(...page.findings.flatMap(faultsOf));
        progress(checked, counts[checked]);
        place = page.rows > 0 ? page.next : undefined;
      }
    }
    return { faults, check: checkAll };
  }

  /** Page after page of what is counted under no name. */
  function quietPart<Finding>(
    start: number,
    check: (reader: Reader, place: number) => Promise<CheckedPage<number, Finding>>,
    faultOf: (finding: Finding) => Fault,
  ): Part {
    const faults: Fault[] = [];
    async function checkAll(read: ReadPage): Promise<void> {
      let place: number | undefined = start;
      while (place !== undefined && faults.length < faultsMax) {
        const from: number = place;
        const page: CheckedPage<number, Finding> = await read((reader) => check(reader, from));
        faults.push(...page.findings.map(faultOf));
        place = page.rows > 0 ? page.next : undefined;
      }
    }
    return { faults, check: checkAll };
  }

  const partOfRows = (name: (typeof sealedTables)[number], box: Deps['secrets']) =>
    quietPart(
      lowestId,
      (reader, after) => checkRowSeals(reader, box, name, after, limit),
      (finding) => faultOfRow(name, finding),
    );

  /** A check of one statement. */
  function glance<Finding>(
    look: (reader: Reader) => Promise<readonly Finding[]>,
    faultOf: (finding: Finding) => Fault | Fault[],
  ): Part {
    const faults: Fault[] = [];
    const check = async (read: ReadPage) => void faults.push(...(await read(look)).flatMap(faultOf));
    return { faults, check };
  }

  async function lookAtNoted(reader: Reader) {
    const hashes =
      noted.length === 0
        ? new Map<number, string>()
        : await readSealHashes(
            reader,
            noted.map(({ number }) => number),
          );
    return noted.flatMap((seal) => faultOfNoted(seal, hashes.get(seal.number)));
  }

  async function lookAtTheEnd(read: ReadPage): Promise<void> {
    newestSeal = await read((reader) => findNewestSeal(reader));
    unsealedEntries = await read((reader) => countEntriesAfter(reader, newestSeal?.lastId ?? 0));
  }

  const parts: Part[] = [
    ...ranges.map((range) => part('ledger entries', null, checkEntriesOf(range), faultOfEntry)),
    part('accounts', lowestId, checkHeads, faultOfHead),
    part('withdrawals', lowestId, checkWithdrawals, faultOfWithdrawal),
    part('loan terms', { loanId: lowestId, version: 0 }, checkTermsPage, faultsOfTerms),
    part('audit entries', 0, checkSealsPage, faultsOfSeal),
    quietPart(lowestId, (reader, after) => readLoansWithoutTerms(reader, after, limit), loanWithoutTerms),
    ...(secrets ? sealedTables.map((name) => partOfRows(name, secrets)) : []),
    quietPart(0, (reader, after) => checkRowSealRanges(reader, after, sealsPageRows), faultOfRange),
    glance(readLostRows, lostRow),
    glance(checkTriggers, faultOfTrigger),
    glance(checkSequences, sequenceSetBack),
    glance(lookAtNoted, (fault) => fault),
    { faults: [], check: lookAtTheEnd },
  ];
  // A statement for each table, so that none takes long.
  const counted = keptTables.map((table) => glance((reader) => checkCount(reader, table), faultOfCount));
  const waiting = [...parts, ...counted];

  return {
    /** Takes one part after the other, beside whoever else does. */
    async check(read: ReadPage): Promise<void> {
      for (let next = waiting.shift(); next; next = waiting.shift()) await next.check(read);
    },
    result() {
      const faults = once(parts.flatMap((one) => one.faults));
      // Where a table's rows are named already, that there are too few of them is nothing new.
      const more = counted
        .flatMap((one) => one.faults)
        .filter(({ table }) => !faults.some((fault) => fault.table === table));
      return {
        faults: [...faults, ...more],
        counts,
        unsealedEntries,
        newestSeal: newestSeal && { number: newestSeal.number, hash: newestSeal.hash },
      };
    },
  };
}

/** The first fault of each row: what was found first says most. */
function once(faults: readonly Fault[]): Fault[] {
  const first = new Map<string, Fault>();
  for (const fault of faults) {
    const key = `${fault.table} ${fault.id}`;
    if (!first.has(key)) first.set(key, fault);
  }
  return [...first.values()];
}

const checkEntriesOf = (range: AccountRange) => (reader: Reader, from: EntryPlace | null, limit: number) =>
  checkEntries(reader, from, range, limit);

async function checkTermsPage(reader: Reader, after: { loanId: number; version: number }) {
  const terms = await readTermsInBooks(reader, after, termsPageRows);
  return { rows: terms.length, next: terms.at(-1), findings: terms };
}

async function checkSealsPage(reader: Reader, fromNumber: number) {
  const seals = await checkSeals(reader, { fromNumber, limit: sealsPageRows });
  return {
    rows: seals.reduce((sum, { entryCount }) => sum + entryCount, 0),
    next: seals.at(-1)?.number,
    findings: seals,
  };
}
