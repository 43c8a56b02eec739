import { setImmediate as breath } from 'node:timers/promises';
import { gt } from 'drizzle-orm';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/platform/console-text.ts';
import type { Database, Reader } from '#server/platform/database/database.ts';
import { type SecretBox, withoutSecrets } from '#server/platform/secret-box.ts';
import { auditEntries } from '#server/store/schema.ts';
import { sealedTables } from '#server/store/sealed-columns.ts';
import type { Which } from '#server/store/sealed-rows.ts';
import { findNewestSeal, findSeal, keptTables, type NotedSeal, noSeal, type Seal } from './audit-seals.ts';
import { inSnapshot } from './backup-rows.ts';
import { type BookKey, keyFingerprint, readBookKeys, wereEverSealed } from './book-key.ts';
import {
  type CheckedPage,
  type CountPlace,
  checkCount,
  checkDisbursedLoans,
  checkEventsHavePosition,
  checkHeads,
  checkLedgers,
  checkLoansHaveTerms,
  checkLostRows,
  checkNewestNumbers,
  checkNoted,
  checkNumbers,
  checkReceipts,
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
  type ReceiptPlace,
  type TermsPlace,
} from './verify-store.ts';

// The books are read in pieces. Each is a short transaction with a snapshot of its own, so that no snapshot is held for hours,
// which would keep PostgreSQL from clearing away dead rows, and so that a check can be stopped and go on.
//
// Rows change between two pieces. No false fault comes of that: a check compares rows of one snapshot only, and what it finds
// holds at any moment, or it counts and hashes rows up to a seal, which nobody adds to any more. No true fault is hidden by an
// honest change: a row whose seal was wrong before it stays wrong (`sealingRows`), chains and seals are only continued, and rows
// are read by ids that never change, so none moves from what is still unread to what is read. What is written behind the place
// that was read, honestly or not, is left to the next check: it begins at the newest seal of this one's start, and every row that
// the server writes later has a later seal. A forger who may write can undo a forgery in front of the reading and repeat it
// behind: as one can who waits for the end. The next full check reads that row again.

/** The rows to read in order, page by page; `name` says what they are. */
export type Part = {
  name: string;
  start: unknown;
  check(reader: Reader, place: unknown, limit: number): Promise<CheckedPage<unknown>>;
  /** Missing rows of a table are no news if its rows are named already. */
  isCount?: true;
};

export const part = <Place>(
  name: string,
  start: Place,
  check: (reader: Reader, place: Place, limit: number) => Promise<CheckedPage<Place>>,
): Part => ({ name, start, check: (reader, place, limit) => check(reader, place as Place, limit) });

export const partById = (
  name: string,
  afterId: number,
  check: (reader: Reader, which: Which) => Promise<CheckedPage<number>>,
): Part => part<number>(name, afterId, (reader, place, limit) => check(reader, { afterId: place, limit }));

export const inOnePage = (name: string, check: (reader: Reader) => Promise<Fault[]>): Part =>
  part(name, 0, async (reader) => ({ rows: 0, next: undefined, faults: await check(reader) }));

/** Counts a table's rows up to a seal, or between two. */
export function countingPart(table: string, seal: Seal, since?: Seal): Part {
  const start: CountPlace = { afterId: since?.positions.get(table)?.highestId ?? lowestId, found: 0 };
  const count = part<CountPlace>(`counted rows of ${table}`, start, (reader, place, limit) =>
    checkCount(reader, { table, seal, since }, place, limit * pagesCountedAtOnce),
  );
  return { ...count, isCount: true };
}

/** Counting reads an index alone. */
const pagesCountedAtOnce = 20;

/** How far a check has come: plain JSON, so that it can be stored. */
export type CheckState = {
  /** The part under way, undefined at the end. */
  part: string | undefined;
  place: unknown;
  faultsInPart: number;
  /** Rows read, by the name of their part. */
  counts: Record<string, number>;
  faults: Fault[];
  uncounted: Fault[];
};

export const startOf = ([first]: readonly Part[]): CheckState => ({
  part: first?.name,
  place: first?.start,
  faultsInPart: 0,
  counts: {},
  faults: [],
  uncounted: [],
});

/** One tampered row can break many, so checking stops after this many. */
const faultsMax = 20;
/** One page blocks the embedded engine for some ten milliseconds. */
const pageRows = { embedded: 500, postgres: 2_000 };
/** On the embedded engine a piece is one page: its only session must not be held for long. */
const pieceMs = { embedded: 0, postgres: 2_000 };
const keepEveryMs = 30_000;

export type Running = {
  /** Called with rows of the part under way. */
  progress?(name: string, rows: number): void;
  /** Stores the state, now and then and when the check stops. */
  keep?(state: CheckState): Promise<void>;
  /** Stops after the page under way. */
  stopping?: AbortSignal | undefined;
};

/** Reads the parts from a state on, and writes into it. Returns false if it was stopped before the end. */
export async function readInPieces(
  database: Database,
  parts: readonly Part[],
  state: CheckState,
  { progress, keep, stopping }: Running,
): Promise<boolean> {
  const engine = database.hasOneSession ? 'embedded' : 'postgres';
  const inPiece = <T>(work: (reader: Reader) => Promise<T>) =>
    database.hasOneSession ? database.snapshot(work) : inSnapshot(database, work);

  async function readPage(reader: Reader): Promise<void> {
    const at = parts.findIndex(({ name }) => name === state.part);
    const now = parts[at];
    if (!now) throw new Error(`there is no part ${state.part}`);
    const { rows, next, faults } = await now.check(reader, state.place, pageRows[engine]);
    const counted = (state.counts[now.name] ?? 0) + rows;
    state.counts[now.name] = counted;
    state[now.isCount ? 'uncounted' : 'faults'].push(...faults);
    state.faultsInPart += faults.length;
    if (counted > 0) progress?.(now.name, counted);
    if (next !== undefined && state.faultsInPart < faultsMax) {
      state.place = next;
      return;
    }
    const following = parts[at + 1];
    Object.assign(state, { part: following?.name, place: following?.start, faultsInPart: 0 });
  }

  let keptMs = performance.now();
  const isOver = () => state.part === undefined || stopping?.aborted === true;
  while (!isOver()) {
    await inPiece(async (reader) => {
      const untilMs = performance.now() + pieceMs[engine];
      do await readPage(reader);
      while (!isOver() && performance.now() < untilMs);
    });
    if (performance.now() - keptMs >= keepEveryMs && !isOver()) {
      await keep?.(state);
      keptMs = performance.now();
    }
    // Signals and the console's socket are heard here, however busy the database keeps the loop.
    await breath();
  }
  if (state.part === undefined) return true;
  await keep?.(state);
  return false;
}

/** The keys and the seal by which a check reads the books. */
export type Books = {
  /** The keys that sealed the books, newest first. */
  keys: BookKey[];
  isKeyHere: boolean;
  isKeyRight: boolean;
  /** The newest seal of the log. */
  seal: Seal;
};

export async function openBooks({ database, secrets }: Pick<Deps, 'database' | 'secrets'>): Promise<Books> {
  const keys = await database.read((reader) => readBookKeys(reader));
  const isKeyHere = secrets !== withoutSecrets;
  const newest = await database.read(findNewestSeal);
  const seal = newest && (await database.read((reader) => findSeal(reader, newest.number)));
  const isKeyRight = isKeyHere && keys[0]?.fingerprint === keyFingerprint(secrets);
  return { keys, isKeyHere, isKeyRight, seal: seal ?? noSeal };
}

/** Every check of all rows, counted up to a seal. */
export function fullParts(
  { isKeyRight, seal }: Pick<Books, 'isKeyRight' | 'seal'>,
  secrets: SecretBox,
  noted: readonly NotedSeal[],
): Part[] {
  return [
    part<EntryPlace | null>('ledger entries', null, checkLedgers),
    partById('accounts', lowestId, checkHeads),
    partById('withdrawals', lowestId, checkWithdrawals),
    part<TermsPlace>('loan terms', { loanId: lowestId, version: 0 }, (reader, after) =>
      checkTerms(reader, { after }),
    ),
    part<number>('audit entries', 0, (reader, afterNumber) => checkSeals(reader, afterNumber)),
    partById('loans', lowestId, checkLoansHaveTerms),
    partById('disbursed loans', lowestId, checkDisbursedLoans),
    partById('loans with events', lowestId, checkEventsHavePosition),
    partById('payments', lowestId, checkReceipts),
    part<ReceiptPlace>('receipt numbers', { year: 0, serial: 0 }, checkNumbers),
    inOnePage('newest receipts', checkNewestNumbers),
    ...(isKeyRight ? sealedTables : []).map((name) =>
      partById(`seals of ${name}`, lowestId, (reader, which) =>
        checkSealedRows(reader, secrets, name, which),
      ),
    ),
    inOnePage('newest rows', checkLostRows),
    inOnePage('triggers', checkTriggers),
    inOnePage('sequences', checkSequences),
    inOnePage('noted seals', (reader) => checkNoted(reader, noted)),
    ...keptTables.map((table) => countingPart(table, seal)),
  ];
}

export type Verified = Awaited<ReturnType<typeof conclude>>;

/** The faults of a check that has come to its end, and what else its last line tells. */
export async function conclude(
  database: Database,
  { keys, isKeyHere, isKeyRight }: Books,
  { faults: wrong, uncounted, counts }: CheckState,
) {
  const end = await database.read(async (reader) => {
    const newestSeal = await findNewestSeal(reader);
    const isLater = gt(auditEntries.id, newestSeal?.lastId ?? 0);
    const [key] = await readBookKeys(reader);
    const unsealedEntries = await reader.$count(auditEntries, isLater);
    return { newestSeal, unsealedEntries, isOtherKey: key?.id !== keys[0]?.id };
  });
  if (end.isOtherKey)
    throw new Refusal('The books were sealed with another key meanwhile: start the check again.');
  // The first fault of each row says most.
  const keyOf = ({ table, id }: Fault) => `${table} ${id}`;
  const firstOfRow = new Map(wrong.toReversed().map((one) => [keyOf(one), one]));
  const faults = wrong.filter((one) => firstOfRow.get(keyOf(one)) === one);
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
  return { ...end, faults: faults.slice(0, faultsMax), counts, keys, isKeyHere };
}

/**
 * Rereads all of the books and returns every wrong row, up to a bound. `noted` seals were kept outside the database. Keeps
 * nothing of it.
 */
export async function verifyBooks(
  deps: Pick<Deps, 'database' | 'secrets'>,
  progress: Running['progress'] = () => undefined,
  noted: readonly NotedSeal[] = [],
): Promise<Verified> {
  const books = await openBooks(deps);
  const parts = fullParts(books, deps.secrets, noted);
  const state = startOf(parts);
  await readInPieces(deps.database, parts, state, { progress });
  return conclude(deps.database, books, state);
}
