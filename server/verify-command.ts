import type { Deps } from './deps.ts';
import { counted, createProgress, type Say, secondsSince } from './progress.ts';
import type { Fault } from './services/verify-faults.ts';
import { type Verified, verifyBooks } from './services/verify-service.ts';

/** Verifies the books, names every row that is wrong, the first one first, and answers whether there is none. */
export async function verifyAndTell(deps: Pick<Deps, 'database'>, say: Say): Promise<boolean> {
  const startMs = performance.now();
  const progress = createProgress(say);
  const verified = await verifyBooks(deps, (checked, count) =>
    progress(`${count.toLocaleString('en')} ${checked} checked …`),
  );
  for (const fault of verified.faults) say(faultLine(fault));
  say(`${summaryOf(verified)} (${secondsSince(startMs)})`);
  return verified.faults.length === 0;
}

function faultLine({ table, id, accountId, what }: Fault): string {
  const account = accountId === null || table === 'accounts' ? '' : `, account ${accountId}`;
  return `Wrong: ${table} ${id}${account}: ${what}.`;
}

function summaryOf({ faults, counts, unsealedEntries, newestSeal }: Verified): string {
  if (faults.length > 0)
    return `The books are not sound: ${counted(faults.length, 'row is', 'rows are')} wrong.`;
  const checked = [
    counted(counts['ledger entries'], 'ledger entry', 'ledger entries'),
    counted(counts.accounts, 'account'),
    counted(counts.withdrawals, 'withdrawal'),
    counted(counts['loan terms'], 'version of loan terms', 'versions of loan terms'),
    counted(counts['audit entries'], 'sealed audit entry', 'sealed audit entries'),
  ].join(', ');
  const seal = newestSeal ? ` Seal ${newestSeal.number} is ${newestSeal.hash}.` : '';
  return `The books are sound: ${checked}; ${unsealedEntries} not sealed yet.${seal}`;
}
