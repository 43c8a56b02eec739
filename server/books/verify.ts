import type { Deps } from '#server/deps.ts';
import { counted, createProgress, type Say, secondsSince } from '#server/platform/console-text.ts';
import type { NotedSeal } from './audit-seals.ts';
import { type Fault, verifyBooks } from './verify-store.ts';

type Verified = Awaited<ReturnType<typeof verifyBooks>>;

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
