import { sql } from 'drizzle-orm';
import type { Deps } from '#server/deps.ts';
import { counted, createProgress, type Say, secondsSince } from '#server/platform/console-text.ts';
import { booksEdition } from '#server/platform/database/books-edition.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { type BookCheck, findNewestCheck, writeCheck } from '#server/store/check-store.ts';
import { findSeal, type NotedSeal, type Seal } from './audit-seals.ts';
import { dailyParts } from './verify-daily.ts';
import {
  type Books,
  type CheckState,
  conclude,
  fullParts,
  openBooks,
  type Part,
  readInPieces,
  startOf,
  type Verified,
} from './verify-run.ts';
import { checkSealedRows, type Fault, fault } from './verify-store.ts';

type OwnDeps = Pick<Deps, 'database' | 'secrets'>;

/** Rereads all of the books, names every wrong row, and returns whether there is none. Keeps nothing of it. */
export async function verifyAndTell(
  deps: OwnDeps,
  say: Say,
  noted: readonly NotedSeal[] = [],
): Promise<boolean> {
  const startMs = performance.now();
  const books = await openBooks(deps);
  const parts = fullParts(books, deps.secrets, noted);
  const state = startOf(parts);
  await readInPieces(deps.database, parts, state, { progress: progressTo(say) });
  return tell(await conclude(deps.database, books, state), fullSummary, startMs, say);
}

/** `continue` goes on with a full check that was stopped. */
export type Extent = 'full' | 'continue' | 'daily';

type Request = {
  extent: Extent;
  noted: readonly NotedSeal[];
  say: Say;
  /** Stops the check, which can then be continued. */
  stopping?: AbortSignal | undefined;
};

/**
 * `npm run verify`: rereads the books, all of them or what is new, and keeps the result for the next daily check. Without
 * the key, which would seal it, nothing is kept. Returns whether nothing is wrong and the check came to its end.
 */
export async function checkBooks(
  deps: OwnDeps & Pick<Deps, 'clock'>,
  { extent, ...request }: Request,
): Promise<boolean> {
  const books = await openBooks(deps);
  const run: Run = { deps, books, startMs: performance.now(), ...request };
  if (extent === 'full') return checkAll(run, { goesOn: false });
  if (extent === 'continue') return checkAll(run, { goesOn: true });
  const found = await findBasis(deps, books);
  if ('why' in found) {
    run.say(`${found.why} This check is a full one.`);
    return checkAll(run, { goesOn: true, fault: found.fault });
  }
  return checkNew(run, found);
}

type Run = Omit<Request, 'extent'> & {
  deps: OwnDeps & Pick<Deps, 'clock'>;
  books: Books;
  startMs: number;
};

async function checkAll(
  run: Run,
  { goesOn, fault: known }: { goesOn: boolean; fault?: Fault | undefined },
): Promise<boolean> {
  const { deps, books, noted, say, startMs } = run;
  const stopped = books.isKeyRight ? await findStopped(deps) : undefined;
  const isContinued = goesOn && stopped !== undefined;
  const seal = isContinued ? stopped.seal : books.seal;
  const parts = fullParts({ ...books, seal }, deps.secrets, noted);
  const state = isContinued ? (stopped.check.state as CheckState) : startOf(parts);
  const begun = stopped?.check.startedAt.toISOString();
  if (isContinued) say(`Going on with the full check of ${begun}, at the ${state.part}.`);
  else if (stopped)
    say(`The full check of ${begun} stopped, and this one begins anew: --continue goes on with it.`);
  else if (goesOn) say('No full check waits to be continued: this one begins anew.');
  if (known) state.faults.unshift(known);
  const check = isContinued ? stopped.check : newCheck(run, 'full', seal);
  const kept = keeping(run, check);
  const isOver = await readInPieces(deps.database, parts, state, {
    progress: progressTo(say),
    keep: (so) => kept({ status: 'underway', state: so }),
    stopping: run.stopping,
  });
  if (!isOver) {
    say(
      books.isKeyRight
        ? `Stopped at the ${state.part}, ${placeOf(parts, state)}. npm run verify -- --continue goes on there.`
        : 'Stopped. Without the key of the books nothing is kept of it.',
    );
    return false;
  }
  const verified = await conclude(deps.database, books, state);
  await kept({ status: verified.faults.length === 0 ? 'sound' : 'wrong', state: null });
  return tell(verified, fullSummary, startMs, say);
}

async function checkNew(run: Run, { since, lastFull }: Basis): Promise<boolean> {
  const { deps, books, noted, say, startMs } = run;
  const parts = dailyParts({ since, now: books.seal, secrets: deps.secrets }, noted);
  const state = startOf(parts);
  const isOver = await readInPieces(deps.database, parts, state, {
    progress: progressTo(say),
    stopping: run.stopping,
  });
  if (!isOver) {
    say('Stopped. Nothing is kept of a daily check: the next one reads the same rows.');
    return false;
  }
  const verified = await conclude(deps.database, books, state);
  const isSound = verified.faults.length === 0;
  await keeping(
    run,
    newCheck(run, 'daily', books.seal),
  )({ status: isSound ? 'sound' : 'wrong', state: null });
  const wasFullSound = lastFull.status === 'sound';
  const summary = (one: Verified) => dailySummary(one, since, lastFull);
  return tell(verified, summary, startMs, say) && wasFullSound;
}

type Kept = Pick<BookCheck, 'status' | 'state'>;
type NewCheck = Omit<BookCheck, 'id' | 'finishedAt' | keyof Kept> & { id?: number };

const newCheck = ({ deps }: Run, kind: BookCheck['kind'], { number, hash }: Seal): NewCheck => ({
  kind,
  edition: booksEdition,
  sealNumber: number,
  sealHash: hash,
  startedAt: deps.clock.now(),
});

/** Returns what stores a check and what became of it, in a row that is sealed as others are. */
function keeping({ deps, books }: Run, { id: known, ...check }: NewCheck) {
  let id = known;
  return async ({ status, state }: Kept): Promise<void> => {
    if (!books.isKeyRight) return;
    const finishedAt = status === 'underway' ? null : deps.clock.now();
    const row = { ...check, status, state, finishedAt };
    id = await deps.database.transaction((tx) => writeCheck(tx, id, row));
  };
}

type Stopped = { check: BookCheck; seal: Seal };

/** The newest full check if it was stopped, is as it was written, and can go on in these books. */
async function findStopped({ database, secrets }: OwnDeps): Promise<Stopped | undefined> {
  return database.read(async (reader) => {
    const check = await findNewestCheck(reader, { kind: 'full' });
    if (check?.status !== 'underway' || check.edition !== booksEdition) return undefined;
    const { faults } = await checkSealedRows(reader, secrets, 'book_checks', { ids: [check.id] });
    const seal = await findSeal(reader, check.sealNumber);
    const isSame = faults.length === 0 && seal?.hash === check.sealHash;
    return isSame && !(await wereRenewedSince(reader, check)) ? { check, seal } : undefined;
  });
}

/** A daily check begins at the seal of the last sound one, and tells of the last full one that came to its end. */
type Basis = { since: Seal; lastFull: BookCheck };

async function findBasis(
  { database, secrets }: OwnDeps,
  { isKeyRight }: Books,
): Promise<Basis | { why: string; fault?: Fault }> {
  if (!isKeyRight) return { why: 'Without the key of the books nothing proves the last sound check.' };
  return database.read(async (reader) => {
    const sound = await findNewestCheck(reader, { status: 'sound' });
    const lastFull = await findLastFull(reader);
    if (!sound || !lastFull) return { why: 'There is no sound full check yet.' };
    const ids = [...new Set([sound.id, lastFull.id])];
    const [forged] = (await checkSealedRows(reader, secrets, 'book_checks', { ids })).faults;
    if (forged) return { why: 'The last sound check is not as it was written.', fault: forged };
    if (sound.edition !== booksEdition || (await wereRenewedSince(reader, sound)))
      return { why: 'The books were brought up to date since the last sound check.' };
    const since = await findSeal(reader, sound.sealNumber);
    if (since?.hash === sound.sealHash) return { since, lastFull };
    const what = since
      ? 'it is not the one that the last sound check found'
      : 'the last sound check found it, and it is missing: these are the books of an earlier moment';
    return {
      why: 'The last sound check was of other books.',
      fault: fault('audit_seals', sound.sealNumber, what),
    };
  });
}

async function findLastFull(reader: Reader): Promise<BookCheck | undefined> {
  const [sound, wrong] = [
    await findNewestCheck(reader, { kind: 'full', status: 'sound' }),
    await findNewestCheck(reader, { kind: 'full', status: 'wrong' }),
  ];
  return sound && wrong && wrong.id > sound.id ? wrong : sound;
}

/** A renewal hashes and seals rows again: after one, what was read before says nothing of what is there now. */
async function wereRenewedSince(reader: Reader, { sealNumber }: BookCheck): Promise<boolean> {
  const { rows } = await reader.execute<{ were: boolean }>(sql`
    select exists (select from audit_entries
                    where action = 'books_renewed'
                      and id > coalesce((select last_id from audit_seals where number = ${sealNumber}::int), 0)) as were`);
  return rows[0]?.were === true;
}

const progressTo = (say: Say) => {
  const progress = createProgress(say);
  return (name: string, rows: number) => progress(`${rows.toLocaleString('en')} ${name} checked …`);
};

const placeOf = (parts: readonly Part[], { part }: CheckState): string =>
  `part ${parts.findIndex(({ name }) => name === part) + 1} of ${parts.length}`;

function tell(
  verified: Verified,
  summaryOf: (verified: Verified) => string,
  startMs: number,
  say: Say,
): boolean {
  const { faults } = verified;
  for (const one of faults) say(faultLine(one));
  const summary =
    faults.length > 0
      ? `The books are not sound: ${counted(faults.length, 'row is', 'rows are')} wrong. ${keyWords(verified)}`
      : summaryOf(verified);
  say(`${summary} (${secondsSince(startMs)})`);
  return faults.length === 0;
}

function faultLine({ table, id, accountId, what }: Fault): string {
  const account = accountId === null || table === 'accounts' ? '' : `, account ${accountId}`;
  return `Wrong: ${table} ${id}${account}: ${what}.`;
}

function fullSummary(verified: Verified): string {
  const { counts } = verified;
  const count = (name: string, one: string, many?: string) => counted(counts[name] ?? 0, one, many);
  const checked = [
    count('ledger entries', 'ledger entry', 'ledger entries'),
    count('accounts', 'account'),
    count('withdrawals', 'withdrawal'),
    count('loan terms', 'version of loan terms', 'versions of loan terms'),
    count('audit entries', 'sealed audit entry', 'sealed audit entries'),
  ].join(', ');
  return `The books are sound: ${checked}; ${endWords(verified)}`;
}

function dailySummary(verified: Verified, since: Seal, { status, finishedAt }: BookCheck): string {
  const { counts } = verified;
  const sum = (start: string) =>
    Object.entries(counts).reduce((all, [name, rows]) => all + (name.startsWith(start) ? rows : 0), 0);
  const count = (name: string, one: string, many: string) => counted(counts[name] ?? 0, one, many);
  const found = [
    count('new ledger entries', 'ledger entry', 'ledger entries'),
    count('new audit entries', 'sealed audit entry', 'sealed audit entries'),
    count('new seals of rows', 'sealed row', 'sealed rows'),
  ].join(', ');
  const day = finishedAt?.toISOString();
  const full =
    status === 'sound'
      ? `The last full check was on ${day}.`
      : `THE LAST FULL CHECK, on ${day}, FOUND WRONG ROWS: run npm run verify.`;
  return `What is new since seal ${since.number} is sound: ${found}; ${endWords(verified)} So is a sample of ${counted(sum('old '), 'old row')}. No more was read: an old row that was changed, removed or put in shows in a full check. ${full}`;
}

function endWords(verified: Verified): string {
  const { unsealedEntries, newestSeal } = verified;
  const seal = newestSeal ? ` Seal ${newestSeal.number} is ${newestSeal.hash}.` : '';
  return `${unsealedEntries} not sealed yet.${seal} ${keyWords(verified)}`;
}

/** Row seals say nothing about forgeries before that day. */
function keyWords({ keys: [newest, ...older], isKeyHere }: Verified): string {
  if (!newest) return 'No row is sealed with a key yet: the next start does it.';
  const since = newest.sealedAt.toISOString();
  const sealed =
    older.length > 0 ? `Sealed anew on ${since}.` : `Rows are sealed with the key since ${since}.`;
  return isKeyHere ? sealed : `${sealed} The key is not here: these seals were not looked at.`;
}
