import { randomInt } from 'node:crypto';
import { asc, eq, gt, inArray } from 'drizzle-orm';
import type { Reader } from '#server/platform/database/database.ts';
import type { SecretBox } from '#server/platform/secret-box.ts';
import { accounts, ledgerEntries, loanEvents, loanTerms, payments } from '#server/store/schema.ts';
import { type SealedTable, sealedTables } from '#server/store/sealed-columns.ts';
import { readHighestSealed, readSealsAfter, readSealsOf } from '#server/store/sealed-rows.ts';
import { keptTables, type NotedSeal, type Seal } from './audit-seals.ts';
import { countingPart, inOnePage, type Part, part } from './verify-run.ts';
import {
  type CheckedPage,
  checkDisbursedLoans,
  checkEntries,
  checkEventsHavePosition,
  checkHeads,
  checkLoansHaveTerms,
  checkLostRows,
  checkNewestNumbers,
  checkNoted,
  checkReceiptBefore,
  checkReceipts,
  checkSealedRows,
  checkSeals,
  checkSequences,
  checkTerms,
  checkTriggers,
  checkWithdrawals,
  type Fault,
  loansPageRows,
  lowestId,
} from './verify-store.ts';

/** Old rows that a daily check draws anew each time. */
export const sampleSize = { 'ledger entries': 500, 'sealed rows': 300, seals: 20 };

/** Seals or events of one page: the loans that they lead to are read whole, each of them once. */
const pageRows = 100;

/** Few rows, each of which opens a door: read whole every day. */
const readWhole: readonly SealedTable[] = ['allowed_ips', 'book_keys', 'book_checks'];

/**
 * Reads the rows after the seal `since` and a sample of those before it. A row that the server wrote since then has a
 * seal with a higher number. A row that somebody else put in has a higher id, or shows in the counts of the seals since. Old
 * rows that somebody else changed, removed or put in are left to the sample and to the full check.
 */
export function dailyParts(
  { since, now, secrets }: { since: Seal; now: Seal; secrets: SecretBox },
  noted: readonly NotedSeal[],
): Part[] {
  const highestOf = (table: string) => since.positions.get(table)?.highestId ?? lowestId;
  const afterSeal = highestOf('row_seals');
  const seen: Seen = { loans: new Set(), terms: new Set(), accounts: new Set() };
  return [
    part<number>('new ledger entries', highestOf('ledger_entries'), (reader, afterId, limit) =>
      checkNewEntries(reader, seen, afterId, limit),
    ),
    part<number>('new loan events', highestOf('loan_events'), (reader, afterId) =>
      checkNewEvents(reader, seen, afterId),
    ),
    part<number>('new audit entries', since.number, (reader, afterNumber) => checkSeals(reader, afterNumber)),
    part<number>('new seals of rows', afterSeal, async (reader, afterId) => {
      const seals = await readSealsAfter(reader, afterId, pageRows);
      return { ...(await checkRowsOf(reader, secrets, seen, seals)), next: seals.at(-1)?.id };
    }),
    ...sealedTables.map((name) =>
      part<number | null>(`new rows of ${name}`, null, async (reader, place, limit) => {
        const afterId = place ?? (await startIn(reader, name, highestOf(name), afterSeal));
        return checkSealedRows(reader, secrets, name, { afterId, limit });
      }),
    ),
    part<number>('accounts of staff', 0, async (reader) => {
      const staff = await reader.select({ id: accounts.id }).from(accounts).where(eq(accounts.isAdmin, true));
      return lastPage(await checkSealedRows(reader, secrets, 'accounts', { ids: staff.map(({ id }) => id) }));
    }),
    inOnePage('newest receipts', checkNewestNumbers),
    inOnePage('newest rows', checkLostRows),
    inOnePage('triggers', checkTriggers),
    inOnePage('sequences', checkSequences),
    inOnePage('noted seals', (reader) => checkNoted(reader, noted)),
    ...keptTables.map((table) => countingPart(table, now, since)),
    part<number>('old ledger entries', 0, async (reader) => {
      const ids = drawn(sampleSize['ledger entries'], highestOf('ledger_entries'));
      return lastPage(await checkEntries(reader, { ids }));
    }),
    part<number>('old sealed rows', 0, async (reader, read) => {
      const seals = await readSealsOf(reader, drawn(loansPageRows, afterSeal));
      const next = read + loansPageRows;
      const page = await checkRowsOf(reader, secrets, seen, seals);
      return { ...page, next: next < sampleSize['sealed rows'] ? next : undefined };
    }),
    part<number>('old seals', 0, async (reader) => {
      const pages: CheckedPage<unknown>[] = [];
      for (const number of drawn(sampleSize.seals, since.number))
        pages.push(await checkSeals(reader, number - 1, 1));
      return lastPage({ rows: pages.length, faults: pages.flatMap(({ faults }) => faults) });
    }),
  ];
}

/**
 * The loans and accounts that this check has looked at as a whole. Each payment leaves several new rows of its loan, on
 * several pages; what changes while the check runs is new to the next one.
 */
type Seen = Record<'loans' | 'terms' | 'accounts', Set<number>>;

function notSeen(seen: Set<number>, ids: readonly number[]): number[] {
  const left = [...new Set(ids)].filter((id) => !seen.has(id));
  for (const id of left) seen.add(id);
  return left;
}

const lastPage = ({ rows, faults }: { rows: number; faults: Fault[] }): CheckedPage<number> => ({
  rows,
  faults,
  next: undefined,
});

/** Numbers from 1 to `highest`, each once, that nobody can foresee. */
function drawn(size: number, highest: number): number[] {
  if (highest < 1) return [];
  return [...new Set(Array.from({ length: size }, () => randomInt(1, highest + 1)))];
}

async function startIn(reader: Reader, name: SealedTable, highestId: number, afterSeal: number) {
  if (readWhole.includes(name)) return lowestId;
  if (highestId > lowestId) return highestId;
  return (await readHighestSealed(reader, name, afterSeal)) ?? lowestId;
}

async function checkNewEntries(
  reader: Reader,
  seen: Seen,
  afterId: number,
  limit: number,
): Promise<CheckedPage<number>> {
  const { id, accountId, withdrawalId } = ledgerEntries;
  const rows = await reader
    .select({ id, accountId, withdrawalId })
    .from(ledgerEntries)
    .where(gt(id, afterId))
    .orderBy(asc(id))
    .limit(limit);
  const ids = rows.map((row) => row.id);
  const accountIds = notSeen(
    seen.accounts,
    rows.map((row) => row.accountId),
  );
  const withdrawals = rows.flatMap((row) => row.withdrawalId ?? []);
  const faults = [
    ...(await checkEntries(reader, { ids })).faults,
    ...(await checkHeads(reader, { ids: accountIds })).faults,
    ...(await checkWithdrawals(reader, { ids: withdrawals })).faults,
  ];
  return { rows: ids.length, next: ids.at(-1), faults };
}

async function checkNewEvents(reader: Reader, seen: Seen, afterId: number): Promise<CheckedPage<number>> {
  const { id, loanId } = loanEvents;
  const rows = await reader
    .select({ id, loanId })
    .from(loanEvents)
    .where(gt(id, afterId))
    .orderBy(asc(id))
    .limit(pageRows);
  const ids = notSeen(
    seen.loans,
    rows.map((row) => row.loanId),
  );
  const faults = [
    ...(await checkEventsHavePosition(reader, { ids })).faults,
    ...(await checkDisbursedLoans(reader, { ids })).faults,
  ];
  return { rows: rows.length, next: rows.at(-1)?.id, faults };
}

/** The rows that these seals are of: whether each is there and fits its newest seal, and what follows from it. */
async function checkRowsOf(
  reader: Reader,
  secrets: SecretBox,
  seen: Seen,
  seals: readonly { name: SealedTable; rowId: number }[],
): Promise<{ rows: number; faults: Fault[] }> {
  const idsOf = (wanted: SealedTable) => [
    ...new Set(seals.filter(({ name }) => name === wanted).map(({ rowId }) => rowId)),
  ];
  const faults: Fault[] = [];
  let rows = 0;
  for (const name of sealedTables) {
    const ids = idsOf(name);
    if (ids.length === 0) continue;
    const page = await checkSealedRows(reader, secrets, name, { ids });
    rows += page.rows;
    faults.push(...page.faults);
  }
  const [ofPayments, ofTerms] = [idsOf('payments'), idsOf('loan_terms')];
  const loansOf = async (table: typeof payments | typeof loanTerms, ids: number[]) =>
    (await reader.select({ loanId: table.loanId }).from(table).where(inArray(table.id, ids))).map(
      ({ loanId }) => loanId,
    );
  const loanIds = idsOf('loans');
  const paidLoans = await loansOf(payments, ofPayments);
  const agreedLoans = notSeen(seen.terms, [...loanIds, ...(await loansOf(loanTerms, ofTerms))]);
  const foldedLoans = notSeen(seen.loans, [...loanIds, ...paidLoans, ...idsOf('loan_positions')]);
  const pages = [
    await checkHeads(reader, { ids: notSeen(seen.accounts, idsOf('accounts')) }),
    await checkWithdrawals(reader, { ids: idsOf('withdrawals') }),
    await checkLoansHaveTerms(reader, { ids: loanIds }),
    await checkTerms(reader, { loanIds: agreedLoans }),
    await checkReceipts(reader, { ids: ofPayments }),
    await checkReceiptBefore(reader, { ids: ofPayments }),
    await checkDisbursedLoans(reader, { ids: foldedLoans }),
  ];
  return { rows, faults: [...faults, ...pages.flatMap((page) => page.faults)] };
}
