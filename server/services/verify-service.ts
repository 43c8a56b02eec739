import type { Deps } from '#server/deps.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { countEntriesAfter, findNewestSeal } from '#server/store/audit-seal-store.ts';
import { inSameSnapshot } from '#server/store/long-transaction.ts';
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
import { readTermsInBooks } from '#server/store/verify-terms-store.ts';
import {
  type Fault,
  faultOfEntry,
  faultOfHead,
  faultOfWithdrawal,
  faultsOfSeal,
  faultsOfTerms,
} from './verify-faults.ts';

/** What was looked at, and what is wrong with it: ledger, accounts, withdrawals, terms, audit log. */
export type Verified = {
  faults: Fault[];
  counts: Record<Checked, number>;
  unsealedEntries: number;
  newestSeal: { number: number; hash: string } | undefined;
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
 * entries, its balance, the entries of each withdrawal, the hashes of loan terms, and the seals of the audit log.
 * Nothing is written.
 *
 * On PostgreSQL all of it is the books of one moment, read on two connections. On the embedded engine, whose only
 * session must not be kept for long, each page is one statement, and what is checked in it holds at any moment by
 * itself (`verify-store.ts`).
 *
 * `progress` hears after each page how far it is.
 */
export async function verifyBooks(
  { database }: Pick<Deps, 'database'>,
  progress: Progress,
): Promise<Verified> {
  const ranges = await database.read((reader) => readAccountRanges(reader, ledgerRanges));
  const limit = database.hasOneSession ? pageRows.embedded : pageRows.postgres;
  const books = createBooks(ranges, limit, progress);
  if (database.hasOneSession) {
    await books.check((work) => database.read(work));
  } else {
    const check = (reader: Reader) => books.check((work) => work(reader));
    await inSameSnapshot(database, check, check);
  }
  return books.result();
}

/** Runs one page's reads. */
type ReadPage = <T>(work: (reader: Reader) => Promise<T>) => Promise<T>;

/** A part of the books, checked from its start to its end, and what is wrong there. */
type Part = { faults: Fault[]; check: (read: ReadPage) => Promise<void> };

function createBooks(ranges: readonly AccountRange[], limit: number, progress: Progress) {
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
    { faults: [], check: lookAtTheEnd },
  ];
  const waiting = [...parts];

  return {
    /** Takes one part after the other, beside whoever else does. */
    async check(read: ReadPage): Promise<void> {
      for (let next = waiting.shift(); next; next = waiting.shift()) await next.check(read);
    },
    result: (): Verified => ({
      faults: parts.flatMap(({ faults }) => faults).slice(0, faultsMax),
      counts,
      unsealedEntries,
      newestSeal: newestSeal && { number: newestSeal.number, hash: newestSeal.hash },
    }),
  };
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
